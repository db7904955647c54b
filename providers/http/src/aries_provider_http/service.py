"""One vendor's service: what a provider must know before anybody set anything."""

from __future__ import annotations

from attrs import frozen

from aries_provider_http.endpoint import AddressRule

__all__ = ["Service"]


@frozen
class Service:
    """A provider for another vendor of a known wire format is a `Service` with its own data file."""

    name: str
    base_url: str
    package: str
    """The package that holds its `models.json`."""
    base_url_variable: str | None = None
    """A variable that replaces the default address, of this service alone."""
    more_key_variables: tuple[str, ...] = ()
    """Where the key is looked for next, as long as `api_key_env` has its default."""
    key_is_optional: bool = False
    """True where nothing is known about the server, so that it may well need none."""
    model_names: tuple[str, ...] = ()
    """How every model's name begins on the vendor's own host; empty: in any way."""
    address: AddressRule = AddressRule()
