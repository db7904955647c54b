"""Which files and variables hold secrets, and how values are kept out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.broker.secrets import Redactor, child_environment, holds_secrets, is_secret_name, secret_values

SECRET_FILES = (
    ".env", ".env.local", ".ENV", "prod.env", ".env.production.local", ".envrc", "id_rsa", "id_ed25519", "server.pem",
    "tls.KEY", ".pem", ".netrc", ".npmrc", ".pypirc", ".git-credentials", "secrets.yaml", "credentials", "x.tfvars",
    "terraform.tfstate", "terraform.tfstate.backup", ".env~", "#.env#", ".env.bak", "id_rsa.old", ".id_rsa.swp",
    ".env.swp",
)  # fmt: skip
SECRET_PLACES = (
    "/home/u/.ssh/work_key", "/home/u/.aws/config", "/home/u/.kube/config", "/home/u/.docker/config.json",
    "/home/u/.config/gcloud/access_tokens.db", "/home/u/.config/gh/hosts.yml", "/home/u/.cargo/credentials.toml",
    "/home/u/.gnupg/private-keys-v1.d/x", "/proc/self/environ", "/proc/12/environ", "/proc/12/task/13/environ",
    "/etc/shadow",
)  # fmt: skip
HARMLESS = (
    ".env.example", ".env.sample", ".env.template", "environment.py", "env.py", "keys.py", "key.txt", "secrets.py",
    "credentials.md", "id_rsa.pub", "tokenizer.json", "monkey.txt", "README.md", "package.json", "config",
    "/home/u/.ssh/config", "/home/u/.ssh/known_hosts", "/home/u/.ssh/work.pub", "src/gcloud/main.py", "gcloud/x.txt",
    "src/proc/environ.txt", "a/environ", ".gitignore", "notes.bak", "docs/secrets/index.md",
)  # fmt: skip


@pytest.mark.parametrize("path", [*SECRET_FILES, *SECRET_PLACES])
def test_stores_of_secrets_are_known(path: str) -> None:
    assert holds_secrets(Path(path))


@pytest.mark.parametrize("path", HARMLESS)
def test_ordinary_files_are_not_taken_for_secrets(path: str) -> None:
    assert not holds_secrets(Path(path))


@given(st.sampled_from(SECRET_FILES), st.lists(st.sampled_from(["a", "src", "..", "x y"]), max_size=3))
def test_the_folder_and_the_case_make_no_difference(name: str, folders: list[str]) -> None:
    assert holds_secrets(Path("/", *folders, name))
    assert holds_secrets(Path(*folders, name.upper()))


@pytest.mark.parametrize(
    "name",
    ["OPENAI_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "DB_PASSWORD", "PGPASSWORD",
     "MYSQL_PWD", "npm_config__authToken", "SECRET", "MY_KEY", "STRIPE_SECRET", "HF_TOKEN", "GH_PAT", "APIKEY"],
)  # fmt: skip
def test_names_of_secret_variables(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["PATH", "HOME", "PWD", "OLDPWD", "SSH_AUTH_SOCK", "TOKENIZERS_PARALLELISM", "KEYBOARD", "MONKEY", "AUTHOR",
     "XAUTHORITY", "LANG", "COMPAT", "PATTERN"],
)  # fmt: skip
def test_names_of_ordinary_variables(name: str) -> None:
    assert not is_secret_name(name)


def test_a_child_gets_no_secret_and_nothing_that_is_dropped() -> None:
    assert child_environment({"PATH": "/bin", "A_TOKEN": "x", "B": "y"}, drop=["B"]) == {"PATH": "/bin"}


def test_values_come_from_variables_and_env_files(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(
        "\ufeff# API_KEY=commented\nexport API_KEY='quoted value' # note\nDB_PASSWORD=plainvalue # note\n"
        "DATABASE_URL=postgres://user:p4ssw0rd-x@host/db\nNAME=harmless-value\nSHORT_KEY=abc\n",
        encoding="utf-8",
    )
    found = secret_values({"MY_TOKEN": " token-value ", "HOME": "/home/somebody"}, [file, tmp_path / "missing"])
    assert found == {"quoted value", "plainvalue", "p4ssw0rd-x", "token-value"}


def test_each_long_line_of_a_value_counts() -> None:
    found = secret_values({"SIGNING_KEY": "-----BEGIN-----\nMIIEvQIBADANBgkqhkiG\n-----END-----"})
    assert "MIIEvQIBADANBgkqhkiG" in found


def test_the_longest_of_overlapping_values_is_redacted() -> None:
    assert Redactor(frozenset({"abcdefgh", "abcdefghij"}))("x abcdefghij y abcdefgh") == "x [redacted] y [redacted]"


def test_a_value_that_looks_like_the_mark_or_a_pattern_does_no_harm() -> None:
    assert Redactor(frozenset({"redacted", "(.*)+x$y"}))("a redacted (.*)+x$y b") == "a [redacted] [redacted] b"


@given(st.sets(st.text(min_size=8, max_size=12), max_size=4), st.lists(st.text(max_size=5), max_size=5))
def test_no_value_is_left_in_text(values: set[str], pieces: list[str]) -> None:
    text = "".join(piece + value for piece in pieces for value in sorted(values))
    redacted = Redactor(frozenset(values))(text)
    assert all(value not in redacted.replace("[redacted]", "\0") for value in values)


def test_no_values_change_nothing() -> None:
    assert Redactor(frozenset())("text") == "text"
