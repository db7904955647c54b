"""What the readers of C and C++ differ in."""

from __future__ import annotations

from attrs import frozen

__all__ = ["C_DIALECT", "Dialect"]

_NEVER = (
    b"NULL defined size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t "
    b"ptrdiff_t va_list bool true false FILE va_start va_end va_arg va_copy offsetof __FILE__ __LINE__ __func__ "
    b"__VA_ARGS__ __cplusplus __GNUC__ __attribute__ __declspec _WIN32 errno"
)


@frozen
class Dialect:
    """One of the languages."""

    name: str
    title: str
    grammar: str
    """The package of the grammar."""
    owner: str
    """The package with its `facts.scm`."""
    never: frozenset[bytes]
    """Names that no file of a project gives to something."""
    opens: frozenset[str] = frozenset()
    """Kinds of symbols whose members are seen inside without a prefix."""
    shared: frozenset[str] = frozenset()
    """Kinds of symbols that other files add to."""
    divider: bytes = b""
    """What stands behind namespaces and types."""


C_DIALECT = Dialect("c", "C", "tree_sitter_c", "aries_language_c", frozenset(_NEVER.split()))
