"""Words so common in English prose that a note named so is meant by a link only."""

from __future__ import annotations

__all__ = ["COMMON_WORDS"]

_LINES = """
a about above after again against all also although always am among an and another any anyone anything are around as
at away back based be became because become been before began behind being below best better between both but by call
came can cannot come could day days did different do does doing done down during each early either else end enough
even ever every everyone everything example far few find first following for found four from full further gave get
gets getting give given go goes going good got great had has have having he help her here hers herself high him
himself his how however i if important in instead interesting into is it items its itself just keep kind know known
large last later least less let like line link links list little long look lot made make makes making man many may
maybe me mean means might mine more most much must my myself name near need needs never new next no nobody node nodes
none nor not note notes nothing now of off often old on once one ones only open or order other others our ours out
over own page part people per perhaps place please possible put quite rather read really right said same saw say says
second see seem seems seen set several shall she should show side simple since small so some someone something
sometimes soon start still such sure take taken tell than that the their theirs them then there therefore these they
thing things think this those though three through thus time times to today together told tomorrow too took topic
toward try two type under until up upon us use used useful user users uses using usually very via want wants was way
ways we well went were what when where whether which while who whole whom whose why will with within without word
words work worked working works would write year years yes yesterday yet you your yours yourself
""".split()  # noqa: SIM905 - a list of four hundred quoted words would be harder to read and to keep sorted

COMMON_WORDS = frozenset(_LINES)
