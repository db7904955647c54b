"""What an agent said, as it may be kept for a few hours: without secrets, and not endless."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["kept_text"]

_LONGEST = 20_000


def kept_text(text: str, environ: Mapping[str, str]) -> str:
    """The end of it: that is where the answer stands."""
    from aries_kernel.broker.secrets import Redactor, secret_values
    from ori_memory.operations.visible_lines import without_secrets

    redact = Redactor(secret_values(environ))
    return "\n".join(without_secrets(redact(text[-_LONGEST:]).splitlines()))
