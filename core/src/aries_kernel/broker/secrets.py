"""Secrets: which files hold them, which variables, and how they are kept out of output and log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from attrs import frozen

__all__ = ["Redactor", "child_environment", "holds_secrets", "secret_values"]

_SHORTEST = 8
"""Shorter values would redact ordinary words."""

_SECRET_NAME = re.compile(
    r"(ACCESS_?KEY(_ID)?|API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?"
    r"|(?:^|_)(KEY|AUTH|PAT)|_PWD)(_|$)",
    re.IGNORECASE,
)
_NOT_SECRET_NAMES = {"SSH_AUTH_SOCK", "XAUTHORITY", "GPG_KEY", "PATH"}
_PASSWORD_IN_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s:@]*:([^/\s@]+)@", re.IGNORECASE)

_SECRET_NAMES = {
    ".netrc", "_netrc", ".pgpass", ".pypirc", ".npmrc", ".yarnrc.yml", ".git-credentials", ".htpasswd", ".vault-token",
    "credentials", "credentials.json", "credentials.toml", "application_default_credentials.json", "secrets.yaml",
    "secrets.yml", "secrets.json", "secrets.toml", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk",
    "id_ed25519_sk", "terraform.tfstate", "service-account.json", "kubeconfig", ".dockercfg", ".envrc", ".boto",
    ".s3cfg", ".my.cnf", ".mylogin.cnf", ".databrickscfg",
}  # fmt: skip
_SECRET_SUFFIXES = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".tfvars")
_SECRET_FOLDERS = {".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store", ".docker"}
_SECRET_PLACES = ((".config", "gcloud"), ("gh", "hosts.yml"), (".cargo", "credentials"), ("etc", "shadow"))
_HARMLESS_IN_SSH = {"config", "known_hosts", "known_hosts.old"}
_HARMLESS_ENV = re.compile(r"\.(example|sample|template|dist|defaults?)$")
_COPY = re.compile(r"(~|\.(bak|backup|old|orig|save|sw[a-p]|tmp|\d+))+$")
"""What editors and people append to the name of a copy."""


def holds_secrets(path: Path) -> bool:
    """Whether a file of this name and place is taken for a secret store; looks at the name only."""
    parts = [part.lower() for part in path.parts]
    name = path.name.lower()
    # Emacs saves `.env` meanwhile as `#.env#`.
    original = _COPY.sub("", name[1:-1] if len(name) > 2 and name[0] == name[-1] == "#" else name)
    names = {name, original, original.removeprefix(".")} if original != name else {name}
    if any(_is_secret_file_name(one) for one in names):
        return True
    if any(part in _SECRET_FOLDERS for part in parts[:-1]) and not name.endswith(".pub"):
        return not (parts[-2] == ".ssh" and name in _HARMLESS_IN_SSH)
    if len(parts) > 2 and parts[1] == "proc" and name in ("environ", "mem"):
        return True
    return any(pair in _SECRET_PLACES for pair in pairwise(parts))


def _is_secret_file_name(name: str) -> bool:
    if name == ".env" or name.startswith(".env.") or name.endswith(".env"):
        return not _HARMLESS_ENV.search(name)
    return name in _SECRET_NAMES or name.endswith(_SECRET_SUFFIXES)


def is_secret_name(name: str) -> bool:
    """Whether a variable of this name holds a secret."""
    return name not in _NOT_SECRET_NAMES and bool(_SECRET_NAME.search(name))


def child_environment(environ: Mapping[str, str], drop: Iterable[str] = ()) -> dict[str, str]:
    """The environment for child processes: without secrets and without `drop`."""
    gone = set(drop)
    return {name: value for name, value in environ.items() if name not in gone and not is_secret_name(name)}


def secret_values(environ: Mapping[str, str], dotenv_files: Iterable[Path] = ()) -> frozenset[str]:
    """Values to keep out of output: of secret variables, here and in the project's `.env` files.

    Passwords within addresses count, whatever the variable is called; so does each long line of a value with several.
    """
    pairs = [*environ.items(), *(pair for file in dotenv_files for pair in _read_dotenv(file))]
    found: set[str] = set()
    for name, value in pairs:
        found.update(_PASSWORD_IN_URL.findall(value))
        if is_secret_name(name):
            lines = value.strip().splitlines()
            found.update((value, *(line for line in lines if len(line.strip()) >= 2 * _SHORTEST)))
    return frozenset(value.strip() for value in found if len(value.strip()) >= _SHORTEST)


def _read_dotenv(file: Path) -> list[tuple[str, str]]:
    try:
        text = file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return []  # A file that we cannot read, no tool can read either.
    pairs = []
    for line in text.splitlines():
        name, found, value = line.strip().removeprefix("export ").partition("=")
        if found and not name.lstrip().startswith("#"):
            pairs.append((name.strip(), _dotenv_value(value.strip())))
    return pairs


def _dotenv_value(text: str) -> str:
    if text[:1] in ("'", '"') and text.find(text[0], 1) > 0:
        return text[1 : text.index(text[0], 1)]
    return re.split(r"\s#", text, maxsplit=1)[0].strip().strip("'\"")


@frozen
class Redactor:
    """Replaces known secret values in text."""

    values: frozenset[str]

    def __call__(self, text: str) -> str:
        """`text` with every known value replaced by `[redacted]`; where values overlap, the longest."""
        present = [re.escape(value) for value in sorted(self.values, key=len, reverse=True) if value and value in text]
        return re.sub("|".join(present), "[redacted]", text) if present else text
