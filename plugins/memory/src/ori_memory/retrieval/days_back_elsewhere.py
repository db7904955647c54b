"""Days that a question counts back from its own, in other widely written languages: "vor vier Wochen", "上周五"."""

from __future__ import annotations

import re

from ori_memory.retrieval.dates_said import Reader
from ori_memory.retrieval.day_steps import Days, Now, ago, of_week, unit_back, weekday, within
from ori_memory.retrieval.signs import NUMERAL, number_of

__all__ = ["READERS"]

_DAYS_AGO = (
    "heute aujourd'hui aujourd’hui hoy oggi hoje vandaag dzisiaj dziś сегодня сьогодні idag i\xa0dag bugün आज اليوم",
    "gestern ayer ieri ontem gisteren wczoraj вчера вчора igår i\xa0går dün أمس",
    "vorgestern avant-hier anteayer antier anteontem eergisteren przedwczoraj позавчера позавчора förrgår",
)
"""Today, yesterday and the day before."""
_SIGN_DAYS_AGO = ("今天 今日 本日 오늘", "昨天 昨日 昨晚 きのう 어제", "前天 一昨日 おととい 그저께 그제")
_UNITS = {
    "day": "tag(?:e|en)? jours? d[ií]as? giorn[oi] dag(?:en|ar)? dni dzień день дня дней дні днів gün दिन",
    "week": "wochen? semaines? semanas? settiman[ae] week weken tydzień tygodni(?:a|e|u)? недел[ьюияе] "
    "тиж(?:день|ня|ні|нів) veck(?:a|or|an) hafta हफ़्ते हफ्ते सप्ताह",
    "month": "monat(?:e|en|s)? mois mes(?:es|i|e)? mês maand(?:en)? miesi(?:ąc|ące|ęcy|ącu|ąca) месяц(?:а|ев|е)? "
    "місяц(?:ь|я|і|ів) månad(?:er|en)? ay महीने महीना",
    "year": "jahr(?:e|en|es)? ann?ées? ans? años? ann[oi] anos? jaar jaren lata? rok(?:u|и|ів)? год(?:а|у)? лет "
    "рок(?:у|и|ів)? år(?:et)? yıl sene साल वर्ष",
}
_NUMBERS = (
    "ein eine einem einen einer un une uno una um uma een één jeden jedną один одну ett bir एक",
    "zwei deux dos due dois duas par\xa0de paio\xa0di twee dwa dwie два две дві två iki दो",
    "drei trois tres tre três drie trzy три tre üç तीन",
    "vier quatre cuatro quattro quatro cztery четыре чотири fyra dört चार",
    "fünf cinq cinco cinque vijf pięć пять п'ять fem beş पांच",
    "sechs six seis sei zes sześć шесть шість sex altı छह",
    "sieben sept siete sette sete zeven siedem семь сім sju yedi सात",
    "acht huit ocho otto oito osiem восемь вісім åtta sekiz आठ",
    "neun neuf nueve nove negen dziewięć девять дев'ять nio dokuz नौ",
    "zehn dix diez dieci dez tien dziesięć десять tio दस",
)
_FEW = "einigen wenigen paar quelques unos unas algunos algunas alcuni alcune qualche alguns algumas enkele kilka "
_FEW += "несколько кілька några birkaç कुछ"
_SOME = 3
_FRENCH = "que qu quoi quel quelle quels quelles est ai j je avons avait était nous les des dans pour c d"
_BEFORE = "vor il\xa0y\xa0a hace há"
_AFTER = "fa atrás geleden temu назад тому sedan siden önce पहले"
_LAST = (
    "letzte[nrsm]? vorige[nrsm]? vergangene[nrsm]? última último afgelopen scorsa scorso förra geçen прошлой прошлом "
)
_LAST += "прошлую прошлый минулого zeszłym ubiegłym poprzednim पिछले الماضي"
_LAST_AFTER = "dernière dernier passée? pasad[oa] scors[oa] passad[oa]"
_THIS = "diese[nrsm]? cette cet ce esta este questa questo deze dit tym этой этом цього bu इस"
_LAST_SOME = "letzten vergangenen últim[oa]s ultim[ie] afgelopen laatste ostatni(?:e|ch) последни[ех] останні(?:х)? "
_LAST_SOME += "senaste son पिछले"
_WEEKDAYS = (
    "montag lundi lunes lunedì segunda(?:-feira)? maandag poniedziałek понедельник понеділок måndag pazartesi सोमवार",
    "dienstag mardi martes martedì terça(?:-feira)? dinsdag wtorek вторник вівторок tisdag salı मंगलवार",
    "mittwoch mercredi miércoles mercoledì quarta-feira woensdag środę środa среду среда середу onsdag çarşamba बुधवार",
    "donnerstag jeudi jueves giovedì quinta-feira donderdag czwartek четверг четвер torsdag perşembe गुरुवार",
    "freitag vendredi viernes venerdì sexta-feira vrijdag piątek пятницу пятница п'ятницю fredag cuma शुक्रवार",
    "samstag sonnabend samedi sábado sabato zaterdag sobotę sobota субботу суббота суботу lördag cumartesi शनिवार",
    "sonntag dimanche domingo domenica zondag niedzielę niedziela воскресенье неділю söndag pazar रविवार",
)
_SIGN_UNITS = {
    "天": "day",
    "日": "day",
    "일": "day",
    "周": "week",
    "週": "week",
    "주": "week",
    "星": "week",
    "礼": "week",
}
_SIGN_UNITS |= {"禮": "week", "月": "month", "개": "month", "달": "month", "年": "year", "년": "year", "해": "year"}
_SIGN_UNIT = r"(?:个|個|ヶ|か|カ|ケ)?(?P<unit>天|日|周|週|星期|礼拜|禮拜|月|年|일|주일?|개월|달|년|해)間?间?"
_SOME_SIGNS = "几幾数數몇"
_SIGN_COUNT = rf"(?P<count>\d{{1,3}}|{NUMERAL}|[{_SOME_SIGNS}])\s?"
_SIGN_WEEKDAYS = ("一月월", "二火화", "三水수", "四木목", "五金금", "六土토", "日天일")


def _words(text: str) -> str:
    """Alternatives for words that stand by themselves, whatever letters and marks they are of."""
    return r"(?<!\w)(?:" + "|".join(text.replace("\xa0", r"\s").split(" ")) + r")(?!\w)"


def _meant(text: str, groups: tuple[str, ...]) -> int:
    """Which of the groups has a word that is this one."""
    return next(n for n, group in enumerate(groups) if re.fullmatch(_words(group), text, re.IGNORECASE))


_UNIT = "(?P<unit>" + _words(" ".join(_UNITS.values())) + ")"
_COUNT = r"(?P<count>\d{1,3}|" + _words(" ".join((*_NUMBERS, _FEW))) + ")"


def _unit(match: re.Match[str]) -> str:
    return tuple(_UNITS)[_meant(match["unit"], tuple(_UNITS.values()))]


def _count(match: re.Match[str]) -> tuple[int, bool]:
    """And whether it is vague."""
    word = match["count"]
    if word.isdecimal():
        return int(word), False
    number = _meant(word, (*_NUMBERS, _FEW)) + 1
    return (_SOME, True) if number > len(_NUMBERS) else (number, False)


def _ago(match: re.Match[str], now: Now) -> Days:
    count, is_vague = _count(match)
    return ago(now.today, count, _unit(match), is_vague=is_vague)


def _within(match: re.Match[str], now: Now) -> Days:
    return within(now.today, _count(match)[0], _unit(match))


def _last(match: re.Match[str], now: Now) -> Days | None:
    """ "Am letzten Tag" is the last day of something."""
    unit = _unit(match)
    return None if unit == "day" else unit_back(now.today, 1, unit)


def _this(match: re.Match[str], now: Now) -> Days | None:
    unit = _unit(match)
    return None if unit == "day" else unit_back(now.today, 0, unit)


def _days_ago(match: re.Match[str], now: Now) -> Days:
    return unit_back(now.today, _meant(re.sub(r"\s", "\xa0", match[0]), _DAYS_AGO), "day")


def _hier(match: re.Match[str], now: Now) -> Days | None:
    """Yesterday in French, here in German."""
    return unit_back(now.today, 1, "day") if re.search(_words(_FRENCH), match.string, re.IGNORECASE) else None


def _weekday(match: re.Match[str], now: Now) -> Days:
    return weekday(now.today, _meant(match[0], _WEEKDAYS))


def _sign_days_ago(match: re.Match[str], now: Now) -> Days:
    return unit_back(now.today, next(n for n, group in enumerate(_SIGN_DAYS_AGO) if match[0] in group.split()), "day")


def _sign_count(match: re.Match[str]) -> tuple[int, bool]:
    word = match["count"]
    return (_SOME, True) if word in _SOME_SIGNS else (int(word) if word.isdecimal() else number_of(word), False)


def _sign_ago(match: re.Match[str], now: Now) -> Days:
    count, is_vague = _sign_count(match)
    return ago(now.today, count, _SIGN_UNITS[match["unit"][0]], is_vague=is_vague)


def _sign_within(match: re.Match[str], now: Now) -> Days:
    return within(now.today, _sign_count(match)[0], _SIGN_UNITS[match["unit"][0]])


def _sign_unit(match: re.Match[str], now: Now) -> Days:
    which, unit = (part for part in match.groups() if part)
    return unit_back(now.today, 1 if which[0] in "上去昨先지저작" else 0, _SIGN_UNITS[unit[0]])


def _sign_weekday(match: re.Match[str], now: Now) -> Days:
    number = next(n for n, signs in enumerate(_SIGN_WEEKDAYS) if match["day"][0] in signs)
    if not match["week"]:
        return weekday(now.today, number)
    monday, _ = of_week(unit_back(now.today, 1, "week")[0])
    return (monday.fromordinal(monday.toordinal() + number),) * 2


READERS: tuple[tuple[str, Reader], ...] = (
    (_words(_BEFORE) + rf"\s+(?:ein\s|een\s|un\s)?{_COUNT}\s+{_UNIT}", _ago),
    (rf"{_COUNT}\s+{_UNIT}\s+" + _words(_AFTER), _ago),
    (_words(_LAST_SOME) + rf"\s+{_COUNT}\s+{_UNIT}", _within),
    (rf"{_COUNT}\s+derni(?:ers|ères)\s+{_UNIT}", _within),
    (_words(_LAST) + rf"\s+{_UNIT}", _last),
    (rf"{_UNIT}\s+" + _words(_LAST_AFTER), _last),
    (_words(_THIS) + rf"\s+{_UNIT}", _this),
    (rf"quest['’]{_UNIT}", _this),
    (_words(" ".join(_DAYS_AGO)), _days_ago),
    (_words("hier"), _hier),
    (_words(" ".join(_WEEKDAYS)), _weekday),
    ("|".join(" ".join(_SIGN_DAYS_AGO).split()), _sign_days_ago),
    (rf"{_SIGN_COUNT}{_SIGN_UNIT}\s?(?:[之以]?前|전)", _sign_ago),
    (rf"(?:最近|过去|過去|지난|최근)\s?(?:的|の)?\s?{_SIGN_COUNT}{_SIGN_UNIT}", _sign_within),
    (r"(?P<week>上)?[个個]?(?:周|週|星期|礼拜|禮拜)(?P<day>[一二三四五六日天])", _sign_weekday),
    (r"(?P<week>先週の?|지난\s?주\s?)?(?P<day>[月火水木金土日]曜|[월화수목금토일]요일)", _sign_weekday),
    (r"(?P<which>上)[个個]?(?P<unit>周|週|星期|礼拜|禮拜|月)", _sign_unit),
    (r"(?P<which>[去昨작])(?P<unit>[年년])|(?P<which_>先)(?P<unit_>[週月])", _sign_unit),
    (r"(?P<which>[这這本今])[个個]?(?P<unit>周|週|星期|礼拜|禮拜|月|年)", _sign_unit),
    (r"(?P<which>지난|저번|이번|올)\s?(?P<unit>[주달해])", _sign_unit),
)
