"""HTML as markdown. Run as a program of its own: `python -m aries_tool_web.markdown SECONDS`, HTML in, JSON out.

A page is a stranger's work. What it makes a parser do ends with the process that does it.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from aries_tool_web.cleaning import cleaned

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

__all__ = ["converted", "main"]

_MARKED_SECTION = re.compile(r"<!\[[^>]*>?")
_TAG = re.compile(r"<[^<>]*>")
_CALLED = {"default": "", "none": "", "text": "", "notranslate": "", "python3": "python", "pycon": "python"}
_MEMORY = 2 * 2**30
_FEW = 200
"""Characters; a page with programs and less text than this is made by them."""


def converted(html: str, url: str) -> dict[str, Any]:
    """`title`, `text` and `notes` of a page that was found at `url`; for every text there is."""
    from bs4 import BeautifulSoup
    from bs4.exceptions import ParserRejectedMarkup

    try:
        # The parser of the standard library stops at these, which browsers take for comments.
        page = BeautifulSoup(_MARKED_SECTION.sub("", html), "html.parser")
    except ParserRejectedMarkup:
        return {"title": "", "text": _tidied(_TAG.sub("", html)), "notes": ["broken HTML; its bare text is shown"]}
    title = _title(page)
    programs = len(page.find_all("script"))
    has_password = page.find("input", attrs={"type": "password"}) is not None
    sends_to = _refresh(page)
    part = cleaned(page, url)
    notes = []
    try:
        text = _markdown(part)
    except RecursionError:
        text = "\n".join(line for line in part.get_text("\n").splitlines() if line.strip())
        notes.append("too deeply nested for markdown; its bare text is shown")
    text = _tidied(text)
    if len(text) < _FEW and has_password:
        notes.append("it looks like a login page")
    elif len(text) < _FEW and programs:
        notes.append("there is little text in it: programs in the page, which are not run, may bring the rest")
    if sends_to and len(text) < _FEW:
        notes.append(f"it sends browsers on to {sends_to}")
    return {"title": title, "text": text, "notes": notes}


def _markdown(part: Tag) -> str:
    from markdownify import ATX, MarkdownConverter

    converter = MarkdownConverter(
        heading_style=ATX,
        bullets="-",
        escape_asterisks=False,
        escape_underscores=False,
        escape_misc=False,
        code_language_callback=_language,
        table_infer_header=True,
    )
    return str(converter.convert_soup(part))


def _language(pre: Tag) -> str:
    """The language that a block of code is marked with, on it, in it or around it."""
    inside = pre.find("code")
    around = pre.parent
    for tag in (pre, inside, around, around.parent if around is not None else None):
        for name in _classes(tag):
            for start in ("language-", "lang-", "highlight-source-", "highlight-"):
                if name.startswith(start) and name[len(start) :].isalnum():
                    found = name[len(start) :].lower()
                    return _CALLED.get(found, found)
    return "rust" if "rust" in _classes(pre) else ""


def _classes(tag: Any) -> list[str]:
    found = tag.get("class") if tag is not None and hasattr(tag, "get") else None
    return [found] if isinstance(found, str) else list(found or ())


def _title(page: BeautifulSoup) -> str:
    for tag in (page.title, page.find("h1")):
        text = " ".join(tag.get_text(" ").split()) if tag is not None else ""
        if text:
            return text[:300]
    return ""


def _refresh(page: BeautifulSoup) -> str:
    for tag in page.find_all("meta", attrs={"http-equiv": True}):
        if str(tag.get("http-equiv")).lower() == "refresh":
            return str(tag.get("content") or "").partition("=")[2].strip("'\" ")[:300]
    return ""


def _tidied(text: str) -> str:
    """Without spaces at line ends and without more than one empty line in a row, outside of code."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        bare = line.strip()
        if fence or bare.startswith("```"):
            ticks = bare[: len(bare) - len(bare.lstrip("`"))]
            fence = ticks if not fence else "" if bare == fence else fence
            lines.append(line.rstrip())
        elif bare or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).strip()


def _end_with(parent: int, seconds: float) -> None:
    """End this process where nobody waits for it any more: whoever started it is gone, or its time is over."""
    end = time.monotonic() + seconds
    while os.getppid() == parent and time.monotonic() < end:
        time.sleep(0.2)
    os._exit(1)


def main() -> None:
    """Convert standard input, a line of JSON with the address, then the page, within so many seconds."""
    threading.Thread(target=_end_with, args=(os.getppid(), float(sys.argv[1])), daemon=True).start()
    if sys.platform == "linux":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY if most < 0 else min(_MEMORY, most), most))
    url, _, html = sys.stdin.buffer.read().decode("utf-8", "replace").partition("\n")
    sys.stdout.buffer.write(json.dumps(converted(html, json.loads(url))).encode("utf-8"))


if __name__ == "__main__":
    main()
