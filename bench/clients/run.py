"""Puts the memory into the real clients and looks whether they use it: `python bench/clients/run.py [CLIENT ...]`.

For each client, in a home and a project of its own: `ori bridge CLIENT`, `ori bridge verify CLIENT` (which asks the
client), then a session against a scripted model on loopback that calls `ori_add`. Evidence is what is in the vault and
in the model's requests afterwards, not what the client prints. Needs npm, and two gigabytes for all clients; not in CI.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import asdict, define
from model_server import ModelServer
from packages import PACKAGES, install, search_path

RESULTS = Path(__file__).parents[1] / "results" / "clients.json"
README = Path(__file__).parents[2] / "plugins" / "memory" / "README.md"
SECONDS = 300
_SHOWN = ("client_sees_server", "tool_called", "brief_told", "session_captured")
LISTED = ("codex",)
"""Clients whose command lists the server and does not start it."""
NOTE = "The bridge test wrote this note"
PROMPT = "Remember that the spare key of the workshop is in the blue drawer."
IDENTITY = "I am called Quillon and I answer in short sentences."
KNOWN = {
    "qwen": "a run without a terminal tells no end of the session",
    "codex": "a hook at the end of a session has 3 s, which was not enough on a busy machine",
}


@define
class Row:
    """What one client did."""

    client: str
    version: str
    installed: bool = False
    client_sees_server: bool | None = None
    said: str = ""
    tool_called: bool = False
    brief_told: bool = False
    session_captured: bool = False
    taken_out_whole: bool = False
    remark: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("clients", nargs="*", default=list(PACKAGES), help="otherwise all")
    parser.add_argument("--folder", type=Path, default=Path.home() / ".cache" / "ori-bench-clients")
    parser.add_argument("--show", action="store_true", help="what the clients print")
    given = parser.parse_args()
    rows = []
    for name in given.clients:
        install(given.folder, name)
        with TemporaryDirectory(prefix="ori client ü ") as folder:
            rows.append(_Try(name, given.folder.absolute(), Path(folder), given.show).run())
            print(json.dumps(asdict(rows[-1]), ensure_ascii=False))
    _save(rows)


class _Try:
    """One client in an empty home. The folders have blanks and an umlaut in their names."""

    def __init__(self, name: str, clients: Path, folder: Path, is_shown: bool) -> None:
        self.name, self.is_shown = name, is_shown
        self.home, self.project, self.vault = folder / "home", folder / "project", folder / "my vault"
        self.home.mkdir()
        self.project.mkdir()
        kept = ("LANG", "LC_ALL", "TMPDIR", "TERM", "SYSTEMROOT")
        self.environ = {name: os.environ[name] for name in kept if name in os.environ}
        self.environ |= {"HOME": str(self.home), "PATH": search_path(clients, name, os.environ["PATH"])}
        self.model = ModelServer("ori_add", {"title": NOTE, "content": "It came through the client."})
        self.port = self.model.start()
        self.environ |= _variables(name, self.port)

    def run(self) -> Row:
        row = Row(self.name, PACKAGES[self.name][0].rpartition("@")[2].rpartition("==")[2])
        self._ori("init", str(self.vault))
        (self.vault / "self" / "identity.md").write_text(f"# Identity\n\n{IDENTITY}\n", encoding="utf-8")
        subprocess.run(["git", "init", "-q"], cwd=self.project, env=self.environ, check=True, timeout=60)
        _prepare(self.name, self.home, self.project, self.port)
        before = self._files()
        words = ["bridge", self.name, "--scope", "global", "--activation", "auto", "--vault", str(self.vault)]
        row.installed = self._ori(*words).returncode == 0
        row.taken_out_whole = self._removal(words, before)
        checks = json.loads(self._ori("bridge", "verify", self.name, "--scope", "global", "--json").stdout)["data"]
        check = checks["checks"][-1]
        row.client_sees_server, row.said = check["is_good"], self._without_places(check["detail"])
        self._session(row)
        return row

    def _removal(self, words: list[str], before: dict[Path, bytes]) -> bool:
        """Taken out right after, every file is what it was; then it is put in again for the session."""
        touched = [
            edit["path"] for edit in json.loads(self._ori(*words, "--uninstall", "--json").stdout)["data"]["files"]
        ]
        now = self._files()
        is_whole = all(now.get(Path(path)) == before.get(Path(path)) for path in touched) and bool(touched)
        self._ori(*words)
        return is_whole

    def _session(self, row: Row) -> None:
        command = _session_command(self.name, self.port)
        try:
            done = subprocess.run(
                command,
                cwd=self.project,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
            )
            output = (done.stdout + done.stderr).decode("utf-8", "replace")
        except subprocess.TimeoutExpired as error:
            output = f"no end within {SECONDS} s: {error.stdout!r} {error.stderr!r}"
            row.remark = f"no end within {SECONDS} s"
        if self.is_shown:
            print(output[-6000:])
            print(sorted(self.model.offered), len(self.model.requests))
        texts = {file: file.read_text(encoding="utf-8") for file in self.vault.rglob("*.md")}
        row.tool_called = any(NOTE in text and "It came through the client." in text for text in texts.values())
        row.brief_told = any("Quillon" in request for request in self.model.requests)
        inbox = self.vault / "inbox"
        row.session_captured = self._waits_for(inbox, "blue drawer")
        if not row.session_captured and not row.remark:
            row.remark = KNOWN.get(self.name, "")

    def _waits_for(self, inbox: Path, words: str) -> bool:
        """A client may leave before its last hook is done; the next thing that waits for the vault sees it."""
        for _ in range(20):
            if any(words in file.read_text(encoding="utf-8") for file in inbox.glob("*.md")):
                return True
            self._ori("--vault", str(self.vault), "status")
        return False

    def _without_places(self, text: str) -> str:
        """Where things lie on this machine is nobody's business."""
        for place in (str(self.home.parent), str(Path(sys.prefix))):
            text = text.replace(place, "...")
        return text

    def _files(self) -> dict[Path, bytes]:
        found = [*self.home.rglob("*"), *self.project.rglob("*")]
        return {file: file.read_bytes() for file in found if file.is_file() and ".git" not in file.parts}

    def _ori(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        done = subprocess.run(
            [sys.executable, "-m", "ori_memory", *words],
            cwd=self.project, env=self.environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
        )  # fmt: skip
        if self.is_shown and done.returncode:
            print(words, done.stdout.decode(), done.stderr.decode())
        return done


def _variables(name: str, port: int) -> dict[str, str]:
    url = f"http://127.0.0.1:{port}"
    own: dict[str, dict[str, str]] = {
        "claude-code": {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
        "codex": {"FAKE_KEY": "none"},
        "gemini": {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_CLI_NO_RELAUNCH": "true",
        },
        "qwen": {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "fake-model"},
    }
    # What ori does at the end of a session takes longer on a busy machine than clients usually grant.
    return {"ORI_HOOK_SECONDS": "20", **own.get(name, {})}


def _prepare(name: str, home: Path, project: Path, port: int) -> None:
    """The settings of a person who used the client before: the bridge has to leave them alone."""
    url = f"http://127.0.0.1:{port}/v1"
    if name == "opencode":
        provider: dict[str, Any] = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": url, "apiKey": "none"},
            "models": {"fake-model": {}},
        }
        settings = {
            "model": "fake/fake-model",
            "share": "disabled",
            "autoupdate": False,
            "provider": {"fake": provider},
        }
        file = home / ".config" / "opencode" / "opencode.jsonc"
        file.parent.mkdir(parents=True)
        file.write_text(f"// mine\n{json.dumps(settings, indent=2)}\n", encoding="utf-8")
    if name == "gemini":
        file = home / ".gemini" / "settings.json"
        file.parent.mkdir(parents=True)
        file.write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}', encoding="utf-8")
    if name == "hermes":
        file = home / ".hermes" / "config.yaml"
        file.parent.mkdir(parents=True)
        # Hermes waits 1.5 s for servers before the first question; on a busy machine all takes longer.
        model = f"model:\n  default: fake-model\n  provider: custom\n  base_url: {url}\n  api_key: none  # local\n"
        file.write_text(f"# mine\nmcp_discovery_timeout: 60\n{model}", encoding="utf-8")


def _session_command(name: str, port: int) -> list[str]:
    provider = f'{{name="fake",base_url="http://127.0.0.1:{port}/v1",env_key="FAKE_KEY",wire_api="responses"}}'
    return {
        "claude-code": [
            "claude", "-p", PROMPT, "--output-format", "stream-json", "--verbose", "--model", "claude-sonnet-4-5",
            "--allowedTools", "mcp__ori__ori_add",
        ],
        "codex": [
            "codex", "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-m", "fake-model",
            "-c", "model_provider=fake", "-c", f"model_providers.fake={provider}",
            "-c", "mcp_servers.ori.required=true", "-c", 'mcp_servers.ori.default_tools_approval_mode="approve"',
            PROMPT,
        ],
        "opencode": ["opencode", "run", "--format", "json", PROMPT],
        "gemini": ["gemini", "-p", PROMPT, "-o", "stream-json", "--approval-mode", "yolo"],
        "qwen": ["qwen", PROMPT, "-o", "stream-json", "--approval-mode", "yolo"],
        "hermes": ["hermes", "--accept-hooks", "chat", "-q", PROMPT, "-Q"],
    }[name]  # fmt: skip


def _save(rows: list[Row]) -> None:
    """Rows of clients that were not tried now stay."""
    old = json.loads(RESULTS.read_text(encoding="utf-8"))["clients"] if RESULTS.exists() else []
    known = {row["client"]: row for row in old} | {row.client: asdict(row) for row in rows}
    data = {
        "what": "ori bridge in real clients, against a scripted model on loopback; see bench/clients/run.py",
        "python": platform.python_version(),
        "system": platform.system(),
        "clients": [known[name] for name in PACKAGES if name in known],
    }
    RESULTS.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    head, _, rest = text.partition("<!-- clients -->\n")
    README.write_text(
        f"{head}<!-- clients -->\n{_table(data['clients'])}<!-- end -->{rest.partition('<!-- end -->')[2]}",
        encoding="utf-8",
    )


def _table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| client | version | it sees the server | calls a tool | is told the brief | gives its session | remark |"
    ]
    lines.append("| --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        marks = ["yes" if row[key] else "no" for key in _SHOWN]
        if row["client"] in LISTED and row["client_sees_server"]:
            marks[0] = "listed"
        lines.append(f"| {' | '.join([row['client'], row['version'], *marks, row['remark']])} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
