"""What was learned from use and cannot be derived again: access counts, activation boosts, new connections."""

from __future__ import annotations

from ori_memory.learned.exchange import ImportReport
from ori_memory.learned.store import Access, ForgetReport, LearnedStatus, LearnedStore

__all__ = ["Access", "ForgetReport", "ImportReport", "LearnedStatus", "LearnedStore"]
