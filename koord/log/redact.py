"""No token or secret reaches a log: by the field's name, and by what tokens look like."""

import re

REDACTED = "***"

_SECRET_NAME = re.compile(
    r"token|secret|passw(or)?d|authorization|credential|private_?key|cookie_?value|api_?key", re.I
)
_SECRET_TEXT = re.compile(
    r"(?P<keep>\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,}"  # an Authorization header
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*"  # a JSON web token
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|(?P<userinfo>://[^\s/:@]+:)[^\s/@]+(?=@)"  # user:password in a URL
    r"|(?P<pair>\b(?:token|secret|password|passwd|api_?key)[\"']?\s*[=:]\s*[\"']?)[^\s\"',;&]+",
    re.I | re.S,
)


def redact(name: str, value: str) -> str:
    """The value of field `name` as it may be logged."""
    if _SECRET_NAME.search(name):
        return REDACTED
    return redact_text(value)


def redact_text(text: str) -> str:
    """The text with everything that looks like a credential replaced."""
    return _SECRET_TEXT.sub(_keep_prefix, text)


def _keep_prefix(match: re.Match[str]) -> str:
    prefix = match["keep"] or match["userinfo"] or match["pair"] or ""
    return prefix + REDACTED
