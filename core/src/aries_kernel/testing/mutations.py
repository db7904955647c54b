"""Records as a broken server would send them: good ones with values replaced, left out, repeated."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

__all__ = ["mutated"]

_SCALARS: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "x", "{", '"', "\ud83d", "stop", "error"])
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "type", "text"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@st.composite
def mutated(draw: st.DrawFn, records: Sequence[Any]) -> list[Any]:
    """`records` with up to six things wrong in them."""
    made: list[Any] = copy.deepcopy(list(records))
    for _ in range(draw(st.integers(1, 6))):
        places = list(_places(made))
        if not places:
            break
        holder, key = draw(st.sampled_from(places))
        match draw(st.sampled_from(["replace", "drop", "repeat"])):
            case "drop":
                del holder[key]
            case "repeat" if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            case _:
                holder[key] = draw(_VALUES)
    return made


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])
