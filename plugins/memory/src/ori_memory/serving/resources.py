"""The five resources: the own files as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aries_kernel.errors import UnknownName
from ori_memory.operations.own_files import OWN_FILES, read_own

if TYPE_CHECKING:
    from ori_memory.vault.vault import Vault

__all__ = ["MIME_TYPE", "read_resource", "resource_list"]

SCHEME = "ori://"
MIME_TYPE = "text/markdown"
_MOST = 64_000
"""Characters; a resource has no pages, and a client puts it into its context whole."""


def resource_list() -> list[dict[str, Any]]:
    """The entries of `resources/list`."""
    return [
        {"name": name, "uri": SCHEME + name, "description": about, "mimeType": MIME_TYPE}
        for name, (_, _, about) in OWN_FILES.items()
    ]


def read_resource(vault: Vault, uri: str) -> str:
    """The text of a resource, empty where there is no such file.

    Raises: UnknownName; UserError where it cannot be read.
    """
    name = uri.removeprefix(SCHEME).rstrip("/")
    if not uri.startswith(SCHEME) or name not in OWN_FILES:
        raise UnknownName("resource", uri, [SCHEME + known for known in OWN_FILES])
    text = read_own(vault, name)
    if len(text) <= _MOST:
        return text
    more = f"{len(text) - _MOST:,} characters more; ori_orient with brief false gives them in pages."
    return f"{text[:_MOST]}\n\n[{more}]"
