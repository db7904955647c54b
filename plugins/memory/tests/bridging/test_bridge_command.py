"""`ori bridge` as a person runs it, in a home and a project of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen


@frozen
class Machine:
    """A home with a vault, and a project, both with odd names."""

    home: Path
    project: Path
    path: str = os.environ["PATH"]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        environ = {name: value for name, value in os.environ.items() if not name.startswith(("ORI_", "XDG_", "CODEX"))}
        environ |= {"HOME": str(self.home), "USERPROFILE": str(self.home), "PATH": self.path}
        environ |= {"LOCALAPPDATA": str(self.home / "local"), "APPDATA": str(self.home / "roaming")}
        return subprocess.run(
            [sys.executable, "-m", "ori_memory", *words],
            cwd=self.project, env=environ, capture_output=True, encoding="utf-8", timeout=120, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def json(self, *words: str) -> Any:
        done = self.run(*words, "--json")
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def files(self) -> dict[str, bytes]:
        found = [*self.home.rglob("*"), *self.project.rglob("*")]
        kept = ("state", "cache", "local", ".ori-memory")
        return {
            str(path): path.read_bytes()
            for path in found
            if path.is_file() and not any(part.strip(".") in kept or part in kept for part in path.parts[-8:])
        }


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    home, project = tmp_path / "zoë's house", tmp_path / "a project ü"
    home.mkdir()
    project.mkdir()
    return Machine(home, project)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "{}",
        "{ }\n",
        '{"mcpServers": {}}',
        '{"mcpServers": {\n}}\n',
        "// only this\n",
        "\ufeff{}",
        '{"a":1}\r\n',
    ],
)
def test_install_and_uninstall_give_back_the_very_bytes(machine: Machine, text: str) -> None:
    file = machine.project / ".mcp.json"
    file.write_bytes(text.encode())
    before = machine.files()
    assert machine.json("bridge", "claude-code")["data"]["mutation"] == "installed"
    assert machine.json("bridge", "claude-code")["data"]["mutation"] == "noop"
    assert machine.json("bridge", "claude-code", "--uninstall")["data"]["mutation"] == "uninstalled"
    assert machine.files() == before
    assert machine.json("bridge", "claude-code", "--uninstall")["data"]["mutation"] == "noop"
    assert [path.name for path in machine.project.iterdir()] == [".mcp.json"]


@pytest.mark.parametrize(
    ("client", "own"),
    [
        ("hermes", {".hermes/config.yaml": "a: 1\n"}),
        ("opencode", {".config/opencode/opencode.jsonc": "{}\n"}),
        ("codex", {".codex/hooks.json": "{}"}),
        ("cursor", {".cursor/hooks.json": "{ }\n"}),
        ("claude-code", {".claude/settings.json": '{"hooks": {}}', ".claude.json": "{}"}),
    ],
)
def test_another_activation_between_leaves_no_file_and_no_folder(
    machine: Machine, client: str, own: dict[str, str]
) -> None:
    for name, text in own.items():
        (machine.home / name).parent.mkdir(parents=True, exist_ok=True)
        (machine.home / name).write_text(text, encoding="utf-8")
    before = (machine.files(), _folders(machine))
    for activation in ("auto", "manual", "auto", "manual"):
        assert machine.run("bridge", client, "--scope", "global", "--activation", activation).returncode == 0
    assert machine.json("bridge", client, "--scope", "global", "--uninstall")["data"]["mutation"] == "uninstalled"
    assert (machine.files(), _folders(machine)) == before


def _folders(machine: Machine) -> list[str]:
    """Of clients alone: caches and the vault are ours."""
    ours = (".local", ".cache", ".ori-memory", "local", "roaming")
    found = [path.relative_to(machine.home) for path in machine.home.rglob("*") if path.is_dir()]
    return sorted(str(path) for path in found if path.parts[0] not in ours)


def test_a_change_of_the_person_between_stays_and_old_bytes_do_not_come_back(machine: Machine) -> None:
    file = machine.project / ".mcp.json"
    file.write_text('{\n  "mcpServers": {}\n}\n', encoding="utf-8")
    machine.run("bridge", "claude-code")
    text = file.read_text(encoding="utf-8").replace('"mcpServers": {', '"mcpServers": {\n    "mine": {},', 1)
    file.write_text(text, encoding="utf-8")
    machine.run("bridge", "claude-code", "--activation", "manual")
    machine.run("bridge", "claude-code", "--uninstall")
    assert json.loads(file.read_text(encoding="utf-8")) == {"mcpServers": {"mine": {}}}


def test_a_dry_run_shows_the_change_and_writes_nothing(machine: Machine) -> None:
    before = machine.files()
    done = machine.run("bridge", "codex", "--dry-run", "--text", "--scope", "global")
    assert "+[mcp_servers.ori]" in done.stdout and done.returncode == 0
    assert machine.files() == before and not (machine.home / ".ori-memory").exists()


def test_a_backup_holds_what_a_file_was(machine: Machine) -> None:
    (machine.project / "AGENTS.md").write_text("Mine.", encoding="utf-8")
    (backup,) = machine.json("bridge", "codex")["data"]["backups"]
    assert Path(backup).read_text(encoding="utf-8") == "Mine."
    assert not Path(backup).is_relative_to(machine.project)
    if os.name == "posix":
        assert Path(backup).stat().st_mode & 0o077 == 0


def test_a_file_that_cannot_be_parsed_stops_all_of_it_with_its_place(machine: Machine) -> None:
    file = machine.project / ".claude" / "settings.local.json"
    file.parent.mkdir()
    file.write_text('{"hooks": \n oops}', encoding="utf-8")
    before = machine.files()
    done = machine.run("bridge", "claude-code", "--text")
    assert done.returncode == 2 and f"{file}:2:2: " in done.stderr and "Traceback" not in done.stderr
    assert machine.files() == before


def test_the_servers_of_a_stranger_that_are_called_like_ours_are_left(machine: Machine) -> None:
    file = machine.project / ".mcp.json"
    file.write_text('{"mcpServers": {"ori": {"command": "theirs"}}}', encoding="utf-8")
    done = machine.run("bridge", "claude-code", "--text")
    assert done.returncode == 2 and "does not start ori" in done.stderr
    machine.run("bridge", "claude-code", "--uninstall")
    assert "theirs" in file.read_text(encoding="utf-8")


def test_the_vault_is_the_one_named_else_the_projects_else_none(machine: Machine, tmp_path: Path) -> None:
    none = machine.json("bridge", "cursor", "--dry-run")
    assert none["data"]["vault"] is None and "when it starts" in none["warnings"][0]
    machine.run("init", str(machine.project))
    assert machine.json("bridge", "cursor", "--dry-run")["data"]["vault"] == machine.project.resolve().as_posix()
    named = tmp_path / "elsewhere é"
    machine.run("init", str(named))
    assert machine.json("bridge", "cursor", "--vault", str(named), "--dry-run")["data"]["vault"] == named.as_posix()
    assert machine.run("bridge", "cursor", "--vault", str(tmp_path / "no")).returncode == 2


def test_everywhere_means_the_global_vault_which_is_made_where_there_is_none(machine: Machine) -> None:
    answer = machine.json("bridge", "cursor", "--scope", "global")
    assert answer["data"]["vault"] == (machine.home / ".ori-memory").as_posix()
    assert (machine.home / ".ori-memory" / ".ori" / "vault.json").is_file() and "new vault" in answer["warnings"][0]


def test_a_project_is_in_force_before_everywhere(machine: Machine) -> None:
    machine.run("bridge", "cursor", "--scope", "global")
    machine.run("bridge", "cursor")
    rows = {row["scope"]: row for row in machine.json("bridge", "status", "cursor")["data"]}
    assert rows["project"]["is_in_force"] and not rows["global"]["is_in_force"]
    assert rows["global"]["state"]["is_installed"]
    assert "in force" in machine.run("bridge", "status", "--text").stdout


def test_a_client_without_projects_is_configured_everywhere(machine: Machine) -> None:
    assert machine.json("bridge", "windsurf")["data"]["scope"] == "global"
    done = machine.run("bridge", "windsurf", "--scope", "project", "--text")
    assert done.returncode == 2 and "global only" in done.stderr


def test_a_file_that_comes_later_and_is_read_first_takes_over(machine: Machine) -> None:
    (machine.project / "AGENTS.md").write_text("Mine.\n", encoding="utf-8")
    machine.run("bridge", "claude-code")
    machine.run("bridge", "opencode")
    assert not (machine.project / "CLAUDE.md").exists()
    (machine.project / "CLAUDE.md").write_text("Mine too.\n", encoding="utf-8")
    (machine.project / "opencode.jsonc").write_text("{}", encoding="utf-8")
    machine.run("bridge", "claude-code")
    machine.run("bridge", "opencode")
    assert "ori_add" in (machine.project / "CLAUDE.md").read_text(encoding="utf-8")
    assert "start opencode (" in (machine.project / "AGENTS.md").read_text(encoding="utf-8")
    assert not (machine.project / "opencode.json").exists()
    machine.run("bridge", "opencode", "--uninstall")
    machine.run("bridge", "claude-code", "--uninstall")
    assert (machine.project / "AGENTS.md").read_text(encoding="utf-8") == "Mine.\n"
    assert (machine.project / "CLAUDE.md").read_text(encoding="utf-8") == "Mine too.\n"


def test_a_removal_at_the_wrong_scope_says_where_it_is(machine: Machine) -> None:
    machine.run("bridge", "cursor", "--scope", "global")
    assert "--scope global" in machine.json("bridge", "cursor", "--uninstall")["warnings"][0]


def test_without_a_name_the_clients_are_told(machine: Machine) -> None:
    done = machine.run("bridge", "--text")
    assert done.returncode == 2 and "claude-code, cline, codex" in done.stderr


def test_an_unknown_client_is_told_with_those_that_are_known(machine: Machine) -> None:
    done = machine.run("bridge", "claude-cod", "--text")
    assert done.returncode == 2 and "Did you mean 'claude-code'?" in done.stderr


def test_verify_starts_the_server_that_is_written_there_and_asks_the_client(machine: Machine) -> None:
    folder = machine.home / "programs"
    folder.mkdir()
    program = folder / "claude"
    program.write_text('#!/bin/sh\necho "ori: /x/ori serve --mcp - ✔ Connected"\n', encoding="utf-8")
    program.chmod(0o755)
    machine = Machine(machine.home, machine.project, f"{folder}{os.pathsep}{machine.path}")
    assert machine.run("bridge", "verify", "claude-code", "--text").returncode == 1
    machine.run("init", str(machine.project))
    machine.run("bridge", "claude-code")
    checks = {one["name"]: one for one in machine.json("bridge", "verify", "claude-code")["data"]["checks"]}
    assert checks["installed"]["is_good"] and checks["server answers"]["detail"].startswith("ori ")
    if shutil.which("sh"):
        assert checks["claude mcp list"]["is_good"]
        program.write_text('#!/bin/sh\necho "ori: /x/Connected - ✘ Failed to connect"\n', encoding="utf-8")
        assert machine.run("bridge", "verify", "claude-code").returncode == 1


def test_a_server_that_is_gone_is_told(machine: Machine) -> None:
    machine.run("bridge", "cursor")
    file = machine.project / ".cursor" / "mcp.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["mcpServers"]["ori"]["command"] = str(machine.home / "gone" / "ori")
    file.write_text(json.dumps(data), encoding="utf-8")
    done = machine.run("bridge", "verify", "cursor", "--text")
    assert done.returncode == 1 and "is not there" in done.stdout


def test_a_program_of_somebody_else_is_not_started(machine: Machine, tmp_path: Path) -> None:
    machine.run("bridge", "cursor")
    program = tmp_path / "ori"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'started'}'\n", encoding="utf-8")
    program.chmod(0o755)
    file = machine.project / ".cursor" / "mcp.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["mcpServers"]["ori"]["command"] = str(program)
    file.write_text(json.dumps(data), encoding="utf-8")
    assert "was not started" in machine.run("bridge", "verify", "cursor", "--text").stdout
    assert not (tmp_path / "started").exists()


def test_generic_shows_what_to_write_and_writes_nothing(machine: Machine) -> None:
    before = machine.files()
    done = machine.run("bridge", "generic", "--text")
    assert '"mcpServers"' in done.stdout and machine.files() == before


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_link_to_itself_and_a_file_that_is_kept_read_only_are_told_and_left(machine: Machine) -> None:
    file = machine.project / ".mcp.json"
    file.symlink_to(file)
    done = machine.run("bridge", "claude-code")
    assert done.returncode == 2 and f"{file} is a link that leads to itself" in done.stderr
    assert machine.json("bridge", "status", "claude-code")["success"]
    file.unlink()
    file.write_text("{}", encoding="utf-8")
    file.chmod(0o444)
    before = machine.files()
    done = machine.run("bridge", "claude-code")
    assert done.returncode == 2 and f"{file} is read-only" in done.stderr
    assert machine.files() == before


def test_a_link_is_followed_and_stays_one(machine: Machine) -> None:
    kept = machine.home / "dotfiles.json"
    kept.write_text('{"a": 1}', encoding="utf-8")
    (machine.project / ".mcp.json").symlink_to(kept)
    machine.run("bridge", "claude-code")
    assert (machine.project / ".mcp.json").is_symlink() and "ori" in kept.read_text(encoding="utf-8")
    machine.run("bridge", "claude-code", "--uninstall")
    assert kept.read_text(encoding="utf-8") == '{"a": 1}'
