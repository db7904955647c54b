"""Secrets: which files hold them, which variables, and how they are kept out of output and log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import field, frozen

__all__ = ["Redactor", "child_environment", "holds_secrets", "secret_values"]

_SHORTEST = 8
"""Shorter values would redact ordinary words."""

_SECRET_NAME = re.compile(
    r"(^|_)(API_?KEY|ACCESS_?KEY(_ID)?|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PRIVATE_KEY|AUTH)(_|$)",
    re.IGNORECASE,
)
_NOT_SECRET_NAMES = {"SSH_AUTH_SOCK", "XAUTHORITY", "GPG_KEY"}

_SECRET_NAMES = {
    ".netrc", "_netrc", ".pgpass", ".pypirc", ".npmrc", ".yarnrc.yml", ".git-credentials", ".htpasswd", ".vault-token",
    "credentials", "credentials.json", "credentials.toml", "application_default_credentials.json", "secrets.yaml",
    "secrets.yml", "secrets.json", "secrets.toml", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "terraform.tfstate",
    "service-account.json", "kubeconfig", ".dockercfg",
}  # fmt: skip
_SECRET_SUFFIXES = {".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc.key", ".tfvars"}
_SECRET_FOLDERS = {".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store", ".docker"}
_SECRET_PLACES = (("gcloud",), ("gh", "hosts.yml"), (".cargo", "credentials"))
_HARMLESS_ENV = re.compile(r"\.(example|sample|template|dist|defaults?)$")


def holds_secrets(path: Path) -> bool:
    """Whether a file of this name and place is taken for a secret store; looks at the name only."""
    name = path.name.lower()
    if name == ".env" or name.startswith(".env.") or name.endswith(".env"):
        return not _HARMLESS_ENV.search(name)
    if name in _SECRET_NAMES or path.suffix.lower() in _SECRET_SUFFIXES:
        return not name.endswith(".pub")
    parts = [part.lower() for part in path.parts]
    if any(part in _SECRET_FOLDERS for part in parts[:-1]) and name not in ("config", "known_hosts", "id_rsa.pub"):
        return not name.endswith(".pub")
    if len(parts) > 2 and parts[1] == "proc" and name in ("environ", "mem"):
        return True
    joined = "/".join(parts) + "/"
    return any(f"/{'/'.join(place)}/" in joined for place in _SECRET_PLACES)


def is_secret_name(name: str) -> bool:
    """Whether a variable of this name holds a secret."""
    return name not in _NOT_SECRET_NAMES and bool(_SECRET_NAME.search(name))


def child_environment(environ: Mapping[str, str], drop: Iterable[str] = ()) -> dict[str, str]:
    """The environment for child processes: without secrets and without `drop`."""
    gone = set(drop)
    return {name: value for name, value in environ.items() if name not in gone and not is_secret_name(name)}


def secret_values(environ: Mapping[str, str], dotenv_files: Iterable[Path] = ()) -> frozenset[str]:
    """Values to keep out of output: of secret variables, here and in the project's `.env` files."""
    found = {value for name, value in environ.items() if is_secret_name(name)}
    for file in dotenv_files:
        found |= {value for name, value in _read_dotenv(file) if is_secret_name(name)}
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
            pairs.append((name.strip(), value.strip().strip("'\"")))
    return pairs


@frozen
class Redactor:
    """Replaces known secret values in text."""

    values: frozenset[str] = field(converter=frozenset)

    def __call__(self, text: str) -> str:
        """`text` with every known value replaced by `[redacted]`; the longest first."""
        for value in sorted(self.values, key=len, reverse=True):
            if value in text:
                text = text.replace(value, "[redacted]")
        return text
