"""What is read does not depend on where nodes lie in memory."""

from __future__ import annotations

from aries_language_c.pack import C
from aries_language_syntax.grammar import grammar

_SOURCE = "".join(
    f"struct s{n} {{ int a{n}, *b{n}; struct s{n} *next; }};\nint f{n}(struct s{n} *p) {{ return p->a{n} + g; }}\n"
    for n in range(40)
).encode()


def test_nodes_come_in_the_order_of_the_text() -> None:
    marks = grammar("C", "tree_sitter_c", "aries_language_c").mark(_SOURCE)
    names = sorted(marks.nodes)
    assert names
    for name in names:
        spans = [(node.start_byte, -node.end_byte) for node in marks.of(name)]
        assert spans == sorted(spans)
        assert marks.spans(name) == [(start, -end) for start, end in spans]


def test_facts_are_the_same_wherever_the_nodes_lie() -> None:
    first, kept = C().read(_SOURCE, "a.c"), []
    for number in range(20):
        assert C().read(_SOURCE, "a.c") == first
        kept.append(bytearray(997 * number))
