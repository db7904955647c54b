"""Pictures on their way into a conversation: read, turned upright, made small enough for every server, rid of what a
camera writes beside the picture.

This happens once, when one is attached: what is in a conversation is sent again with each request, and a picture that
a server refuses would make it refuse all of them.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aries_kernel.errors import UserError
from aries_kernel.model.messages import Image

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

__all__ = ["attach", "attach_all"]

LONGEST_SIDE = 1568
"""Pixels; vendors scale down what is larger, and refuse more than 2000 where there are many."""
MOST_BYTES = 3_500_000
"""Of the file; in base64 a third more, where the strictest server takes 5 MB."""
_LARGEST_FILE = 64 * 1024 * 1024
_SENT_AS_IT_IS = ("PNG", "JPEG", "WEBP", "GIF")
_QUALITIES = (85, 70, 50, 30)


def attach_all(paths: Sequence[str]) -> tuple[Image, ...]:
    """The pictures at these paths.

    Raises: UserError that names every file that is none.
    """
    found, problems = [], []
    for path in paths:
        try:
            found.append(attach(Path(path).expanduser()))
        except UserError as error:
            problems.append(str(error))
    if problems:
        raise UserError("\n".join(problems))
    return tuple(found)


def attach(path: Path) -> Image:
    """One picture, scaled where it is large.

    Raises: UserError.
    """
    data = _read(path)
    from PIL import Image as images
    from PIL import ImageOps, UnidentifiedImageError

    try:
        with images.open(io.BytesIO(data)) as opened:
            kind = opened.format or ""
            is_small = max(opened.size) <= LONGEST_SIDE and len(data) <= MOST_BYTES
            if kind in _SENT_AS_IT_IS and is_small and not opened.getexif():
                opened.load()  # A file that breaks off shows itself now, not at the server.
                width, height = opened.size
                return _image(path, f"image/{kind.lower()}", data, width, height)
            upright = ImageOps.exif_transpose(opened)
            upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            media_type, written = _written(upright)
            return _image(path, media_type, written, upright.width, upright.height)
    except UnidentifiedImageError as error:
        raise UserError(f"{path} is no picture that can be read. PNG, JPEG, WebP and GIF can.") from error
    except images.DecompressionBombError as error:
        raise UserError(f"{path} has too many pixels to be opened: {error}.") from error
    except (OSError, ValueError, SyntaxError) as error:
        raise UserError(f"The picture {path} is damaged: {error}.") from error


def _read(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > _LARGEST_FILE:
            raise UserError(f"{path} has {size:,} bytes; a picture may have {_LARGEST_FILE:,}.")
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"The picture {path} cannot be read: {error.strerror or error}.") from error


def _written(picture: Picture) -> tuple[str, bytes]:
    """As PNG, which keeps letters sharp, or as JPEG where that would be too large."""
    plain = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    written = io.BytesIO()
    plain.save(written, "PNG", optimize=True)
    if written.tell() <= MOST_BYTES // 2:
        return "image/png", written.getvalue()
    for quality in _QUALITIES:
        written = io.BytesIO()
        _on_white(plain).save(written, "JPEG", quality=quality, optimize=True)
        if written.tell() <= MOST_BYTES:
            break
    return "image/jpeg", written.getvalue()


def _on_white(picture: Picture) -> Picture:
    if picture.mode != "RGBA":
        return picture
    from PIL import Image as images

    ground = images.new("RGB", picture.size, "white")
    ground.paste(picture, mask=picture.getchannel("A"))
    return ground


def _image(path: Path, media_type: str, data: bytes, width: int, height: int) -> Image:
    return Image(media_type, base64.b64encode(data).decode("ascii"), width, height, path.name)
