"""Months as other widely written languages call them, in the forms that stand beside a day or a year."""

from __future__ import annotations

__all__ = ["MONTH_NAMES", "OTHER_WORDS"]

_NAMES = (
    "januar jänner janvier enero gennaio janeiro januari stycznia styczeń января январь январе січня ocak",
    "februar février febrero febbraio fevereiro februari lutego luty февраля февраль феврале лютого şubat",
    "märz mars marzo março maart marca marzec марта март марте березня mart",
    "april avril abril aprile kwietnia kwiecień апреля апрель апреле квітня nisan",
    "mai mayo maggio maio mei maj maja мая май мае травня mayıs",
    "juni juin junio giugno junho czerwca czerwiec июня июнь июне червня haziran",
    "juli juillet julio luglio julho lipca lipiec июля июль июле липня temmuz",
    "august août agosto augustus augusti sierpnia sierpień августа август августе серпня ağustos",
    "september septembre septiembre settembre setembro września wrzesień сентября сентябрь сентябре вересня eylül",
    "oktober octobre octubre ottobre outubro października październik октября октябрь октябре жовтня ekim",
    "november novembre noviembre novembro listopada listopad ноября ноябрь ноябре листопада kasım",
    "dezember décembre diciembre dicembre dezembro december grudnia grudzień декабря декабрь декабре грудня aralık",
)

MONTH_NAMES = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
"""By name, in small letters."""

OTHER_WORDS = frozenset(("mars", "marca", "mart", "mayo", "nisan", "augusti"))
"""Those that beside a number mostly mean something else: Mars 2020 is a rover."""
