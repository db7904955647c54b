"""Questions taken apart by their form."""

from __future__ import annotations

import pytest

from ori_memory.exploring.decomposing import parts_of


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Are Christopher Nolan and Sathish Kalathil both film directors?",
            ["Are Christopher Nolan film directors", "Sathish Kalathil film directors"],
        ),
        (
            "Who is the oldest, Sid Haig or Vic Darchinyan?",
            ["Who is the oldest, Sid Haig", "Who is the oldest, Vic Darchinyan"],
        ),
        (
            "Who was the first president of the association which published the Journal of Integration?",
            ["the association which published the Journal of Integration"],
        ),
        ("Who painted the Night Watch and where was he born?", ["Who painted the Night Watch"]),
        (
            "what is the difference between a mutex and a channel in go?",
            ["mutex", "channel in go"],
        ),
        ("compare contrastive learning with masked autoencoders", ["contrastive learning", "masked autoencoders"]),
        ("what is the difference between records and tuples and structs", ["records", "tuples", "structs"]),
        ("compare cables with lasers and a planetary gear of five wheels", ["cables"]),
        ("how do epochs differ from editions", ["epochs", "editions"]),
        ("qual a diferença entre o método de Newton e o da bissecção", ["método de Newton", "da bissecção"]),
        ("互斥锁和信号量的区别是什么", ["互斥锁", "信号量"]),
        ("what is the difference between it and them", []),
        ("What is pinning? How does it relate to async?", ["What is pinning", "How does pinning relate to async"]),
        ("how did pinning come to be and what else did they write", ["how did pinning come to be"]),
        (
            "Wer ist älter, Anna Schmidt oder Bert Müller?",
            ["Wer ist älter, Anna Schmidt", "Wer ist älter, Bert Müller"],
        ),
        ("What is the weather in Leland, North Carolina?", []),
        ("tea", []),
        ("", []),
    ],
)
def test_parts(question: str, parts: list[str]) -> None:
    found = [one.text for one in parts_of(question, ())]
    assert found[: len(parts)] == parts and (parts or not found)


def test_each_named_note_is_asked_for_with_the_rest() -> None:
    found = parts_of("how is kubernetes connected to our billing service", ("Kubernetes", "billing service"))
    assert [one.text for one in found] == [
        "how is kubernetes connected to our",
        "how is connected to our billing service",
    ]


def test_a_title_is_found_without_what_tells_it_from_others() -> None:
    found = parts_of("did brother come before heaven and hell", ("Brother (song)", "Heaven and hell"))
    assert [one.text for one in found] == ["did brother come before", "did come before heaven and hell"]


def test_the_question_itself_is_no_part_of_it() -> None:
    assert parts_of("the film that won", ()) == []


def test_a_long_question_is_taken_apart_at_once() -> None:
    text = "the a an and that of the " * 2000
    assert parts_of(text, ("the",)) == parts_of(text[:2_000], ("the",))


@pytest.mark.parametrize(
    "piece", ["difference between ", "how does ", "compare a with b ", "x vs ", "和", "it and how "]
)
def test_a_question_without_end_is_taken_apart_all_the_same(piece: str) -> None:
    assert len(parts_of(piece * 4_000, ())) < 10_000
