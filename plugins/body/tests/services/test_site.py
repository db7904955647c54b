"""A body made from the settings: every limit of theirs holds."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from aries_body.confinement.plan import Confinement
from aries_body.process.body import Body
from aries_body.services.assembling import Site
from aries_body.services.loop import running_loop
from aries_body.services.providers import groups_with
from aries_body.tool import ReplArguments, make_repl
from aries_kernel.contracts.tool import ModelSaid, ToolOutput
from aries_kernel.errors import ConfigError, Refused
from aries_kernel.settings.loading import load_settings
from aries_kernel.settings.schema import Body as BodySettings
from aries_kernel.testing.workspaces import make_context


class Session:
    """Answers questions of code, for a tenth of a dollar each."""

    async def __call__(self, name: str, arguments: object) -> ToolOutput:
        raise Refused("no tools here")

    async def ask_person(self, question: str) -> str:
        return f"because of {question}"

    def show_person(self, text: str) -> None:
        return

    async def ask_model(self, prompt: str, *, max_output: int) -> ModelSaid:
        return ModelSaid("42", 10, 0.1)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    with running_loop() as found:
        yield found


def _body(project: Path, loop: asyncio.AbstractEventLoop, settings: BodySettings) -> Body:
    site = Site(project, os.environ, project, settings, inner=Session())
    providers = site.providers()
    services = site.services(loop, providers)
    return site.body(Confinement("none"), groups_with(providers), services)


@pytest.mark.parametrize(
    ("settings", "code", "told"),
    [
        (BodySettings(memory=200), "x = bytearray(400_000_000)", "MemoryError"),
        (BodySettings(file_size=1), "open(__import__('tempfile').mkstemp()[1], 'wb').write(bytes(3_000_000))", "large"),
        (BodySettings(output=4), "print('x' * 100_000)", "bytes left out here"),
        (BodySettings(model_calls=1), "[rlm_call('q'), rlm_call('q')]", "body.model_calls"),
        (BodySettings(model_cost=0.1), "[rlm_call('q'), rlm_call('q')]", "body.model_cost"),
    ],
)
def test_a_limit_of_the_settings_holds(
    tmp_path: Path, loop: asyncio.AbstractEventLoop, settings: BodySettings, code: str, told: str
) -> None:
    body = _body(tmp_path, loop, settings)
    try:
        done = body.execute(code)
        assert told in f"{done.printed.text} {done.value} {done.error}", done
        assert len(done.printed.text) < 6_000
    finally:
        body.close()


def test_limits_that_end_a_process_are_handed_to_it(tmp_path: Path, loop: asyncio.AbstractEventLoop) -> None:
    settings = BodySettings(processes=30, cpu_seconds=77, file_size=9, memory=321)
    limits = _body(tmp_path, loop, settings).launch.limits
    assert (limits.processes, limits.cpu, limits.file, limits.memory) == (30, 77, 9, 321)


def test_the_person_answers_code_and_a_failure_of_the_model_is_no_text(
    tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> None:
    body = _body(tmp_path, loop, BodySettings(model_calls=0))
    try:
        assert body.execute("ask('what?')").value == "'because of what?'"
        assert "NoAnswer" in (body.execute("rlm_call('q') + ' and more'").error or "")
    finally:
        body.close()


def test_an_execution_that_names_no_limit_of_time_has_that_of_the_settings(tmp_path: Path) -> None:
    async def run() -> list[ToolOutput]:
        tool = make_repl(attrs.evolve(make_context(tmp_path), body=BodySettings(seconds=0.5)))
        assert tool is not None
        try:
            codes = (ReplArguments("while True: pass"), ReplArguments("1 + 1", 60))
            return [await tool.run(one) for one in codes]
        finally:
            await tool.close()

    endless, quick = asyncio.run(run())
    assert endless.is_error and "time limit of 0.5 s" in endless.text and quick.text == "2"


def test_a_group_that_the_settings_speak_of_is_given_its_part(tmp_path: Path) -> None:
    class Plugins:
        def names(self, group: str) -> tuple[str, ...]:
            return ("notes",)

        def load(self, group: str, name: str) -> object:
            def factory(context: object) -> object:
                raise Refused(f"given {getattr(context, 'options', None)}")

            return factory

    site = Site(tmp_path, {}, tmp_path, BodySettings(groups={"notes": {"path": "here"}}), Plugins())
    assert site.providers()[1].group.absent == "given {'path': 'here'}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("body: {seconds: 0}", "body.seconds must be a number from 0.1 on, not 0"),
        ("body: {seconds: 601}", "body.seconds must be at most 600, not 601"),
        ("body: {memory: 1}", "body.memory must be a number from 128 on, not 1"),
        ("body: {memory: lots}", "body.memory"),
        ("body: {output: 100000}", "body.output must be at most 8192"),
        ("body: {model_calls: -1}", "body.model_calls must be a number from 0 on"),
    ],
)
def test_a_limit_that_cannot_be_is_an_error_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_settings(file, None, {}, {})
    assert told in str(caught.value) and "config.yaml:1" in str(caught.value)


def test_a_project_may_not_widen_what_costs_the_person_money_or_memory(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(
        "body: {seconds: 30, memory: 99999, model_calls: 500, groups: {vault: {path: x}}}", encoding="utf-8"
    )
    loaded = load_settings(tmp_path / "none", file, {}, {})
    assert loaded.settings.body == BodySettings(seconds=30)
    assert len(loaded.warnings) == 3 and "body.memory is ignored in a project's file" in " ".join(loaded.warnings)
