"""Small graphs in a line of text, and the real vaults where they are there."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import signal
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import LinkWeights, NoteGraph
from ori_memory.links.resolving import NamedNote, Resolver
from ori_memory.model import NoteRecord
from ori_memory.notes.parsing import parse_note

Make = Callable[..., NoteGraph]

# Python before 3.11.4 knows no filters.
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def note(name: str, **more: object) -> NoteRecord:
    return NoteRecord(id=f"id-{name}", path=name, title=name, **more)  # type: ignore[arg-type]


def edges_of(text: str) -> list[Edge]:
    """`a>b a~c`: a links to b, the text of a mentions c."""
    kinds = {">": "wiki", "~": "suggested", "!": "embed"}
    words = [(word, next(sign for sign in kinds if sign in word)) for word in text.split()]
    return [Edge(*word.split(sign), kinds[sign]) for word, sign in words]


@pytest.fixture
def make() -> Make:
    def build(text: str, extra: str = "", weights: LinkWeights | None = None) -> NoteGraph:
        edges = edges_of(text)
        names = {name for edge in edges for name in edge[:2]} | set(extra.split())
        return NoteGraph.build([note(name) for name in names], edges, weights)

    return build


@pytest.fixture
def read_vault(tmp_path: Path) -> Callable[[str], tuple[list[NoteRecord], list[Edge]]]:
    """Notes and links of a real vault, by the name of its archive."""

    def read(name: str) -> tuple[list[NoteRecord], list[Edge]]:
        given = os.environ.get("ORI_TEST_VAULTS")
        places = [Path(given)] if given else [up / "shared/data/vaults" for up in Path(__file__).resolve().parents]
        archive = next((place / f"{name}.tar.gz" for place in places if (place / f"{name}.tar.gz").exists()), None)
        if archive is None:
            pytest.skip(f"no vault {name} here: set ORI_TEST_VAULTS to the folder that holds {name}.tar.gz")
        with tarfile.open(archive) as tar:
            tar.extractall(tmp_path, **SAFELY)
        parsed = {
            file.relative_to(tmp_path).as_posix(): parse_note(file.read_text("utf-8", "replace"), file.stem)
            for file in sorted(tmp_path.rglob("*.md"))
        }
        resolver = Resolver.of(NamedNote(path, one.title, one.aliases) for path, one in parsed.items())
        edges = [
            Edge(path, target, link.kind.value)
            for path, one in parsed.items()
            for link in one.links
            if (target := resolver.resolve(link, path).path) is not None
        ]
        return [NoteRecord(id=path, path=path, title=one.title) for path, one in parsed.items()], edges

    return read


class Page:
    """One page in a headless Chromium, driven over the DevTools pipe (no port, no library)."""

    def __init__(self, program: str, url: str, width: int, height: int, scheme: str = "dark") -> None:
        command, answers = os.pipe(), os.pipe()
        self._profile = tempfile.TemporaryDirectory(prefix="ori-chromium-", ignore_cleanup_errors=True)
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--enable-unsafe-swiftshader", "--no-first-run"]
        options += [
            "--remote-debugging-pipe",
            f"--user-data-dir={self._profile.name}",
            "--disable-background-networking",
        ]
        # Chromium reads commands from descriptor 3 and answers on 4.
        script = f'exec "$@" 3<&{command[0]} 4>&{answers[1]}'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "bash", program, *options, "about:blank"],
            pass_fds=(command[0], answers[1]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(command[0])
        os.close(answers[1])
        self._out, self._in = os.fdopen(command[1], "wb", buffering=0), answers[0]
        self._rest, self._number, self._session = b"", 0, ""
        self.events: list[dict[str, Any]] = []
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(info["targetId"] for info in targets if info["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())
        self.wait("document.documentElement.dataset.state === 'ready'")

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return dict(answer["result"])
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            assert select.select([self._in], [], [], 60)[0], "chromium does not answer"
            got = os.read(self._in, 1 << 20)
            assert got, "chromium ended"
            self._rest += got
        line, self._rest = self._rest.split(b"\0", 1)
        return dict(json.loads(line))

    def ask(self, expression: str) -> Any:
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait(self, condition: str) -> None:
        """Until the page says so, asked at each of its frames."""
        self.ask(
            f"new Promise((done, fail) => {{ let left = 3000; const look = () => {{ if ({condition}) done(1);"
            "else if (--left) setTimeout(look, 10); else fail(Error('waited in vain')); }; look(); })"
        )

    def settle(self) -> None:
        """Until what was asked for is drawn and the picture stands still."""
        self.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        self.wait("document.documentElement.dataset.still === 'true'")

    def key(self, key: str, text: str = "") -> None:
        more = {"text": text} if text else {}
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=codes.get(key, 0), **more)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def mouse(self, kind: str, x: float, y: float, **more: object) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def picture(self) -> bytes:
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, exceptions, and requests that leave the page."""
        return [text for event in self.events if (text := _complaint(event.get("method", ""), event.get("params", {})))]

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=30)
        self._out.close()
        os.close(self._in)
        self._profile.cleanup()


def _complaint(method: str, parameters: dict[str, Any]) -> str:
    if method == "Runtime.exceptionThrown":
        return json.dumps(parameters)
    if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
        return json.dumps(parameters)
    # The driver's own remarks on speed come from a machine without a graphics card.
    if method == "Log.entryAdded" and "GL Driver Message" not in parameters["entry"]["text"]:
        return json.dumps(parameters)
    if method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith("file:"):
        return str(parameters["request"]["url"])
    return ""


@pytest.fixture
def open_page(tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Opens a page's text as a file in Chromium, 1200 by 800 unless told."""
    program = next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := which(name))), None
    )
    if program is None or os.name != "posix" or which("bash") is None:
        pytest.skip("no chromium here to draw the page with")
    pages: list[Page] = []

    def open_text(text: str, address: str = "", width: int = 1200, height: int = 800, scheme: str = "dark") -> Page:
        file = tmp_path / f"page{len(pages)}.html"
        file.write_text(text, encoding="utf-8")
        pages.append(Page(program, file.as_uri() + address, width, height, scheme))
        return pages[-1]

    yield open_text
    for page in pages:
        page.close()
