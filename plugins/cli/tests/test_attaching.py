"""Pictures: scaled when they are attached, refused with a reason, shown to the model once and for the whole session."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as images

from aries_cli.attaching import LONGEST_SIDE, MOST_BYTES, attach, attach_all
from aries_kernel.errors import UserError
from aries_kernel.model.messages import Image
from aries_kernel.testing.wire_server import RecordedRequest, Send, WireReply, WireServer


def saved(path: Path, size: tuple[int, int], mode: str = "RGB", **options: Any) -> Path:
    images.new(mode, size, "red").save(path, **options)
    return path


def opened(image: Image) -> images.Image:
    return images.open(io.BytesIO(base64.b64decode(image.data)))


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp", "a.gif"])
def test_a_small_picture_is_sent_as_it_is(name: str, tmp_path: Path) -> None:
    path = saved(tmp_path / name, (40, 30))
    image = attach(path)
    assert base64.b64decode(image.data) == path.read_bytes()
    assert (image.width, image.height, image.name) == (40, 30, name)
    assert image.media_type == f"image/{'jpeg' if name == 'a.jpg' else name[2:]}"


@pytest.mark.parametrize("size", [(3000, 200), (200, 5000), (4000, 4000), (1569, 10)])
def test_a_large_picture_is_scaled_to_what_every_server_takes(size: tuple[int, int], tmp_path: Path) -> None:
    image = attach(saved(tmp_path / "big.png", size))
    assert max(image.width, image.height) == LONGEST_SIDE
    assert abs(image.width / image.height - size[0] / size[1]) / (size[0] / size[1]) < 0.1
    assert opened(image).size == (image.width, image.height)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_picture_of_many_bytes_becomes_a_small_file(mode: str, tmp_path: Path) -> None:
    size = (1500, 1500)
    noise = random.Random(1).randbytes(size[0] * size[1] * len(mode))
    images.frombytes(mode, size, noise).save(tmp_path / "noise.png")
    assert (tmp_path / "noise.png").stat().st_size > MOST_BYTES
    image = attach(tmp_path / "noise.png")
    assert len(base64.b64decode(image.data)) <= MOST_BYTES
    assert (image.media_type, opened(image).size) == ("image/jpeg", size)


def test_a_form_that_servers_do_not_know_is_written_anew(tmp_path: Path) -> None:
    assert attach(saved(tmp_path / "a.bmp", (20, 10))).media_type == "image/png"
    assert attach(saved(tmp_path / "a.tiff", (20, 10), "CMYK")).media_type == "image/png"


def test_what_a_camera_writes_beside_the_picture_stays_here_and_the_picture_stands_upright(tmp_path: Path) -> None:
    exif = images.Exif()
    exif[0x0112], exif[0x010F] = 6, "a camera of mine"
    image = attach(saved(tmp_path / "photo.jpg", (40, 20), exif=exif))
    assert (image.width, image.height) == (20, 40)
    assert b"a camera of mine" not in base64.b64decode(image.data)
    assert not opened(image).getexif()


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"no picture", "no picture that can be read"), (b"", "no picture that can be read"), (None, "cannot be read")],
)
def test_what_is_no_picture_is_named(content: bytes | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=said):
        attach(path)


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp"])
def test_a_picture_that_breaks_off_is_named_here_and_not_by_a_server(name: str, tmp_path: Path) -> None:
    whole = saved(tmp_path / name, (300, 300)).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(UserError, match="damaged"):
        attach(tmp_path / name)


def test_all_files_that_are_no_pictures_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        attach_all([str(tmp_path / "one.png"), str(saved(tmp_path / "good.png", (1, 1))), str(tmp_path)])
    assert len(str(caught.value).splitlines()) == 2


def answer(_: RecordedRequest) -> WireReply:
    event = {"choices": [{"index": 0, "delta": {"content": "A red square."}, "finish_reason": "stop"}]}
    return WireReply((Send(f"data: {json.dumps(event)}\n\n".encode()),))


async def run(folder: Path, *lines: Sequence[str]) -> tuple[list[tuple[int, str, str]], list[Any]]:
    (folder / ".aries").mkdir(exist_ok=True)
    async with WireServer(answer) as server:
        config = {"providers": {"custom": {"base_url": server.url, "models": {"eyes": {"has_images": True}}}}}
        (folder / ".aries" / "config.yaml").write_text(json.dumps(config), encoding="utf-8")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ARIES_"))}
        done = []
        for line in lines:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "aries_cli", *line, cwd=folder,
                env={**kept, "HOME": str(folder), "USERPROFILE": str(folder)}, stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            out, err = await process.communicate()
            done.append((process.returncode or 0, out.decode(), err.decode()))
        return done, [json.loads(one.body) for one in server.requests]


def test_a_picture_is_shown_and_stays_in_the_session_and_its_data_is_not_printed(tmp_path: Path) -> None:
    data = attach(saved(tmp_path / "shot.png", (30, 20))).data
    first = ("-p", "What is it?", "-m", "custom/eyes", "--image", "shot.png", "--output-format", "stream-json")
    done, bodies = asyncio.run(asyncio.wait_for(run(tmp_path, first, ("-p", "Sure?", "-c")), 60))
    assert [code for code, _, _ in done] == [0, 0], done
    parts = [body["messages"][1]["content"] for body in bodies]
    assert [part["type"] for part in parts[0]] == ["text", "image_url"]
    assert parts[0][1]["image_url"]["url"] == f"data:image/png;base64,{data}"
    assert parts[1] == parts[0]
    assert data not in done[0][1] and "shot.png" in done[0][1]


@pytest.mark.parametrize("line", [("--image", "none.png"), ("-p", "Look.", "-m", "custom/eyes", "--image", "none.png")])
def test_a_picture_that_cannot_be_attached_ends_it_before_anything_is_asked(
    line: Sequence[str], tmp_path: Path
) -> None:
    [(code, _, err)], bodies = asyncio.run(asyncio.wait_for(run(tmp_path, line), 60))
    assert (code, bodies) == (2, [])
    assert ("Traceback" not in err and "prompt" in err) or "none.png" in err
