"""The process in the background, the commands, and what they say where it cannot work."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from ori_memory.vault.finding import open_vault
from ori_memory.vault.vault import CONFIG_NAME, Vault
from ori_memory.vectors.background import background_reason, complete_in_background, start_in_background
from ori_memory.vectors.coverage import coverage
from ori_memory.vectors.filling import fill
from ori_memory.vectors.working import problem, stop_worker, worker, working

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def environ(tmp_path: Path, place: Any) -> dict[str, str]:
    """Where the plugin `hashed-words` is installed, and the vault of `place` names it."""
    info = tmp_path / "site" / "hashed_words-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.4\nName: hashed-words\nVersion: 1.0\n", encoding="utf-8")
    points = "[ori.embedders]\nhashed = hashed_words:HashedWords\nbroken = hashed_words:Failing\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    settings(place, embedder="hashed")
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("ORI_", "XDG_"))}
    home = {"HOME": str(tmp_path / "home"), "USERPROFILE": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path)}
    return {**keep, **home, "PYTHONPATH": os.pathsep.join([str(info.parent), str(Path(__file__).parent)])}


def settings(place: Any, **values: Any) -> Vault:
    (place.vault.root / CONFIG_NAME).write_text(json.dumps({"embedding": values}), encoding="utf-8")
    return open_vault(place.vault.root)


@pytest.fixture
def ori(place: Any, environ: dict[str, str]) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ori_memory", "--vault", str(place.vault.root), *arguments]
        return subprocess.run(command, env=environ, capture_output=True, encoding="utf-8", timeout=60)

    return run


def data(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)["data"]


def embed_there(place: Any, environ: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """As the background does, but waited for."""
    command = [sys.executable, "-P", "-m", "ori_memory.vectors", str(place.vault.root)]
    return subprocess.run(command, env=environ, capture_output=True, timeout=60)


def eventually(is_so: Callable[[], bool]) -> None:
    """Wait for what another process does; a minute is for a machine that is very busy."""
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        os.sched_yield() if hasattr(os, "sched_yield") else None


class TestInTheBackground:
    def test_it_embeds_what_is_missing_and_ends(self, place: Any, environ: dict[str, str]) -> None:
        place.write("notes/tea.md", "Brewed at 80 degrees.")
        done = embed_there(place, environ)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert place.load().covered == len(place.vectors()) and worker(place.vault.state_folder) is None

    def test_it_is_started_without_being_waited_for(self, place: Any, environ: dict[str, str]) -> None:
        place.write("notes/tea.md", "Brewed at 80 degrees.")
        assert start_in_background(open_vault(place.vault.root), environ) == ""
        eventually(lambda: place.vault.index_path.exists() and not isinstance(place.load(), str))
        eventually(lambda: worker(place.vault.state_folder) is None)

    def test_its_failure_is_kept_and_not_repeated_at_once(self, place: Any, environ: dict[str, str]) -> None:
        vault = settings(place, embedder="broken")
        assert embed_there(place, environ).returncode == 1
        failed = problem(vault.state_folder)
        assert failed is not None and "broken" in failed.reason
        assert background_reason(vault, {}).startswith("it failed a moment ago: ")
        assert background_reason(vault, {}, now=failed.at + 601) == ""
        fill(place.vault, place.embedder)
        assert problem(vault.state_folder) is None

    def test_wrong_options_are_a_failure_with_the_nearest_known_one(self, place: Any, environ: dict[str, str]) -> None:
        vault = settings(place, embedder="hashed", options={"hashed": {"versoin": "2"}})
        assert embed_there(place, environ).returncode == 1
        failed = problem(vault.state_folder)
        assert failed is not None and "embedding.options.hashed.versoin" in failed.reason
        assert "Did you mean 'version'?" in failed.reason

    def test_a_vault_that_is_no_more_is_no_failure(self, place: Any, environ: dict[str, str], tmp_path: Path) -> None:
        place.vault.root.rename(tmp_path / "elsewhere")
        assert embed_there(place, environ).returncode == 1
        assert not place.vault.root.exists()

    def test_reasons_not_to_start(self, place: Any) -> None:
        def reason(environ: dict[str, str] | None = None, **values: Any) -> str:
            changed = attrs.evolve(place.vault.config.embedding, **values)
            vault = attrs.evolve(place.vault, config=attrs.evolve(place.vault.config, embedding=changed))
            return background_reason(vault, environ or {})

        assert reason({"ORI_NO_BACKGROUND": "1"}) == "ORI_NO_BACKGROUND is set"
        assert "switched off" in reason(background=False) and "no embedder" in reason(embedder="")
        assert reason({"ORI_NO_BACKGROUND": "0"}) == reason() == ""
        with working(place.vault.state_folder):
            assert reason() == "it is under way"

    def test_an_answer_says_what_it_did_without(self, place: Any) -> None:
        place.write("notes/tea.md", "Brewed at 80 degrees.")
        environ = {"ORI_NO_BACKGROUND": "1"}
        told = complete_in_background(place.vault, "no note is embedded yet", 7, environ)
        assert told.startswith("0 of 7 notes can be found by what they mean so far: ORI_NO_BACKGROUND is set.")
        fill(place.vault, place.embedder)
        found = place.load()
        assert complete_in_background(place.vault, found, found.covered, environ) == ""
        with working(place.vault.state_folder):
            told = complete_in_background(place.vault, found, found.covered + 1, {})
        assert told.endswith("; the others are being embedded in the background.")


class TestCommands:
    def test_embed_then_status(self, place: Any, ori: Run) -> None:
        place.write("notes/tea.md", "Brewed at 80 degrees.")
        before = data(ori("index", "status"))["embedding"]
        assert data(ori("index", "embed"))["left"] == 0
        after = data(ori("index", "status"))["embedding"]
        assert (before["covered"], after["missing"], after["stale"]) == (0, 0, 0)
        assert after["covered"] and after["passages"] and after["fingerprint"] == "hashed-words:1"
        assert after["size"] > 0 and after["process"] is None and after["problem"] == ""
        assert data(ori("index", "embed", "--force"))["embedded"] == after["passages"]
        assert f"{after['covered']} notes up to date, 0 stale, 0 missing" in ori("index", "status", "--text").stdout

    def test_no_time_does_nothing_and_says_what_is_left(self, place: Any, ori: Run) -> None:
        place.write("notes/tea.md", "Brewed at 80 degrees.")
        report = data(ori("index", "embed", "--limit-seconds", "0"))
        assert report["left"] and report["stopped"] == "0 s are over" and report["embedded"] == 0

    def test_without_the_plugin_that_is_told(self, place: Any, ori: Run) -> None:
        settings(place, embedder="hashd")
        done = ori("index", "embed")
        assert done.returncode == 2 and "no embedder 'hashd'" in done.stderr and "'hashed'?" in done.stderr
        [row] = [one for one in data(ori("doctor")) if one["what"] == "embedder"]
        assert row["grade"] == "note" and "hashd" in row["text"]

    def test_doctor_says_that_the_embedder_works(self, ori: Run) -> None:
        [row] = [one for one in data(ori("doctor")) if one["what"] == "embedder"]
        assert row == {"grade": "ok", "what": "embedder", "text": "hashed-words:1, 16 numbers a passage"}

    def test_stop_with_nobody_at_work(self, ori: Run) -> None:
        assert data(ori("index", "embed", "--stop")) == {"process": None}
        assert ori("index", "embed", "--stop", "--force").returncode == 2


SLOW = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from hashed_words import HashedWords
import ori_memory.vectors.__main__ as process

class Waiting(HashedWords):
    def embed_passages(self, texts):
        if not getattr(self, "told", False):
            print("at it", flush=True)
        self.told = True
        return super().embed_passages(texts)

process.load_embedder = lambda vault: Waiting()
forever = process.fill
def fill(vault, embedder, **more):
    while True:
        report = forever(vault, embedder, force=True, **more)
        if report.stopped:
            return report
process.fill = fill
sys.exit(process.main(Path(sys.argv[2])))
"""


class TestStopping:
    @pytest.fixture
    def endless(self, place: Any) -> Iterator[subprocess.Popen[bytes]]:
        for number in range(200):
            place.write(f"notes/{number}.md", f"Number {number}.")
        command = [sys.executable, "-c", SLOW, str(Path(__file__).parent), str(place.vault.root)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline() == b"at it\n"
            yield process
            process.kill()

    @pytest.mark.skipif(os.name != "posix", reason="Windows has no such signal")
    def test_a_signal_ends_it_after_a_step(self, place: Any, endless: subprocess.Popen[bytes]) -> None:
        endless.send_signal(signal.SIGTERM)
        assert endless.wait(60) == 0
        fill(place.vault, place.embedder)
        assert place.load().stale == 0

    def test_it_ends_when_asked(self, place: Any, endless: subprocess.Popen[bytes]) -> None:
        assert coverage(place.vault).process == endless.pid
        assert stop_worker(place.vault.state_folder, 60) == endless.pid
        assert endless.wait(60) == 0

    def test_it_ends_when_the_vault_goes(self, place: Any, endless: subprocess.Popen[bytes]) -> None:
        (place.vault.state_folder / "vault.json").unlink()
        assert endless.wait(60) in (0, 1)
        assert not coverage(place.vault).process
