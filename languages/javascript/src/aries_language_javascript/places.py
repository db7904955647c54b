"""What the place of a file says about it."""

from __future__ import annotations

import re

__all__ = ["is_test"]

_TEST_FILE = re.compile(
    r"(?:^|[.\-_])(?:test|tests|spec|specs|cy|e2e|bench|stories)\.(?:d\.)?[cm]?[jt]sx?$", re.IGNORECASE
)
_TEST_FOLDERS = frozenset(
    {
        "__tests__",
        "__test__",
        "__mocks__",
        "__fixtures__",
        "test",
        "tests",
        "spec",
        "specs",
        "e2e",
        "cypress",
        "fixtures",
    }
)


def is_test(path: str) -> bool:
    """By the customs of Jest, Vitest, Mocha, Jasmine, Playwright and Cypress."""
    *folders, name = path.split("/")
    return bool(_TEST_FILE.search(name)) or not _TEST_FOLDERS.isdisjoint(map(str.lower, folders))
