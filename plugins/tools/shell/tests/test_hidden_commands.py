"""Random scripts: whatever is put around a command, the analysis finds it, and it never fails."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.broker.effects import RunCommand
from aries_kernel.broker.policy import Policy
from aries_kernel.broker.workspace import Workspace
from aries_kernel.settings.schema import Permissions
from aries_tool_shell.analysis import analyse

NOWHERE = Path("/nonexistent-workspace")

MARK = "rm"
_SIMPLE = st.sampled_from(
    [
        "rm x",
        "ls",
        "git status",
        "'rm' a",
        "\\rm b",
        "/bin/rm c",
        "env rm d",
        "A=1 rm e",
        "timeout 3 rm f",
        "echo hi",
        "! rm g",
        "nice -n 2 rm h",
        "xargs rm",
        "sh -c 'rm i'",
        "eval rm j",
        "rm > out",
        "command rm k",
        "find . -exec rm {} \\;",
    ]
)


def _quoted(script: str) -> str:
    return "'" + script.replace("'", "'\\''") + "'"


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joins = st.sampled_from([";", " && ", " || ", " | ", "\n", " & ", " |& "])
    frames = st.sampled_from(
        [
            "({})",
            "{{ {}\n}}",
            "if true; then {}\nfi",
            "while {}\ndo break; done",
            "for i in a; do {}\ndone",
            "f() {{ {}\n}}",
            "echo $({})",
            'echo "$({})"',
            "case a in a) {}\n;; esac",
            "cat <({})",
            "X=$({})",
            "cat <<E\n$({})\nE\n",
            "if {}\nthen ls\nfi",
        ]
    )
    codes = st.sampled_from(
        ["sh -c {}", "bash -ec {}", "eval {}", "nice bash -c {}", "env A=1 sh -c {}", "bash <<< {}"]
    )
    return st.one_of(
        st.tuples(inner, joins, inner).map("".join),
        st.tuples(frames, inner).map(lambda pair: pair[0].format(pair[1])),
        st.tuples(codes, inner).map(lambda pair: pair[0].format(_quoted(pair[1]))),
    )


@settings(max_examples=300, deadline=None)
@given(st.recursive(_SIMPLE, _nested, max_leaves=6))
def test_no_combination_hides_the_command(script: str) -> None:
    found = [effect for effect in analyse(script, NOWHERE) if isinstance(effect, RunCommand)]
    is_found = any(one.words[0].rsplit("/", 1)[-1] == MARK for one in found)
    assert is_found or MARK not in script or any(one.doubt for one in found), found


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.text(max_size=80),
        st.binary(max_size=80).map(lambda data: data.decode("utf-8", "surrogateescape")),
        st.lists(st.sampled_from("rm ;\n&|(){}'\"\\$`<>EF#!*?[]~=-"), max_size=40).map("".join),
    )
)
def test_no_text_makes_the_analysis_raise(script: str) -> None:
    effects = analyse(script, NOWHERE)
    assert any(isinstance(effect, RunCommand) for effect in effects)
    Policy.make(Permissions(deny=("Bash(rm)",)), Workspace(NOWHERE)).decide("Bash", effects)
