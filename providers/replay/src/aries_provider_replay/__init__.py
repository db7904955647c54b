"""Plays a scripted transcript instead of asking a model."""

from aries_provider_replay.provider import Options, ReplayProvider

__all__ = ["Options", "ReplayProvider"]
