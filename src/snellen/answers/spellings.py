"""The small closed tables of words that mean the same: names, spellings, months, truth words, trends, kinds."""

from __future__ import annotations

GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
    "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
)  # fmt: skip
"""Names of the Greek letters in order."""

SIGNS = {
    "\\times": "x", "\\cdot": " ", "\\leq": " <= ", "\\geq": " >= ", "\\le ": " <= ", "\\ge ": " >= ", "≤": " <= ",
    "≥": " >= ", "\\rightarrow": " -> ", "\\to": " -> ", "→": " -> ", "\\infty": " infinity ", "∞": " infinity ",
    "×": "x", "&": " and ", "\\degree": "°", "^\\circ": "°", "^{\\circ}": "°", "\\pm": " ± ", "+/-": " ± ",
}  # fmt: skip
"""Signs and LaTeX commands → how they are compared."""

SMALL_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
"""Number words that stand for digits inside a text."""

PHRASES = {
    ("united", "states", "of", "america"): "us", ("united", "states"): "us", ("u", "s", "a"): "us", ("u", "s"): "us",
    ("the", "us"): "us", ("united", "kingdom"): "uk", ("u", "k"): "uk", ("u", "a", "e"): "uae", ("e", "u"): "eu",
    ("united", "arab", "emirates"): "uae", ("european", "union"): "eu", ("u", "n"): "un",
    ("united", "nations"): "un", ("new", "york", "city"): "nyc", ("n", "y", "c"): "nyc", ("per", "cent"): "%",
    ("republic", "of", "korea"): "southkorea", ("viet", "nam"): "vietnam", ("czech", "republic"): "czechia",
    ("russian", "federation"): "russia", ("carbon", "dioxide"): "co2", ("versus",): "vs", ("p", "m"): "pm",
    ("a", "m"): "am",
}  # fmt: skip
"""Words in a row → the one word they are compared as."""

WORDS = {
    "usa": "us", "st": "street", "ave": "avenue", "av": "avenue", "rd": "road", "blvd": "boulevard", "mt": "mount",
    "ft": "fort", "dept": "department", "univ": "university", "intl": "international", "govt": "government",
    "co": "company", "corp": "corporation", "inc": "incorporated", "ltd": "limited", "no": "no", "dr": "doctor",
    "vs": "vs", "avg": "average", "approx": "approximately", "max": "maximum", "min": "minimum",
    "temp": "temperature", "num": "number", "pct": "%", "percentage": "%", "jan": "january", "feb": "february",
    "mar": "march", "apr": "april", "jun": "june", "jul": "july", "aug": "august", "sep": "september",
    "sept": "september", "oct": "october", "nov": "november", "dec": "december", "mon": "monday", "tue": "tuesday",
    "tues": "tuesday", "wed": "wednesday", "thu": "thursday", "thur": "thursday", "thurs": "thursday",
    "fri": "friday", "sat": "saturday", "sun": "sunday", "grey": "gray", "centre": "center", "metre": "meter",
    "metres": "meters", "litre": "liter", "litres": "liters", "fibre": "fiber", "theatre": "theater",
    "kilometre": "kilometer", "kilometres": "kilometers", "centimetre": "centimeter", "centimetres": "centimeters",
    "millimetre": "millimeter", "millimetres": "millimeters", "defence": "defense", "offence": "offense",
    "licence": "license", "programme": "program", "programmes": "programs", "catalogue": "catalog",
    "dialogue": "dialog", "analogue": "analog", "aluminium": "aluminum", "cheque": "check", "tyre": "tire",
    "tyres": "tires", "sulphur": "sulfur", "plough": "plow", "mould": "mold", "ageing": "aging",
    "judgement": "judgment", "jewellery": "jewelry", "pyjamas": "pajamas", "sceptical": "skeptical",
    "storey": "story", "cosy": "cozy", "foetus": "fetus", "oestrogen": "estrogen", "paediatric": "pediatric",
    "anaemia": "anemia", "orthopaedic": "orthopedic", "moustache": "mustache",
}  # fmt: skip
"""Abbreviations and British spellings → the word they are compared as."""
WORDS.update({word: str(value) for value, word in enumerate(SMALL_NUMBERS)})
WORDS.update({"".join(phrase): word for phrase, word in PHRASES.items() if len("".join(phrase)) > 4})

YES = frozenset(
    {
        "accurate", "affirmative", "correct", "itistrue", "right", "supported", "true", "valid", "yeah", "yep",
        "yes", "yup",
    }
)  # fmt: skip
"""Texts (words run together) that mean yes."""

NO = frozenset(
    {
        "contradicted", "false", "inaccurate", "incorrect", "invalid", "negative", "no", "nope", "notaccurate",
        "notcorrect", "notsupported", "nottrue", "notvalid", "refute", "refuted", "refutes", "unsupported", "untrue",
        "wrong",
    }
)  # fmt: skip
"""Texts (words run together) that mean no."""

TRENDS = {
    "increase": "up", "increases": "up", "increasing": "up", "increased": "up", "rise": "up", "rises": "up",
    "rising": "up", "rose": "up", "grow": "up", "grows": "up", "growing": "up", "grew": "up", "growth": "up",
    "up": "up", "upward": "up", "upwards": "up", "ascending": "up", "ascends": "up", "climbs": "up",
    "climbing": "up", "uptrend": "up", "decrease": "down", "decreases": "down", "decreasing": "down",
    "decreased": "down", "fall": "down", "falls": "down", "falling": "down", "fell": "down", "decline": "down",
    "declines": "down", "declining": "down", "declined": "down", "drop": "down", "drops": "down", "dropping": "down",
    "dropped": "down", "down": "down", "downward": "down", "downwards": "down", "descending": "down",
    "descends": "down", "downtrend": "down", "reduces": "down", "reduced": "down", "stabilize": "flat",
    "stabilizes": "flat", "stabilizing": "flat", "stabilized": "flat", "plateau": "flat", "plateaus": "flat",
    "plateaued": "flat", "plateauing": "flat", "flatten": "flat", "flattens": "flat", "flat": "flat",
    "constant": "flat", "stable": "flat", "steady": "flat", "levels": "flat", "level": "flat", "leveling": "flat",
    "leveled": "flat", "unchanged": "flat", "flattening": "flat", "flattened": "flat", "fluctuate": "wavy",
    "fluctuates": "wavy", "fluctuating": "wavy", "oscillate": "wavy", "oscillates": "wavy", "oscillating": "wavy",
}  # fmt: skip
"""Words of a trend → its direction."""

TREND_FILLERS = frozenset(
    {
        "a", "after", "afterwards", "an", "and", "are", "at", "becomes", "been", "before", "being", "by", "curve",
        "data", "ends", "finally", "first", "followed", "from", "general", "generally", "go", "goes", "going", "has",
        "have", "in", "initially", "is", "it", "keeps", "later", "left", "line", "moves", "moving", "next", "off",
        "out", "over", "overall", "remain", "remaining", "remains", "right", "shows", "starts", "stay", "staying",
        "stays", "that", "the", "then", "there", "this", "time", "to", "trend", "trending", "until", "value",
        "values", "was", "went", "which", "with",
    }
)  # fmt: skip
"""Words that add nothing to a trend."""

KINDS = frozenset(
    {
        "agent", "algorithm", "angle", "answer", "approach", "area", "bar", "branch", "brand", "case", "category",
        "cell", "chart", "choice", "circle", "city", "class", "cluster", "column", "company", "compound",
        "condition", "config", "configuration", "country", "curve", "data", "dataset", "day", "department",
        "experiment", "fig", "figure", "gene", "graph", "group", "hospital", "image", "label", "layer", "letter",
        "level", "line", "material", "method", "model", "month", "network", "node", "number", "object", "option",
        "panel", "part", "patient", "person", "phase", "picture", "plan", "player", "plot", "point", "population",
        "product", "project", "protein", "region", "row", "sample", "scenario", "scheme", "school", "section",
        "series", "setting", "shape", "site", "stage", "state", "step", "store", "strategy", "student", "subject",
        "subplot", "system", "table", "task", "team", "triangle", "type", "unit", "user", "variant", "version",
        "week", "year", "zone",
    }
)  # fmt: skip
"""Kinds of things that a mark distinguishes ("model" in "Model B")."""
