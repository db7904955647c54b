"""The stage `crossencoder`."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.contracts import Found, Skipped, StageFactory
from aries_kernel.errors import UserError
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, bakery, rank
from aries_kernel.testing.stage_suite import StageSuite
from ori_stage_crossencoder.stage import CrossEncoder, CrossEncoderOptions, sigmoid

CORPUS = FakeCorpus((FakeNote("First", "of wheat"), FakeNote("Second", "rye, rye"), FakeNote("Third", "of rye")))
IS_THERE = importlib.util.find_spec("sentence_transformers") is not None


def by_words(pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
    """Reads as a model would: a logit by how often the words of the question stand in the text."""
    return [4.0 * sum(text.lower().count(word) for word in question.lower().split()) - 4 for question, text in pairs]


class Reading(CrossEncoder):
    """With a reader that needs no model."""

    def __init__(self, options: CrossEncoderOptions) -> None:
        super().__init__(options, by_words)


class TestCrossEncoder(StageSuite):
    @pytest.fixture
    def factory(self) -> StageFactory:
        return Reading

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("rye"), CORPUS, rank(CORPUS, ["First", "Second", "Third"]))


def test_scores_are_blended_by_hand() -> None:
    ranked = rank(CORPUS, {"First": 0.5, "Second": 0.4, "Third": 0.2})
    first, second, third = (one.note for one in ranked)
    given = Reading(CrossEncoderOptions()).apply(ask("rye"), ranked, CORPUS)
    assert given == [
        Found(second, pytest.approx(0.4 * 0.8 + 0.6 / (1 + 2.718281828459045**-4))),
        Found(third, pytest.approx(0.4 * 0.4 + 0.6 * 0.5)),
        Found(first, pytest.approx(0.4 * 1.0 + 0.6 / (1 + 2.718281828459045**4))),
    ]


def test_a_share_of_nothing_leaves_the_order_alone() -> None:
    ranked = rank(CORPUS, ["First", "Second", "Third"])
    assert Reading(CrossEncoderOptions(share=0.0)).apply(ask("rye"), ranked, CORPUS) == list(ranked)


def test_notes_that_are_not_read_stay_below_those_that_are_in_their_order() -> None:
    corpus = FakeCorpus(tuple(FakeNote(f"n{number}", "rye" if number > 1 else "oats") for number in range(5)))
    ranked = rank(corpus, {f"n{number}": 0.9 - number / 10 for number in range(5)})
    given = Reading(CrossEncoderOptions(top=2)).apply(ask("rye"), ranked, corpus)
    assert not isinstance(given, Skipped)
    assert corpus.titles(one.note for one in given) == ["n0", "n1", "n2", "n3", "n4"]
    floor = given[1].score
    assert [one.score for one in given[2:]] == pytest.approx([floor * 0.99 * share / 7 for share in (7, 6, 5)])


def test_scores_are_spread() -> None:
    """G.5-66: a softmax over one number makes every score 1."""
    assert [round(sigmoid(logit), 3) for logit in (-1e9, -2.0, 0.0, 2.0, 1e9)] == [0.0, 0.119, 0.5, 0.881, 1.0]
    corpus = bakery()
    given = Reading(CrossEncoderOptions(share=1.0)).apply(
        ask("rye bread"), rank(corpus, [note.title for note in corpus.notes][:10]), corpus
    )
    assert not isinstance(given, Skipped)
    scores = [one.score for one in given]
    assert len(set(scores)) >= 4 and max(scores) - min(scores) > 0.9


def test_the_reader_gets_the_question_with_title_and_text_of_the_best_notes() -> None:
    seen: list[tuple[str, str]] = []

    def read(pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        seen.extend(pairs)
        return [0.0] * len(pairs)

    stage = CrossEncoder(CrossEncoderOptions(top=2), read)
    stage.apply(ask("Where is rye?"), rank(CORPUS, ["First", "Second", "Third"]), CORPUS)
    assert seen == [("Where is rye?", "First\nof wheat"), ("Where is rye?", "Second\nrye, rye")]


def test_without_a_model_it_is_skipped_with_the_cure() -> None:
    given = CrossEncoder(CrossEncoderOptions()).apply(ask("rye"), rank(CORPUS, ["First", "Second"]), CORPUS)
    assert given == Skipped("no model is set; name one under retrieval.options.crossencoder.model")


@pytest.mark.skipif(IS_THERE, reason="sentence-transformers is installed")
def test_without_the_library_it_is_skipped_with_the_cure() -> None:
    stage = CrossEncoder(CrossEncoderOptions(model="/some/model"))
    assert stage.apply(ask("rye"), rank(CORPUS, ["First", "Second"]), CORPUS) == Skipped(
        "its library is not there; pip install 'ori-stage-crossencoder[model]'"
    )


def make_model(folder: Path, labels: int) -> str:
    """A cross-encoder of a few hundred weights, saved as any other."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    torch.manual_seed(7)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "first", "second", "third", "of", "wheat", "rye", ","]
    folder.mkdir()
    tokens = Tokenizer(WordPiece({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokens.normalizer, tokens.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    tokens.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), words, strict=False))
    config: Any = BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=32,
        num_labels=labels,
        initializer_range=1.0,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    PreTrainedTokenizerFast(tokenizer_object=tokens, model_max_length=32, **names).save_pretrained(folder)
    return str(folder)


@pytest.mark.skipif(not IS_THERE, reason="sentence-transformers is not installed")
class TestWithTheLibrary:
    def test_a_model_of_this_machine_is_read_and_its_scores_differ(self, tmp_path: Path) -> None:
        stage = CrossEncoder(CrossEncoderOptions(make_model(tmp_path / "one", labels=1), share=1.0))
        ranked = rank(CORPUS, ["First", "Second", "Third"])
        given = stage.apply(ask("rye"), ranked, CORPUS)
        assert not isinstance(given, Skipped)
        assert len({round(one.score, 4) for one in given}) == 3
        assert stage.apply(ask("rye"), ranked, CORPUS) == given
        assert not isinstance(stage.apply(ask("half a character: \ud800"), ranked, CORPUS), Skipped)

    def test_a_model_of_several_numbers_is_refused(self, tmp_path: Path) -> None:
        stage = CrossEncoder(CrossEncoderOptions(make_model(tmp_path / "three", labels=3)))
        with pytest.raises(UserError, match="gives 3 numbers"):
            stage.apply(ask("rye"), rank(CORPUS, ["First", "Second"]), CORPUS)

    def test_a_model_that_is_not_here_is_not_fetched(self) -> None:
        stage = CrossEncoder(CrossEncoderOptions("nobody/no-such-model"))
        with pytest.raises(UserError, match="set allow_download"):
            stage.apply(ask("rye"), rank(CORPUS, ["First", "Second"]), CORPUS)
