"""Patterns of settings, with and without an expression behind them."""

from __future__ import annotations

import pytest

from aries_language_javascript.globs import matches_any


@pytest.mark.parametrize(
    ("patterns", "named", "others"),
    [
        (("src",), ["src"], ["src/a", "srcs"]),
        (("src/**/*",), ["src/a.ts", "src/b/c.ts"], ["srcs/a.ts", "lib/src/a.ts"]),
        (("src/**",), ["src/a.ts", "src/b/c.ts"], ["src", "srcs/a.ts"]),
        (("**/*",), ["a.ts", "src/a.ts"], []),
        (("**",), ["a.ts", "src/a.ts"], []),
        (("src**",), ["src", "srcs/a.ts"], ["lib/src"]),
        (("packages/*",), ["packages/a"], ["packages/a/b", "packages"]),
        (("a/*/src/**/*",), ["a/b/src/c/d.ts"], ["a/src/c.ts", "a/b/c/src/d.ts"]),
        (("{a,b}/**",), ["a/x", "b/x"], ["c/x"]),
        (("x.ts", "src/**/*", "lib/?.ts"), ["x.ts", "src/y.ts", "lib/a.ts"], ["lib/ab.ts", "y.ts"]),
        ((), [], ["a"]),
    ],
)
def test_patterns_name_paths(patterns: tuple[str, ...], named: list[str], others: list[str]) -> None:
    assert [one for one in (*named, *others) if matches_any(patterns, one)] == named
