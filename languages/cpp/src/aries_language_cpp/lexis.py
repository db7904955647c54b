"""How C++ is written."""

from __future__ import annotations

import attrs

from aries_kernel.contracts.lexis import words
from aries_language_c.lexis import LEXIS as C

__all__ = ["LEXIS"]

LEXIS = attrs.evolve(
    C,
    keywords=C.keywords
    | words(
        "alignas alignof bool catch class co_await co_return co_yield concept const_cast consteval constexpr "
        "constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept "
        "operator private protected public reinterpret_cast requires static_assert static_cast template this "
        "thread_local throw try typeid typename using virtual wchar_t"
    ),
    constants=C.constants | {"nullptr"},
    raw_strings=(('R"(', ')"'),),
    contexts=(("class C {", "};"), *C.contexts),
)
