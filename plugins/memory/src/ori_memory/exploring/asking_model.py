"""Sub-questions from a language model, where the vault's settings name one."""

from __future__ import annotations

import asyncio
import datetime
import json
import random
import re
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from attrs import define

from aries_kernel.errors import UserError

if TYPE_CHECKING:
    from aries_kernel.host import Host
    from ori_memory.vault.config import LanguageModel

__all__ = ["Asking", "questions_in"]

_QUESTIONS = 3
_MOST_TOKENS = 1_000
"""Of an answer; a model that thinks first needs more than the questions take."""
_LONGEST = 300
"""Characters of a question; what is longer is prose."""
_PROMPT = """A question is to be answered from a folder of notes.

Question: {question}

Titles of the notes found so far:
{titles}

Which facts are still to be looked up? Write up to three short questions, each about one fact and understandable by
itself, one a line and nothing else. Write NONE if nothing is left."""

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
_MARK = re.compile(r"^(?:[-*\u2022]|\(?\d{1,2}[.):]|Q\d{1,2}[.:])\s+")


def questions_in(text: str) -> list[str]:
    """The questions of an answer: a line each, or a JSON list, with or without marks and thoughts around them."""
    said = _THOUGHT.sub("", text).strip()
    said = re.sub(r"\A```\w*\n|\n```\Z", "", said).strip()
    lines: Sequence[object] = said.splitlines()
    if said.startswith("["):
        try:
            lines = json.loads(said)
        except (ValueError, RecursionError):
            lines = said.splitlines()
    found = [_MARK.sub("", str(line).strip()).strip(" \t\"'`*") for line in lines]
    fit = [one for one in found if any(map(str.isalpha, one)) and len(one) <= _LONGEST and one.upper() != "NONE"]
    return fit[:_QUESTIONS]


@define
class Asking:
    """Asks the model for what is left of a question. It has a thread of its own, whatever loop runs in the caller's."""

    root: Path
    settings: LanguageModel
    environ: Mapping[str, str]
    _thread: ThreadPoolExecutor

    @classmethod
    def open(cls, root: Path, settings: LanguageModel, environ: Mapping[str, str]) -> Self:
        """Nothing is loaded until it is asked."""
        return cls(root, settings, environ, ThreadPoolExecutor(1, thread_name_prefix="ori-model"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def __call__(self, question: str, titles: Sequence[str]) -> Sequence[str]:
        """At most three questions.

        Raises: UserError where no such model is set up or it does not answer in time; errors of its provider.
        """
        prompt = _PROMPT.format(question=question, titles="\n".join(f"- {title}" for title in titles))
        return questions_in(self._thread.submit(asyncio.run, self._answer(prompt)).result())

    async def _answer(self, prompt: str) -> str:
        host = _host(self.root, self.settings.model, self.environ)
        try:
            models = host.questions()
            if models is None:
                raise UserError("llm.model is 'cheap', but aries' settings name no model for that: models.cheap.model.")
            async with asyncio.timeout(self.settings.seconds):
                return (await models.ask(prompt, _MOST_TOKENS)).text
        except TimeoutError as error:
            raise UserError(f"{self.settings.model} did not answer within {self.settings.seconds:g} s.") from error
        finally:
            await host.close()


def _host(root: Path, model: str, environ: Mapping[str, str]) -> Host:
    """Providers, keys and prices as aries has them; a project's settings are nobody's who asks a vault.

    Raises: UserError and its kinds.
    """
    import platformdirs

    from aries_kernel.discovery.registry import Plugins
    from aries_kernel.host import Host, Surroundings
    from aries_kernel.settings.loading import load_settings

    home = Path(environ.get("HOME") or Path.home())
    cache = platformdirs.user_cache_path("aries", appauthor=False)
    flags = {} if model == "cheap" else {"models": {"cheap": {"model": model}}}
    loaded = load_settings(home / ".aries" / "config.yaml", None, environ, flags)
    surroundings = Surroundings(
        environ=environ,
        home=home,
        state_folder=platformdirs.user_state_path("aries", appauthor=False),
        cache_folder=cache,
        now=lambda: datetime.datetime.now().astimezone(),
        clock=time.monotonic,
        chance=random.Random(),
    )
    plugins = Plugins.discover(cache_folder=cache, disabled=loaded.settings.plugins.disabled, environ=environ)
    return Host(surroundings, root, loaded, plugins)
