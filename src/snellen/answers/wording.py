"""Whether two short texts say the same: case, punctuation, articles, spelling variants and a small closed table aside.

A decimal point inside a number and a minus in front of one are never lost; part of a word is never enough.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from snellen.answers.dressing import plain_latex

_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
).split()
_GREEK_SIGNS = {chr(0x3B1 + at + (at >= 17)): f" {name} " for at, name in enumerate(_GREEK)} | {"ς": " sigma ", "ϵ": " epsilon "}
_GREEK_TABLE = str.maketrans(_GREEK_SIGNS)
_VAR_GREEK = re.compile(r"\\var(?=epsilon|theta|phi|rho|sigma|kappa|pi)")
_COMMANDS = {
    "\\times": "x", "\\cdot": " ", "\\leq": " <= ", "\\geq": " >= ", "\\le ": " <= ", "\\ge ": " >= ", "≤": " <= ", "≥": " >= ",
    "\\rightarrow": " -> ", "\\to": " -> ", "→": " -> ", "\\infty": " infinity ", "∞": " infinity ", "×": "x", "&": " and ",
    "\\degree": "°", "^\\circ": "°", "^{\\circ}": "°", "\\pm": " ± ", "+/-": " ± ",
}  # fmt: skip
_LAYOUT = re.compile(r"(?<!\d)(\d{1,3})\s?(?:x|\*|by|rows?(?: and|,| by| x)?)\s?(\d{1,3})(?:\s?col(?:umn)?s?)?(?!\w)")
_TOKEN = re.compile(r"[-−]?(?:\d+(?:[.,:]\d+)+|\.?\d+)|[^\W\d_]+(?:'[^\W\d_]+)?|->|[<>=]=?|[+%°±#√]")
_SPAN = re.compile(r"(?<=\d)\s*(?:[-–—]|to|through|until)\s*(?=\d)")
_MINUS = re.compile(r"(?:(?<=^)|(?<=[\s(\[{,;:=<>~]))-\s?(?=\.?\d)")
_ARTICLES = ("the", "a", "an")

_PHRASES = {
    ("united", "states", "of", "america"): "us", ("united", "states"): "us", ("u", "s", "a"): "us", ("u", "s"): "us",
    ("the", "us"): "us", ("united", "kingdom"): "uk", ("u", "k"): "uk", ("u", "a", "e"): "uae", ("e", "u"): "eu",
    ("united", "arab", "emirates"): "uae", ("european", "union"): "eu", ("u", "n"): "un", ("united", "nations"): "un",
    ("new", "york", "city"): "nyc", ("n", "y", "c"): "nyc", ("per", "cent"): "percent",
    ("republic", "of", "korea"): "southkorea", ("viet", "nam"): "vietnam", ("czech", "republic"): "czechia",
    ("russian", "federation"): "russia", ("carbon", "dioxide"): "co2", ("versus",): "vs", ("p", "m"): "pm", ("a", "m"): "am",
}  # fmt: skip
_WORDS = {"".join(phrase): word for phrase, word in _PHRASES.items() if len("".join(phrase)) > 4} | {
    "usa": "us", "st": "street", "ave": "avenue", "av": "avenue", "rd": "road", "blvd": "boulevard", "mt": "mount", "ft": "fort",
    "dept": "department", "univ": "university", "intl": "international", "govt": "government", "co": "company", "corp": "corporation",
    "inc": "incorporated", "ltd": "limited", "no": "no", "dr": "doctor", "vs": "vs", "avg": "average", "approx": "approximately",
    "max": "maximum", "min": "minimum", "temp": "temperature", "num": "number", "pct": "%", "percent": "%", "percentage": "%",
    "jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july", "aug": "august",
    "sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december", "mon": "monday", "tue": "tuesday",
    "tues": "tuesday", "wed": "wednesday", "thu": "thursday", "thur": "thursday", "thurs": "thursday", "fri": "friday",
    "sat": "saturday", "sun": "sunday", "grey": "gray", "centre": "center", "metre": "meter", "metres": "meters", "litre": "liter",
    "litres": "liters", "fibre": "fiber", "theatre": "theater", "kilometre": "kilometer", "kilometres": "kilometers",
    "centimetre": "centimeter", "centimetres": "centimeters", "millimetre": "millimeter", "millimetres": "millimeters",
    "defence": "defense", "offence": "offense", "licence": "license", "programme": "program", "programmes": "programs",
    "catalogue": "catalog", "dialogue": "dialog", "analogue": "analog", "aluminium": "aluminum", "cheque": "check", "tyre": "tire",
    "tyres": "tires", "sulphur": "sulfur", "plough": "plow", "mould": "mold", "ageing": "aging", "judgement": "judgment",
    "jewellery": "jewelry", "pyjamas": "pajamas", "sceptical": "skeptical", "storey": "story", "cosy": "cozy", "foetus": "fetus",
    "oestrogen": "estrogen", "paediatric": "pediatric", "anaemia": "anemia", "orthopaedic": "orthopedic", "moustache": "mustache",
}  # fmt: skip
_IZE = re.compile(r"(?<=\w{3})is(?=e[sdr]?$|ing$|ations?$|ers$)")
_YZE = re.compile(r"(?<=\w{3})ys(?=e[sdr]?$|ing$|ers$)")
_OUR = re.compile(r"(?<=\w{3})our(?=$|s$|ed$|ing$|ite|able|less|ful|hood|al|ist|ly$)")
_LL = re.compile(r"(?<=\w{3})ll(?=ed$|ing$|ers?$)")
_YES = frozenset(["yes", "yep", "yeah", "yup", "true", "correct", "supported", "affirmative", "right", "itistrue", "valid", "accurate"])
_NO = frozenset(
    ["no", "nope", "false", "refuted", "incorrect", "wrong", "unsupported", "untrue", "notsupported", "nottrue", "notcorrect", "negative",
     "invalid", "inaccurate", "contradicted", "refutes", "refute", "notaccurate", "notvalid"]
)  # fmt: skip


def same_text(one: str, other: str) -> bool:
    """Whether two texts say the same.

    >>> same_text("new-york", "New York"), same_text("Colour (USA)", "color U.S."), same_text("true", "Yes")
    (True, True, True)
    >>> same_text("GPT", "GPT-2"), same_text("3.5", "35"), same_text("unknown", "No"), same_text("-5", "5")
    (False, False, False, False)
    >>> same_text("It goes up and then levels off", "Increases then stabilizes"), same_text("B", "Model B")
    (True, True)
    """
    mine, theirs = text_key(one), text_key(other)
    if not mine or not theirs:
        return False
    if mine == theirs:
        return True
    truth = truth_of(one)
    if truth and truth == truth_of(other):
        return True
    trend = trend_of(one)
    if trend and trend == trend_of(other):
        return True
    return _same_part(one, other)


@lru_cache(maxsize=8192)
def text_key(text: str) -> str:
    r"""A text's words run together in one spelling, for equality.

    >>> text_key("The 2 × 3 layout"), text_key(r"\alpha (°)"), text_key("-0.5 V")
    ('2by3layout', 'alpha°', '-0.5v')
    """
    words = text_words(text)
    apart = (
        "_" if at and word[0].isdigit() and words[at - 1][-1].isdigit() else "" for at, word in enumerate(words)
    )  # two numbers never run together into a third
    return "".join(gap + word for gap, word in zip(apart, words, strict=True))


@lru_cache(maxsize=8192)
def text_words(text: str) -> tuple[str, ...]:
    """The words of a text in one spelling, leading article dropped.

    >>> text_words("The U.S. labelled colours, e.g. gray")
    ('us', 'labeled', 'colors', 'e', 'g', 'gray')
    """
    found = [_spelling(word) for word in _TOKEN.findall(_plain(text))]
    found = _merge_phrases([word for word in found if word])
    while len(found) > 1 and found[0] in _ARTICLES:
        found = found[1:]
    return tuple(_WORDS.get(word, word) for word in found)


def _plain(text: str) -> str:
    text = text[:4_000]
    if "\\" in text:
        text = _VAR_GREEK.sub(r"\\", plain_latex(text))
    for command, spelling in _COMMANDS.items():
        if command in text:
            text = text.replace(command, spelling)
    text = unicodedata.normalize("NFKD", text.casefold()) if not text.isascii() else text.lower()
    text = "".join(sign for sign in text if not unicodedata.combining(sign)) if not text.isascii() else text
    text = text.translate(_GREEK_TABLE).replace("\\", " ") if not text.isascii() or "\\" in text else text
    text = _SPAN.sub(" to ", text)
    text = _LAYOUT.sub(r" \1by\2 ", text)
    return _MINUS.sub(" \u2212", text).replace("-", " ").replace("\u2212", "-")


def _spelling(word: str) -> str:
    if not word[0].isalpha():
        return _number_spelling(word) if word[-1].isdigit() else word
    word = word.removesuffix("'s").replace("'", "")
    if len(word) > 4:
        word = _LL.sub("l", _OUR.sub("or", _YZE.sub("yz", _IZE.sub("iz", word))))
    return word


def _number_spelling(word: str) -> str:
    """`1,234` and `1234`, `.5` and `0.5`, `2.50` and `2.5` are one number."""
    if ":" in word:
        return word
    plain = re.sub(r",(?=\d{3}(?!\d))", "", word)
    sign, digits = ("-", plain[1:]) if plain.startswith("-") else ("", plain)
    if digits.count(".") == 1 and "," not in digits:
        digits = digits.rstrip("0").rstrip(".")
        digits = "0" + digits if digits.startswith(".") else digits
    return sign + (digits or "0")


def _merge_phrases(found: list[str]) -> list[str]:
    merged: list[str] = []
    at = 0
    while at < len(found):
        for length in (4, 3, 2, 1):
            phrase = _PHRASES.get(tuple(found[at : at + length]))
            if phrase and at + length <= len(found):
                merged.append(phrase)
                at += length
                break
        else:
            merged.append(found[at])
            at += 1
    return merged


def truth_of(text: str) -> str:
    """ "yes" or "no" for a text that is one of their synonyms, else "".

    >>> truth_of("Supported."), truth_of("not true"), truth_of("unknown")
    ('yes', 'no', '')
    """
    key = text_key(text)
    return "yes" if key in _YES else "no" if key in _NO else ""


_TREND_WORDS = {"".join(phrase): word for phrase, word in _PHRASES.items() if len("".join(phrase)) > 4} | {
    "increase": "up", "increases": "up", "increasing": "up", "increased": "up", "rise": "up", "rises": "up", "rising": "up", "rose": "up",
    "grow": "up", "grows": "up", "growing": "up", "grew": "up", "growth": "up", "up": "up", "upward": "up", "upwards": "up",
    "ascending": "up", "ascends": "up", "climbs": "up", "climbing": "up", "uptrend": "up",
    "decrease": "down", "decreases": "down", "decreasing": "down", "decreased": "down", "fall": "down", "falls": "down",
    "falling": "down", "fell": "down", "decline": "down", "declines": "down", "declining": "down", "declined": "down", "drop": "down",
    "drops": "down", "dropping": "down", "dropped": "down", "down": "down", "downward": "down", "downwards": "down",
    "descending": "down", "descends": "down", "downtrend": "down", "reduces": "down", "reduced": "down",
    "stabilize": "flat", "stabilizes": "flat", "stabilizing": "flat", "stabilized": "flat", "plateau": "flat", "plateaus": "flat",
    "plateaued": "flat", "plateauing": "flat", "flatten": "flat", "flattens": "flat", "flat": "flat", "constant": "flat", "stable": "flat", "steady": "flat",
    "levels": "flat", "level": "flat", "leveling": "flat", "leveled": "flat", "unchanged": "flat", "flattening": "flat", "flattened": "flat",
    "fluctuate": "wavy", "fluctuates": "wavy", "fluctuating": "wavy", "oscillate": "wavy", "oscillates": "wavy", "oscillating": "wavy",
}  # fmt: skip
_TREND_FILLERS = frozenset(
    "it goes go going went the a an is are was and then trend curve line data value values first next followed by later finally generally overall off out"
    " remains remain remaining stays stay staying becomes keeps moves moving there general trending this that in from left to right before afterwards after which until at with has have shows been being starts ends initially over time".split()
)


def trend_of(text: str) -> tuple[str, ...]:
    """The ups and downs that a text tells in order, () when it tells anything else.

    >>> trend_of("decreasing, then rising"), trend_of("rise in sales")
    (('down', 'up'), ())
    """
    told: list[str] = []
    for word in text_words(text)[:60]:
        if word in _TREND_WORDS:
            if not told or told[-1] != _TREND_WORDS[word]:
                told.append(_TREND_WORDS[word])
        elif word not in _TREND_FILLERS:
            return ()
    return tuple(told)


_KINDS = frozenset(
    "model method class group type category company country region team phase stage step case sample series line curve figure fig panel plot subplot option"
    " choice picture image year day week month level layer task dataset data scenario experiment condition product brand store city state player student"
    " person point node graph chart bar section part zone area site unit cluster version algorithm system strategy approach scheme network agent user"
    " patient subject cell gene protein compound material country object shape angle triangle circle number answer letter label row column table"
    " population curve dataset setting config configuration variant plan project department school hospital branch".split()
)
_MARK = re.compile(r"[^\W_]\d{0,3}|\d{1,4}(?:\.\d+)?|[ivx]{1,4}")


def _same_part(one: str, other: str) -> bool:
    """`B` for `Model B`: a kind word and a mark against the mark alone."""
    mine, theirs = text_words(one), text_words(other)
    if len(mine) == 2 and len(theirs) == 1:
        mine, theirs = theirs, mine
    return len(mine) == 1 and len(theirs) == 2 and theirs[0] in _KINDS and mine[0] == theirs[1] and _MARK.fullmatch(mine[0]) is not None
