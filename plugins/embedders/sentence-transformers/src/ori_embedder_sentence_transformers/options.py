"""The settings of the embedder."""

from __future__ import annotations

from attrs import field, frozen, validators

__all__ = ["Options"]


@frozen
class Options:
    """Settings below `embedders.sentence-transformers`."""

    model: str = "sentence-transformers/all-MiniLM-L6-v2"
    """A model's name on the hub, or a folder that holds one."""
    device: str = field(default="auto", validator=validators.in_(("auto", "cpu", "cuda", "mps")))
    allow_download: bool = False
    """Whether a model that is not on this machine may be fetched from the hub."""
    trust_remote_code: bool = False
    """Whether program text that comes with the model may run."""
    query_prefix: str | None = None
    """Stands before each question; None: what the model itself names, if anything."""
    passage_prefix: str | None = None
    batch_size: int = field(default=32, validator=[validators.instance_of(int), validators.ge(1)])
