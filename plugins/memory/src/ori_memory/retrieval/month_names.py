"""Months as other widely written languages call them, in the forms that stand beside a day or a year."""

from __future__ import annotations

__all__ = ["MONTH_NAMES", "OTHER_WORDS"]

_NAMES = (
    "januar jänner janvier enero gennaio janeiro januari stycznia styczeń января январь январе січня ocak "
    "ianuarie január ledna ιανουαρίου tammikuuta जनवरी يناير",
    "februar février febrero febbraio fevereiro februari lutego luty февраля февраль феврале лютого şubat "
    "februarie február února φεβρουαρίου helmikuuta फ़रवरी फरवरी فبراير",
    "märz mars marzo março maart marca marzec марта март марте березня mart "
    "martie március marts maret března μαρτίου maaliskuuta मार्च مارس",
    "april avril abril aprile kwietnia kwiecień апреля апрель апреле квітня nisan "
    "aprilie április dubna απριλίου huhtikuuta अप्रैल أبريل ابريل",
    "mai mayo maggio maio mei maj maja мая май мае травня mayıs május μαΐου toukokuuta मई مايو",
    "juni juin junio giugno junho czerwca czerwiec июня июнь июне червня haziran "
    "června iunie június června ιουνίου kesäkuuta जून يونيو",
    "juli juillet julio luglio julho lipca lipiec июля июль июле липня temmuz "
    "iulie július července ιουλίου heinäkuuta जुलाई يوليو",
    "august août agosto augustus augusti sierpnia sierpień августа август августе серпня ağustos "
    "augusztus agustus srpna αυγούστου elokuuta अगस्त أغسطس",
    "september septembre septiembre settembre setembro września wrzesień сентября сентябрь сентябре вересня eylül "
    "septembrie szeptember září σεπτεμβρίου syyskuuta सितंबर सितम्बर سبتمبر",
    "oktober octobre octubre ottobre outubro października październik октября октябрь октябре жовтня ekim "
    "octombrie október října οκτωβρίου lokakuuta अक्टूबर अक्तूबर أكتوبر",
    "november novembre noviembre novembro listopada listopad ноября ноябрь ноябре листопада kasım "
    "noiembrie listopadu νοεμβρίου marraskuuta नवंबर नवम्बर نوفمبر",
    "dezember décembre diciembre dicembre dezembro december grudnia grudzień декабря декабрь декабре грудня aralık "
    "decembrie desember prosince δεκεμβρίου joulukuuta दिसंबर दिसम्बर ديسمبر",
)

MONTH_NAMES = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
"""By name, in small letters."""

OTHER_WORDS = frozenset(("mars", "marts", "marca", "mart", "mayo", "nisan", "augusti"))
"""Those that beside a number mostly mean something else: Mars 2020 is a rover."""
