"""`aries models`: the slots, and the models of every provider with what is known about them."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterable, Iterator

import attrs
import click
from attrs import field, frozen

from aries_cli.opening import Flags, make_host
from aries_kernel.console.table import table
from aries_kernel.contracts.provider import ListsModels
from aries_kernel.errors import AriesError, MissingKey, PluginError, UnknownName, UserError
from aries_kernel.host import Host
from aries_kernel.model.request import ModelInfo
from aries_kernel.router.listed import address_of
from aries_kernel.router.naming import resolve
from aries_kernel.router.router import SLOTS, Router

__all__ = ["models"]


@frozen
class _Offer:
    """What one provider has."""

    provider: str
    models: tuple[ModelInfo, ...] = ()
    source: str = ""
    problem: str = ""
    """Why it cannot be asked, or why its list cannot be had."""


@frozen
class _Found:
    host: Host
    router: Router
    offers: list[_Offer] = field(factory=list)


@click.command()
@click.argument("provider", required=False)
@click.option("--refresh", is_flag=True, help="Ask the providers for their own lists, and keep what they say.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def models(flags: Flags, provider: str | None, refresh: bool, as_json: bool) -> int:
    """List slots and models: windows, prices, what they can do."""
    host = make_host(flags, flags.surroundings())
    found = _Found(host, host.router())
    names = found.router.all_providers()
    if provider is not None and provider not in names:
        raise UnknownName("provider", provider, names)
    chosen = names if provider is None else (provider,)
    found.offers.extend(
        asyncio.run(_refreshed(found, chosen, is_named=provider is not None))
        if refresh
        else (_known(found, one) for one in chosen)
    )
    if as_json:
        click.echo(json.dumps(_document(found), indent=2, ensure_ascii=False))
    else:
        _print(found, with_slots=provider is None)
    for warning in host.warnings:
        click.echo(f"aries: {warning}", err=True)
    # Whoever asks for all lists is told which cannot be had; nobody has a key for each provider.
    return 1 if refresh and provider is not None and found.offers[0].problem else 0


def _known(found: _Found, name: str) -> _Offer:
    """Data file, settings and the list that was kept; no request is made."""
    try:
        provider = found.router.provider(name)
        infos = {model: provider.model_info(model) for model in provider.known_models()}
    except (UserError, PluginError) as error:
        return _Offer(name, problem=str(error))
    address = address_of(provider)
    kept = found.router.listed.of(name, address) if found.router.listed is not None else None
    if kept is None:
        return _Offer(name, tuple(infos.values()), "data file", _missing(found, name, infos))
    infos |= {one.name: infos.get(one.name, one) for one in kept.models}
    filled = [found.router.listed.fill(name, address, one) for one in infos.values()] if found.router.listed else []
    return _Offer(name, tuple(filled), f"its own list of {kept.at}", _missing(found, name, infos))


def _missing(found: _Found, name: str, models: Iterable[str]) -> str:
    """Why the provider cannot be asked, as far as that can be told."""
    for model in models:
        try:
            found.router.provider(name).check(model)
        except MissingKey as error:
            return str(error)
        except UserError:
            continue  # Of this model alone.
    return ""


async def _refreshed(found: _Found, names: tuple[str, ...], *, is_named: bool) -> list[_Offer]:
    try:
        return [await _ask(found, name, is_named=is_named) for name in names]
    finally:
        await found.router.close()


async def _ask(found: _Found, name: str, *, is_named: bool) -> _Offer:
    old = _known(found, name)
    if old.problem and not is_named:
        return old
    try:
        provider = found.router.provider(name)
        if not isinstance(provider, ListsModels):
            return old
        listed = await provider.list_models()
    except AriesError as error:
        return attrs.evolve(old, problem=str(error))
    date = f"{found.host.surroundings.now():%Y-%m-%d}"
    if found.router.listed is not None:
        try:
            found.router.listed.keep(name, address_of(provider), listed, date)
        except OSError as error:
            return _Offer(name, listed, "its own list, just now", f"The list cannot be kept: {error}.")
    return _Offer(name, listed, "its own list, just now")


def _targets(host: Host) -> dict[str, str]:
    """Short names that can be followed; a circle is told when it is used."""
    names = host.loaded.settings.models.shortnames
    found = {}
    for name in names:
        try:
            found[name] = resolve(name, names)
        except UserError as error:
            host.warnings.append(f"models.shortnames.{name}: {error}")
    return found


def _slots(found: _Found) -> Iterator[dict[str, object]]:
    for slot in SLOTS:
        own = found.router.configured(slot)
        settings = getattr(found.host.loaded.settings.models, own)
        try:
            model, problem = resolve(settings.model, found.host.loaded.settings.models.shortnames), ""
        except UserError as error:
            model, problem = settings.model, str(error)
        yield {
            "slot": slot,
            "settings_of": own,
            "model": model,
            "effort": settings.effort,
            "max_output": settings.max_output,
            "context_window": settings.context_window,
            "fallbacks": list(settings.fallbacks),
            "problem": problem,
        }


def _document(found: _Found) -> dict[str, object]:
    return {
        "slots": list(_slots(found)),
        "shortnames": _targets(found.host),
        "providers": [
            {
                "provider": offer.provider,
                "source": offer.source,
                "problem": offer.problem,
                "models": [attrs.asdict(one) for one in offer.models],
            }
            for offer in found.offers
        ],
    }


def _print(found: _Found, *, with_slots: bool) -> None:
    if with_slots:
        slots = [
            (
                one["slot"],
                one["model"] if one["slot"] == one["settings_of"] else f"as {one['settings_of']}",
                one["effort"] or "-",
                ", ".join(map(str, one["fallbacks"] if isinstance(one["fallbacks"], list) else ())) or "-",
            )
            for one in _slots(found)
        ]
        click.echo(table(("SLOT", "MODEL", "EFFORT", "FALLBACKS"), slots) + "\n")
    names: dict[str, list[str]] = {}
    for name, target in _targets(found.host).items():
        names.setdefault(target, []).append(name)
    rows = [
        (
            f"{offer.provider}/{one.name}",
            ", ".join(names.get(f"{offer.provider}/{one.name}", ())) or "-",
            f"{one.context_window:,}" if one.context_window else "?",
            f"{one.max_output:,}" if one.max_output else "?",
            _price(one),
            _abilities(one),
        )
        for offer in found.offers
        for one in offer.models
    ]
    header = ("MODEL", "SHORT", "WINDOW", "OUTPUT", "US$ IN/CACHED/OUT", "CAN")
    click.echo(table(header, rows, free=("SHORT", "CAN"), width=shutil.get_terminal_size().columns))
    click.echo()
    for offer in found.offers:
        many = "1 model" if len(offer.models) == 1 else f"{len(offer.models)} models"
        said = f"{many}, from {offer.source}" if offer.source else "not usable"
        click.echo(f"{offer.provider}: {said}.{f' {offer.problem}' if offer.problem else ''}")


def _price(one: ModelInfo) -> str:
    if one.price is None:
        return "?"
    read = one.price.input if one.price.cache_read is None else one.price.cache_read
    return f"{one.price.input:g}/{read:g}/{one.price.output:g}"


def _abilities(one: ModelInfo) -> str:
    can = {"tools": one.has_tools, "images": one.has_images, "thinking": one.has_reasoning}
    return " ".join(word for word, is_so in can.items() if is_so) or "-"
