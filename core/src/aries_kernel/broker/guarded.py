"""Files whose change would run code or loosen the permissions later: a plain edit rule does not open them."""

from __future__ import annotations

from pathlib import Path

__all__ = ["guarded_part"]

_FOLDERS = {
    ".git", ".hg", ".husky", ".githooks", ".vscode", ".idea", ".devcontainer", ".claude", ".cursor", ".codex",
    ".gemini", ".qwen", ".opencode", "autostart", "systemd", "launchagents", "launchdaemons", "cron.d",
}  # fmt: skip
_FILES = {
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv",
    ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", "config.fish",
    ".envrc", ".inputrc", ".gitconfig", ".hgrc", ".vimrc", ".nvimrc", ".exrc", ".emacs", ".gdbinit", ".lldbinit",
    ".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".pam_environment", ".mcp.json", ".pre-commit-config.yaml",
    "sitecustomize.py", "usercustomize.py", "crontab", "authorized_keys", "sudoers",
    "microsoft.powershell_profile.ps1",
}  # fmt: skip
_SUFFIXES = {".pth"}
_OURS = ".aries"
_OURS_OPEN = {"memory"}


def guarded_part(path: Path) -> str | None:
    """The part of an absolute path that makes it guarded (`.git`, `.bashrc`), None for an ordinary file."""
    parts = [part.casefold().rstrip(". ") for part in path.parts]
    for position, part in enumerate(parts):
        if part in _FOLDERS or part == "git~1" or (part.endswith(".git") and position < len(parts) - 1):
            return path.parts[position]
        if part == _OURS and (position + 1 == len(parts) or parts[position + 1] not in _OURS_OPEN):
            return path.parts[position]
    if parts and (parts[-1] in _FILES or path.suffix.casefold() in _SUFFIXES):
        return path.name
    return None
