"""What of a tool's output reaches the model."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.settings.schema import OutputLimits
from aries_kernel.tools.output import clean_output, escape_controls, fit_output


class _Kept:
    def __init__(self) -> None:
        self.data: list[bytes] = []

    def __call__(self, suffix: str, data: bytes) -> Path:
        self.data.append(data)
        return Path(f"/kept/{len(self.data)}{suffix}")


def test_output_that_fits_is_left_alone_and_not_kept() -> None:
    kept = _Kept()
    assert fit_output("a\nb\n", OutputLimits(), kept) == "a\nb\n"
    assert kept.data == []


def test_five_megabytes_of_short_lines_keep_head_and_tail_and_name_the_file() -> None:
    kept = _Kept()
    text = "first\n" + "y\n" * 2_500_000 + "last\n"
    fitted = fit_output(text, OutputLimits(), kept)
    assert fitted.startswith("first\ny\n") and fitted.endswith("y\nlast\n")
    assert "/kept/1.txt" in fitted
    assert len(fitted.splitlines()) <= 800
    assert kept.data == [text.encode()]


def test_a_line_of_two_megabytes_keeps_its_two_ends() -> None:
    fitted = fit_output("<" + "x" * 2_000_000 + ">", OutputLimits(), _Kept())
    assert fitted.startswith("<xxx") and fitted.endswith("xxx>")
    assert len(fitted.encode()) <= 30_000


def test_terminal_sequences_go_and_other_control_characters_are_shown() -> None:
    assert clean_output("\x1b[31mred\x1b[0m\x1b]0;title\x07 a\x00b\x08\r\nc\rd") == "red a\\x00b\\x08\nc\nd"


def test_a_character_that_turns_text_around_is_shown() -> None:
    assert escape_controls("a\u202eb") == "a\\u202eb"


def test_an_undecodable_byte_is_shown_and_kept_as_it_was() -> None:
    kept = _Kept()
    text = b"\xff\n".decode("utf-8", "surrogateescape") * 1000
    assert fit_output(text, OutputLimits(), kept).startswith("\\xff\n")
    assert kept.data == [b"\xff\n" * 1000]


@given(st.text(st.characters(codec=None)), st.integers(400, 900), st.integers(3, 40))
def test_whatever_comes_fits_and_can_be_sent(text: str, size: int, lines: int) -> None:
    limits = OutputLimits(max_bytes=size, max_lines=lines)
    fitted = fit_output(text * 7, limits, _Kept())
    assert len(fitted.encode("utf-8")) <= size
    assert len(fitted.split("\n")) <= lines + 1
    assert escape_controls(fitted) == fitted
