"""Whose word is taken for it that a server is the one it says it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl

__all__ = ["trusting"]


def trusting(environ: Mapping[str, str], library: Callable[[], str]) -> ssl.SSLContext:
    """The authorities of SSL_CERT_FILE and SSL_CERT_DIR where set; otherwise the system's and a library's.

    Raises: ValueError, one sentence, where what these name cannot be used.
    """
    import ssl

    file, folder = environ.get("SSL_CERT_FILE") or None, environ.get("SSL_CERT_DIR") or None
    if file or folder:
        try:
            return ssl.create_default_context(cafile=file, capath=folder)
        except OSError as error:
            raise ValueError(f"SSL_CERT_FILE or SSL_CERT_DIR cannot be used: {error}.") from error
    context = ssl.create_default_context()
    context.load_verify_locations(cafile=library())
    return context
