"""A question as it was typed, understood."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.contracts import Intent, Question
from ori_memory.retrieval.question import identifiers_in, understand_question

TODAY = datetime.date(2024, 6, 12)


def understood(text: str) -> Question:
    return understand_question(text, TODAY, {}, 10)


def test_every_part_of_a_question_is_told() -> None:
    question = understand_question('why did we choose "old rye" in May for ABC-123?', TODAY, {7: 0.5}, 3)
    assert (question.phrases, question.identifiers, question.limit, question.named) == (
        ("old rye",), ("ABC-123",), 3, {7: 0.5},
    )  # fmt: skip
    assert (question.intent, question.intent_confidence, question.is_english) == (Intent.DECISION, 1.0, True)
    assert question.period is not None and question.period.phrase == "in May"


class TestWords:
    def test_words_that_only_hold_a_sentence_together_are_left_out(self) -> None:
        assert understood("What is the price of the rye that we bought?").words == ("price", "rye", "bought")

    def test_a_question_of_nothing_else_keeps_them(self) -> None:
        assert understood("what was that").words == ("what", "was", "that")

    def test_each_word_is_there_once_in_its_order(self) -> None:
        assert understood("rye Wheat RYE wheat oats").words == ("rye", "wheat", "oats")

    def test_single_letters_and_digits_are_words(self) -> None:
        assert understood("Resume J").words == ("resume", "j")
        assert understood("chapter 7").words == ("chapter", "7")

    def test_a_script_without_spaces_gives_pairs(self) -> None:
        assert understood("重跑部署").words == ("重跑", "跑部", "部署")


class TestLanguage:
    @pytest.mark.parametrize(
        "text",
        [
            "what is it",
            "who did this",
            "rye with butter",
            "Where is my bread?",
            "What did Kim bake?",
            "Kim told us about what she had baked?",
        ],
    )
    def test_function_words_tell_english(self, text: str) -> None:
        assert understood(text).is_english

    @pytest.mark.parametrize(
        "text",
        [
            "wo ist das Brot in der Küche",
            "où est le pain de la cuisine",
            "dov'è il pane",
            "dónde está el pan de la cocina",
            "Где мой хлеб?",
            "रोटी कहाँ है",
            "面包在哪里",
            "ekmek nerede",
            "rye bread",
            "Wer spielte Doctor Who?",
            "Welche Museen gehören zum Victoria and Albert Museum?",
            "Wer hat das Gedicht The Mask of Anarchy geschrieben?",
            "Quand est sorti Gone with the Wind?",
            "Кто написал The Wall?",
        ],
    )
    def test_a_text_without_them_may_be_any_language(self, text: str) -> None:
        assert not understood(text).is_english

    def test_in_another_language_every_word_counts(self) -> None:
        assert understood("in an der Ecke").words == ("in", "an", "der", "ecke")


class TestPhrases:
    @pytest.mark.parametrize(
        "text",
        [
            'the "old mill" here',
            "the “old mill” here",
            "the «old mill» here",
            "the „old mill“ here",
            "the 「old mill」 here",
        ],
    )
    def test_every_kind_of_quotation_marks_makes_a_phrase(self, text: str) -> None:
        assert understood(text).phrases == ("old mill",)

    def test_several_phrases_are_kept_in_their_order(self) -> None:
        assert understood('"one two" and “three four”').phrases == ("one two", "three four")

    @pytest.mark.parametrize("text", ['""', '"a', '"?!"', 'the 6" and the 7', "it's Ann's", "5' 10\""])
    def test_marks_with_no_words_between_them_make_none(self, text: str) -> None:
        assert understood(text).phrases == ()


class TestIdentifiers:
    @pytest.mark.parametrize(
        "name",
        [
            "ABC-123", "v0.7.0", "snake_case", "_private", "__init__", "std::vector", "call()", "camelCase",
            "CamelCase", "x86", "3.11.4", "7z", "#123", "foo_2", "GPT-4", "RFC2616", "utf-8", "10.0.0.1", "Qwen2.5-7B",
            "gpt-4-turbo", "src/a_b.py", "os.path2",
        ],
    )  # fmt: skip
    def test_a_name_as_code_versions_and_codes_have_them_is_one(self, name: str) -> None:
        for text in (
            name,
            f"where is {name} used?",
            f"({name})",
            f"{name}, {name}",
            f"It is {name}.",
            f"{name}: what?",
        ):
            assert identifiers_in(text) == (name,), text

    @pytest.mark.parametrize(
        "text",
        [
            "rye bread", "Rye Bread", "NASA", "the 3rd of May", "1990s", "10km", "5 pm", "5pm", "2024",
            "state-of-the-art", "Ann's", "e-mail", "well-known", "and/or", "30min",
        ],
    )  # fmt: skip
    def test_words_and_measures_are_none(self, text: str) -> None:
        assert identifiers_in(text) == ()

    def test_a_long_name_without_a_digit_is_read_as_fast_as_others(self) -> None:
        name = "a_" * 90 + "z"
        assert identifiers_in(f"{name} {'b.' * 5_000} {'c-' * 5_000}") == (name,)

    def test_eight_are_enough(self) -> None:
        assert identifiers_in(" ".join(f"AB-{number}" for number in range(20))) == tuple(
            f"AB-{number}" for number in range(8)
        )


class TestAnyText:
    def test_a_pasted_page_is_understood_by_its_first_words(self) -> None:
        page = " ".join(f"word{number} " for number in range(12_000))
        assert len(page) > 100_000
        question = understood(page)
        assert question.words == tuple(f"word{number}" for number in range(64))

    @pytest.mark.parametrize("sign", ['"', "“", "«a", "_", "a_", "a.", "A", "1.", "between ", "a-1", "#"])
    def test_a_hundred_kilobytes_of_one_sign_are_understood(self, sign: str) -> None:
        question = understood(sign * (100_000 // len(sign)))
        assert len(question.words) <= 64 and len(question.identifiers) <= 8

    @given(st.text())
    def test_any_text_is_understood(self, text: str) -> None:
        question = understood(text)
        assert question.text == text
        assert all(phrase in text for phrase in (*question.phrases, *question.identifiers))
        assert len(set(question.words)) == len(question.words) <= 64


def test_what_a_stretch_of_days_is_counted_from_is_no_word_of_its_notes() -> None:
    assert understood("what was baked before 2023").words == ("baked",)
    assert understood("what was baked in 2023").words == ("baked", "2023")
    assert understood("before 2023").words == ("2023",)
