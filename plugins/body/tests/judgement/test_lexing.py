"""What of a text counts: names by where they stand, literals by their kind, comments and layout not at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_code import LANGUAGES, Sample

from aries_body.index.packs import Packs
from aries_body.judgement.grams import grams_of, prints_of
from aries_body.judgement.lexing import FIRST_NAME, Lexer, lexer_of
from aries_body.judgement.library import lexer_for
from aries_body.judgement.sketches import alike, sketch_of
from aries_kernel.contracts.lexis import COMMON

PACKS = Packs.installed()
each_language = pytest.mark.parametrize("sample", LANGUAGES, ids=[one.language for one in LANGUAGES])


def lexer(sample: Sample) -> Lexer:
    return lexer_for(PACKS.get(sample.suffix))


def prints(text: str, reader: Lexer) -> list[int]:
    found: list[int] = prints_of([reader.codes(reader.words(text))]).values.tolist()
    return found


def rewritten(text: str, reader: Lexer, names: list[str]) -> str:
    """Each name of a text another one, equal ones the same."""
    table: dict[str, str] = {}
    out, at = [], 0
    for word in reader.words(text):
        place = text.index(word, at)
        out.append(text[at:place])
        is_name = reader.code(word) == FIRST_NAME
        out.append(table.setdefault(word, f"{names[len(table) % len(names)]}_{len(table)}") if is_name else word)
        at = place + len(word)
    return "".join([*out, text[at:]])


@each_language
@settings(deadline=None, max_examples=30)
@given(names=st.lists(st.from_regex(r"[a-zA-Z][a-zA-Z0-9]{0,8}", fullmatch=True), min_size=1, max_size=6))
def test_renaming_everything_never_changes_a_print(sample: Sample, names: list[str]) -> None:
    reader = lexer(sample)
    assert prints(rewritten(sample.code, reader, names), reader) == prints(sample.code, reader)


@each_language
@settings(deadline=None, max_examples=30)
@given(chance=st.randoms(use_true_random=False), words=st.text("ab 'x\"(", max_size=12))
def test_comments_and_blank_lines_never_change_a_print(sample: Sample, chance: object, words: str) -> None:
    reader = lexer(sample)
    marker = sample.comment.split()[0]
    lines = []
    for line in sample.code.split("\n"):
        extra = chance.choice(["", "\n", f"\n{marker} {words}", "\n    "])  # type: ignore[attr-defined]
        is_documented = '"""' in line
        lines.append(line + ("" if is_documented else extra))
    assert prints("\n".join(lines), reader) == prints(sample.code, reader)


@each_language
def test_another_order_of_the_same_names_is_another_print(sample: Sample) -> None:
    reader = lexer(sample)
    assert prints("f(a, b, a, b, a, c)", reader) != prints("f(a, b, b, a, a, c)", reader)


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=200))
def test_any_text_is_read_whole_and_never_refused(text: str) -> None:
    for reader in (lexer_of(COMMON), *(lexer(sample) for sample in LANGUAGES)):
        words = reader.words(text)
        assert "".join("".join(words).split()) == "".join(text.split())
        assert len(reader.codes(words)) <= len(words)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.integers(0, 40), max_size=40), max_size=6), st.integers(3, 9))
def test_grams_of_several_pieces_are_those_of_each(pieces: list[list[int]], length: int) -> None:
    coded = [[code if code < 20 else FIRST_NAME + code for code in piece] for piece in pieces]
    together = grams_of(coded, length)
    for number, piece in enumerate(coded):
        alone = grams_of([piece], length).values.tolist()
        assert together.values[together.owner == number].tolist() == alone
        assert len(alone) == max(0, len(piece) - length + 1)
        chosen = prints_of(coded)
        assert set(chosen.values[chosen.owner == number].tolist()) == set(prints_of([piece]).values.tolist())


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 9), min_size=14, max_size=30), st.lists(st.integers(0, 9), max_size=9))
def test_a_long_enough_stretch_that_two_pieces_share_gives_a_common_print(shared: list[int], around: list[int]) -> None:
    one, other = [*around, *shared], [*shared, *reversed(around)]
    assert set(prints_of([one]).values.tolist()) & set(prints_of([other]).values.tolist())


def test_a_language_without_a_lexis_is_read_by_what_most_share() -> None:
    assert lexer_for(None) is lexer_of(COMMON)
    reader = lexer_of(COMMON)
    assert prints("if (a) { return b + 1; } // x\nwhile (b) { b = a(b); }", reader) == prints(
        "if(x){return y+2}\n# other\nwhile(y){y=x(y)}", reader
    )


def test_signs_that_mean_nothing_are_left_out() -> None:
    reader = lexer(LANGUAGES[0])
    assert prints("f(a, b, [1, 2,],)\nx = a", reader) == prints("f(a, b, [1, 2])\nx = a", reader)
    assert len(reader.codes(reader.words("x = 1;"))) == 3


def test_alike_sketches_tell_how_many_words_are_shared() -> None:
    import numpy as np

    words = [f"word{number}" for number in range(200)]
    sketches = [sketch_of(words), sketch_of(words[:100] + [f"o{number}" for number in range(100)]), sketch_of(["q"])]
    rows = np.frombuffer(b"".join(sketches), np.uint8).reshape(3, -1)
    same, third, none = alike(sketches[0], rows).tolist()
    assert same == 1.0 and none < third < same
