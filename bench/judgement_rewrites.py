"""Deeper changes than those of `judgement_cases.py`: code that was written anew with the old one in view."""

from __future__ import annotations

import random
import re
import textwrap

from judgement_cases import Edit, body_of, rewritten, statements_of

from aries_body.judgement.lexing import FIRST_NAME, Lexer

__all__ = ["REWRITES", "merged"]

_BRACED = {"javascript", "typescript", "java", "c", "cpp", "go", "rust"}


def commented(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """Other comments, blank lines, and blanks around signs."""
    sign = "#" if language == "python" else "//"
    lines = text.split("\n")
    for place in reversed(statements_of(lines)):
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        lines[place:place] = ["", f"{indent}{sign} step {chance.randrange(90)} of what it's for"]
    return "\n".join(lines)


def broken(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """A line for each argument, as formatters of another taste lay code out."""
    body = body_of(text, lexer, language, chance)
    if body is None:
        return None

    def change(word: str, code: int) -> str:
        return ",\n        " if word == "," else word

    changed = rewritten(text, lexer, change)
    return changed if language != "python" or _parses(changed) else None


def wrapped_try(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """The body in a handler of errors."""
    parts = {
        "python": ("try:", "except ValueError as error:\n    report(error)\n    raise"),
        "javascript": ("try {", "} catch (error) {\n  report(error);\n  throw error;\n}"),
        "typescript": ("try {", "} catch (error) {\n  report(error);\n  throw error;\n}"),
        "java": ("try {", "} catch (RuntimeException error) {\n    report(error);\n    throw error;\n}"),
        "cpp": ("try {", "} catch (const std::exception& error) {\n  report(error);\n  throw;\n}"),
    }.get(language)
    return _around_body(text, lexer, language, chance, *parts) if parts else None


def wrapped_if(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """The body under a condition."""
    opening = {"python": "if is_enabled(key):", "go": "if enabled(key) {", "rust": "if enabled(key) {"}
    return _around_body(
        text, lexer, language, chance, opening.get(language, "if (enabled(key)) {"), "" if language == "python" else "}"
    )


def _around_body(text: str, lexer: Lexer, language: str, chance: random.Random, before: str, after: str) -> str | None:
    body = body_of(text, lexer, language, chance)
    if body is None:
        return None
    inner = "\n".join(part for part in (before, textwrap.indent(body.rstrip(), "    "), after) if part)
    return _with_body(text, language, inner)


def _with_body(text: str, language: str, body: str) -> str:
    """The function with another body."""
    lines = text.rstrip().split("\n")
    opening = ":" if language == "python" else "{"
    first = next(place for place, line in enumerate(lines) if line.rstrip().endswith(opening))
    last = [] if language == "python" else lines[-1:]
    return "\n".join([*lines[: first + 1], textwrap.indent(body, "    "), *last]) + "\n"


_LOOPS: dict[str, list[tuple[str, str]]] = {
    "python": [(r"^([ \t]*)for ([\w, ()]+) in ([^\n]+):$",
                r"\1rows = iter(\3)\n\1while (\2 := next(rows, None)) is not None:")],
    "go": [(r"^([ \t]*)for ([^;\n]+); ([^;\n]+); ([^;\n{]+) \{$", r"\1\2\n\1for \3 {\n\1\t\4"),
           (r"^([ \t]*)for (\w+), (\w+) := range ([^\n{]+) \{$",
            r"\1for \2 := 0; \2 < len(\4); \2++ {\n\1\t\3 := \4[\2]")],
    "rust": [(r"^([ \t]*)for ([^\n]+?) in ([^\n{]+) \{$",
              r"\1let mut rows = \3.into_iter();\n\1while let Some(\2) = rows.next() {")],
    "java": [(r"^([ \t]*)for \((?:final )?(\w+) (\w+) : ([^\n]+)\) \{$",
              r"\1Iterator<\2> rows = \4.iterator();\n\1while (rows.hasNext()) {\n\1    \2 \3 = rows.next();")],
    "cpp": [(r"^([ \t]*)for \((?:const )?(\w+)[&*]? (\w+) : ([^\n]+)\) \{$",
             r"\1for (size_t at = 0; at < \4.size(); ++at) {\n\1  auto \3 = \4[at];")],
    "javascript": [(r"^([ \t]*)for \((?:const|let|var) ([\w\[\], {}]+) of ([^\n]+)\) \{$",
                    r"\1for (let at = 0; at < \3.length; at++) {\n\1  const \2 = \3[at];")],
}  # fmt: skip
_COUNTED = (r"^([ \t]*)for \(([^;\n]*); ([^;\n]*); ([^;\n]*)\) \{$", r"\1\2;\n\1while (\3) {\n\1  \4;")


def looped(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """A loop of another kind."""
    same = {"typescript": "javascript"}.get(language, language)
    forms = [*_LOOPS.get(same, []), *([_COUNTED] if same in ("javascript", "java", "c", "cpp") else [])]
    for form, instead in forms:
        changed = re.sub(form, instead, text, flags=re.MULTILINE)
        if changed != text:
            return changed
    return None


def several(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """Two statements more, one less, and other names for half of what it names."""
    lines = text.split("\n")
    places = statements_of(lines)
    if len(places) < 6:
        return None
    for number, place in enumerate(sorted(chance.sample(places, 3), reverse=True)):
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        end = ";" if lines[place].rstrip().endswith(";") else ""
        lines[place : place + 1] = [] if number == 1 else [lines[place], f"{indent}count = note(count, {number}){end}"]
    return half_renamed("\n".join(lines), lexer, language, chance)


def half_renamed(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """Every other name is another one."""
    names = list(dict.fromkeys(word for word in lexer.words(text) if lexer.code(word) == FIRST_NAME))
    chosen = {name: f"{name[:1]}v{number}" for number, name in enumerate(names) if chance.random() < 0.5}
    return rewritten(text, lexer, lambda word, code: chosen.get(word, word) if code == FIRST_NAME else word)


def typeless(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """A copy without the types of its parameters and of what it returns."""
    head, sign, rest = text.partition(":\n" if language == "python" else "{\n")
    if language == "python" and "->" in head:
        return re.sub(r":\s*[\w.]+(?:\[[^\n()]*?\])?(?=\s*[,=)])", "", head.partition("->")[0]) + sign + rest
    if language == "typescript":
        bare = re.sub(
            r"\)\s*:\s*[^{}=()\n]+$", ") ", re.sub(r"\??:\s*[\w.]+(?:<[^\n()]*?>)?(?:\[\])?(?=\s*[,=)])", "", head)
        )
        return bare + sign + rest if bare != head else None
    return None


def _parses(text: str) -> bool:
    try:
        compile(text, "case", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def merged(text: str, other: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """One function that does what two did."""
    body, more = body_of(text, lexer, language, chance), body_of(other, lexer, language, chance)
    if body is None or more is None:
        return None
    return _with_body(text, language, f"{body.rstrip()}\n{more.rstrip()}")


REWRITES: dict[str, Edit] = {
    "other comments": commented,
    "other line breaks": broken,
    "half of the names changed": half_renamed,
    "types left out": typeless,
    "the body in a try": wrapped_try,
    "the body in an if": wrapped_if,
    "another kind of loop": looped,
    "several changes": several,
}
