"""The names a note answers to, and the keys a link's target is looked up by. Both are plain texts, fit for a table."""

from __future__ import annotations

import functools
import re

from aries_kernel.values import frozen
from ori_memory.model import Link, LinkKind
from ori_memory.notes.naming import comparable, is_simple, slug, stem_of
from ori_memory.notes.titling import page_of, speaks_for_folder

__all__ = [
    "NamedNote",
    "block_target",
    "day_key",
    "folder_spoken_for",
    "is_attachment",
    "join_path",
    "keys_for",
    "keys_of",
    "mentionable_names",
    "names_in_texts",
    "names_of",
    "without_article",
    "without_ending",
]

_QUALIFIED = re.compile(r"(\S(?:.*\S)?)\s*\([^()]*\)")
_ARTICLE = re.compile(r"(?:the|an?|de[rn]|das|l[ae]s?|el|los|il)[ _-](?=[^\W_]+[ _-]+\w)", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_OWN_PAGES = ("self/", "ops/")
_SIZED = re.compile(r"\|\d+(?:x\d+)?$")
"""`picture.png|400`"""
_ENDINGS = (".md", ".markdown")
_ATTACHMENTS = frozenset(
    (
        *("png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "avif", "heic", "ico", "psd", "tif", "tiff"),
        *("mp3", "wav", "ogg", "oga", "opus", "m4a", "flac", "3gp", "aac", "wma"),
        *("mp4", "webm", "mov", "mkv", "ogv", "avi", "m4v", "mpeg"),
        *("pdf", "epub", "doc", "docx", "odt", "rtf", "txt", "tex", "xls", "xlsx", "ods", "csv", "ppt", "pptx", "odp"),
        *("canvas", "base", "excalidraw", "bib", "ics", "ipynb", "zip", "gz", "tar"),
        *("css", "htm", "html", "js", "json", "py", "toml", "ts", "tsv", "xml", "yaml", "yml"),
    )
)


@frozen
class NamedNote:
    """A note as far as links can name it."""

    path: str
    """Relative to the vault, with forward slashes."""
    title: str = ""
    aliases: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    """Ids of its blocks, where they are unlike all others, as those of Logseq are."""


def mentionable_names(note: NamedNote) -> dict[str, bool]:
    """What a text may call a note; True: only where it is written with a capital.

    `Heavy (song)` is called Heavy too, as titles tell what is called the same apart; but not everything heavy is.
    """
    names = dict.fromkeys((stem_of(note.path), note.title, *note.aliases), False)
    for name in tuple(names):
        bare = _QUALIFIED.fullmatch(name) if name.endswith(")") else None
        if bare is not None and bare[1][0].isupper():
            names.setdefault(bare[1], True)
    return names


def names_in_texts(note: NamedNote) -> dict[str, bool]:
    """Like `mentionable_names`, for texts that are no question: `index` and `readme` are said of any, and so are the
    plain words by which an agent's own pages go."""
    is_own = note.path.startswith(_OWN_PAGES)
    return {
        name: is_proper
        for name, is_proper in mentionable_names(note).items()
        if not speaks_for_folder(name) and not (is_own and name.isalpha())
    }


def without_article(name: str) -> str:
    """What is left of a name of two words or more behind an article; empty where none stands in front.

    Who asks for `The Old Mill` types old mill. In a text that may be any old mill, so that it is no mention there.
    """
    found = _ARTICLE.match(name)
    return name[found.end() :] if found is not None else ""


def names_of(note: NamedNote) -> frozenset[str]:
    """Every key under which a link may find the note. When one of them appears or vanishes, exactly the links that
    have it among their `keys_of` may lead elsewhere."""
    path = comparable(without_ending(note.path))
    names = {"/" + path}
    tails = [path]
    position = path.find("/")
    while position >= 0:
        tails.append(path[position + 1 :])
        position = path.find("/", position + 1)
    folder = folder_spoken_for(note.path)
    if folder:
        folder = comparable(folder)
        parts = folder.split("/")
        names.add("/" + folder)
        tails += ["/".join(parts[place:]) for place in range(len(parts))]
    others = (note.title, *note.aliases, *spelled_out(note.path))
    for name in (*tails, *(comparable(name) for name in others if name)):
        names.add(name)
        names.add(_slug_key(name))
    names.update(block_target(block).lower() for block in note.blocks)
    names.add(day_key(stem_of(note.path)))
    names.discard("")
    return frozenset(names)


@functools.lru_cache(maxsize=8192)
def day_key(name: str) -> str:
    """`[[May 3rd, 2024]]` is what a diary calls the page 2024_05_03.md; empty for a name that is no day."""
    if _YEAR.search(name) is None:
        return ""
    from ori_memory.index.dating import exact_day  # Patterns of many forms, which few names need.

    day = exact_day(name)
    return f"@{day.isoformat()}" if day is not None else ""


def block_target(block: str) -> str:
    """The target of a reference to a block that may be in any note, as it is written."""
    return f"(({block}))"


def spelled_out(path: str) -> tuple[str, ...]:
    """The page of Logseq that the file holds, where it is called otherwise."""
    stem = stem_of(path)
    name = page_of(stem)
    return (name,) if name != stem else ()


def folder_spoken_for(path: str) -> str:
    """The folder that the note is the page of: index.md, README.md, or one with the folder's name; empty: of none."""
    folder = folder_of(path)
    if not folder:
        return ""
    stem = stem_of(path)
    return folder if speaks_for_folder(stem) or stem.lower() == folder.rpartition("/")[2].lower() else ""


def keys_for(target: str, source: str = "") -> tuple[str, ...]:
    """Keys for a target as in `Link.target`; empty for the note itself and for a place outside the vault.

    A note that shares none of them cannot be what the target means. `source` is the path of the note that holds the
    link; it matters for `./` and `../` only.
    """
    if is_simple(target):
        # Nearly all targets: no ending, no folder, nothing to compose.
        key = day_key(target) if target[-1].isdigit() or target[0].isdigit() else ""
        return (target.lower(), "~" + slug(target), key) if key else (target.lower(), "~" + slug(target))
    plain = plain_target(target)
    exact = exact_path(plain, source)
    keys: dict[str, None] = {}
    if exact is not None:
        keys = dict.fromkeys(f"/{comparable(form)}" for form in _forms(exact)) if exact else {}
        if not exact or not is_address(plain, is_markdown=True):
            return tuple(keys)
        plain = exact
    for form in _forms(plain):
        keys[comparable(form)] = None
    for form in _forms(plain):
        keys[_slug_key(comparable(form))] = None
    keys[day_key(plain)] = None
    keys.pop("", None)
    return tuple(keys)


def keys_of(link: Link, source: str = "") -> tuple[str, ...]:
    """Keys for a link: those of its target and, for `[[C#]]` and `[[C# notes]]`, of the whole as one name."""
    keys = keys_for(link.target, source)
    whole = whole_name(link)
    if whole is not None:
        keys = tuple(dict.fromkeys((*keys, comparable(whole))))
    if link.kind in (LinkKind.MARKDOWN, LinkKind.MARKDOWN_EMBED) and exact_path(link.target, source) is None:
        relative = join_path(folder_of(source), link.target)
        if relative:
            keys = tuple(dict.fromkeys((*(f"/{comparable(form)}" for form in _forms(relative)), *keys)))
    return keys


def whole_name(link: Link) -> str | None:
    """Target and heading as one name, where a note's name may hold the number sign itself; None: it cannot."""
    if not link.target or link.block is not None or link.kind not in (LinkKind.WIKI, LinkKind.EMBED):
        return None
    return f"{link.target}#{link.heading}" if link.heading is not None else None


def plain_target(target: str) -> str:
    """With forward slashes and without a slash at its end."""
    return target.replace("\\", "/").rstrip("/") if "\\" in target or target.endswith("/") else target


def exact_path(target: str, source: str) -> str | None:
    """The path that a target with `/`, `./` or `../` in front names; empty: outside the vault; None: another form."""
    if target.startswith("/"):
        return join_path("", target.lstrip("/"))
    if target.startswith(("./", "../")) or target in (".", ".."):
        return join_path(folder_of(source), target)
    return None


def is_address(target: str, *, is_markdown: bool) -> bool:
    """`/posts/tea/`: the root of a site is mostly a folder within the vault, so that the end of a path will do.

    `[[/tea]]` is the note at the root of the vault and no other; `[tea](/tea)` is a page of a site.
    """
    return target.startswith("/") and (is_markdown or "/" in target.strip("/"))


def join_path(folder: str, relative: str) -> str:
    """The path without `.` and `..`; empty where it leaves the vault."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def folder_of(path: str) -> str:
    """The folder of a note; empty at the vault's root."""
    return path.rpartition("/")[0]


def without_ending(path: str) -> str:
    """Without `.md` or `.markdown`."""
    lower = path[-9:].lower()
    for ending in _ENDINGS:
        if lower.endswith(ending) and len(path) > len(ending) and path[-len(ending) - 1] != "/":
            return path[: -len(ending)]
    return path


def is_attachment(target: str) -> bool:
    """Whether a target names a file that is no note, by its ending."""
    name = _SIZED.sub("", target.rsplit("/", 1)[-1])
    stem, dot, ending = name.rpartition(".")
    return bool(dot and stem) and ending.lower() in _ATTACHMENTS


def _forms(target: str) -> tuple[str, ...]:
    # `[[a.md]]` is a.md first, and a.md.md where only that one is there.
    bare = without_ending(target)
    return (target,) if bare == target else (bare, target)


def _slug_key(name: str) -> str:
    key = "/".join(slug(part) for part in name.split("/")) if "/" in name else slug(name)
    return "~" + key if key.strip("/") else ""
