"""Elements that no component stands behind."""

from __future__ import annotations

__all__ = ["is_native"]

_HTML = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote "
    "body br button canvas caption center cite code col colgroup command content data datalist dd del details dfn "
    "dialog dir div dl dt element em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 "
    "h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee math "
    "menu menuitem meta meter nav nobr noframes noscript object ol optgroup option output p param picture plaintext "
    "portal pre progress q rp rt rtc ruby s samp script search section select shadow small source spacer span "
    "strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt "
    "u ul var video wbr"
)
_SVG = (
    "animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix "
    "feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight "
    "feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology "
    "feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter foreignObject g image line "
    "linearGradient marker mask metadata mpath path pattern polygon polyline radialGradient rect set stop switch "
    "symbol text textPath tspan use view"
)
_OF_VUE = "component keep-alive slot suspense teleport transition transition-group"
_NATIVE = frozenset(f"{_HTML} {_SVG} {_OF_VUE}".encode().split())


def is_native(tag: bytes) -> bool:
    """Whether a tag is one of HTML or SVG, or of Vue itself, and so never what a script has by that name."""
    return tag in _NATIVE
