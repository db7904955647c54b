"""The sweep over scopes, by a made-up language: `{` and `}` are scopes, `x=` declares x, all else is a use."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from aries_language_syntax.binding import Local, Spelling, Surroundings, bind
from aries_language_syntax.outline import Definition, Outline
from aries_language_syntax.text import Text

USE = re.compile(rb"(\w+)((?:\.\w+)*)(\()?")


def found(
    source: bytes, around: Surroundings, types: dict[bytes, bytes] | None = None
) -> list[tuple[int, str, str, int]]:
    """Place, root, path and symbol of each reference."""
    scopes, stack = [(0, len(source) + 1)], []
    for place, one in enumerate(source):
        if one == ord("{"):
            stack.append(place)
        elif one == ord("}") and stack:
            scopes.append((stack.pop(), place + 1))
    declared = [(one.start(), one[1]) for one in re.finditer(rb"(\w+)=", source)]
    locals_ = [
        Local(place, name, ((types or {}).get(name, b""), b"") if name in (types or {}) else None)
        for place, name in declared
    ]
    taken = {place for place, _ in declared} | {one.start for one in around.outline.symbols}
    uses = [one.start() for one in re.finditer(rb"(?<![\w.])\w+", source) if one.start() not in taken]
    references = bind(Text(source), scopes, locals_, [Spelling(USE, "use", uses)], {}, around)
    return [(one.line, one.root, one.path, one.symbol) for one in references]


def outline(*names: str) -> Outline:
    """Symbols at the top with these names, which stand nowhere in the text."""
    rows = [Definition(9000 + place, 9001 + place, name.encode(), "class") for place, name in enumerate(names)]
    return Outline(Text(b""), rows, frozenset())


def test_a_local_hides_from_its_declaration_to_the_end_of_its_scope() -> None:
    around = Surroundings(outline("a"))
    assert found(b"a\n{ a\n a= a\n { a } }\na", around) == [(1, "a", "", 0), (2, "a", "", 0), (5, "a", "", 0)]


def test_a_local_with_a_type_stands_for_the_type_when_members_are_used() -> None:
    around = Surroundings(outline("T"))
    assert found(b"{ x= x.run( x }", around, {b"x": b"T"}) == [(1, "T", "run", 0)]


def test_fields_with_a_type_are_followed_as_long_as_there_are_names() -> None:
    types = {"A.b": (b"B", b""), "B.a": (b"A", b""), "A.self": (b"A", b"self")}
    around = Surroundings(outline("A", "B"), types=types)
    assert found(b"A.b.a.b.end A.b", around) == [(1, "B", "end", 1), (1, "A", "b", 0)]
    assert found(b"A.self.x", around)[0][1] == "A"


def test_aliases_that_go_round_end() -> None:
    around = Surroundings(outline("A", "B"), aliases={(-1, b"x"): (-1, b"y"), (-1, b"y"): (-1, b"x")})
    assert found(b"x y A", around) == [(1, "A", "", 0)]


def test_what_means_nothing_is_asked_for_or_closed() -> None:
    asked = Surroundings(outline(), unbound=lambda use: (-1, use.root + b"!", use.path) if use.path else None)
    assert found(b"a b.c", asked) == [(1, "b!", "c", -1)]
    closed = Surroundings(outline(), closed=frozenset({b"a"}))
    assert found(b"a b.c", closed) == [(1, "b", "c", -1)]


@given(st.text(alphabet="ab={} .\n", max_size=60))
def test_the_sweep_agrees_with_a_search_for_each_use(text: str) -> None:
    source = text.encode()
    around = Surroundings(outline("a", "b"))
    lines = [(line, root) for line, root, _, _ in found(source, around)]
    expected = []
    for one in re.finditer(rb"(?<![\w.])([ab]+)", source):
        word, place = one[1], one.start()
        if word not in (b"a", b"b") or source[one.end() : one.end() + 1] == b"=":
            continue
        if not _is_hidden(source, place, word):
            expected.append((source.count(b"\n", 0, place) + 1, word.decode()))
    assert lines == expected


def _is_hidden(source: bytes, place: int, word: bytes) -> bool:
    for declared in re.finditer(rb"(?<!\w)" + word + rb"=", source[:place]):
        depth = 0
        for one in source[declared.start() : place]:
            depth += (one == ord("{")) - (one == ord("}"))
            if depth < 0 and _has_opening(source, declared.start()):
                break
            depth = max(depth, 0) if not _has_opening(source, declared.start()) else depth
        else:
            return True
    return False


def _has_opening(source: bytes, place: int) -> bool:
    depth = 0
    for one in source[:place]:
        depth = max(0, depth + (one == ord("{")) - (one == ord("}")))
    return depth > 0
