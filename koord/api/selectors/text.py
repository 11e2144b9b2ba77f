"""Label selectors as text (`app in (a, b), tier!=web, !canary, size>3`), read as labels.Parse does.

Grammar: conditions separated by commas; a condition is `key`, `!key`, `key = value` (also `==`, `!=`), `key in (…)`,
`key notin (…)`, `key > integer` or `key < integer`. Between parentheses an empty place is the empty value.
"""

import re
from typing import Final, NoReturn

from koord.api.selectors.labels import Selector
from koord.api.selectors.requirement import NODE_OPERATORS, Operator, Requirement, SelectorError, check_key, requirement

_TOKEN = re.compile(r"[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+))")
_BLANKS = re.compile(r"[ \t\r\n]*")
_END: Final = ""
_SYMBOLS: Final = frozenset(("==", "!=", "=", "!", "(", ")", ",", "<", ">"))
_OPERATORS: Final = {
    "in": Operator.IN,
    "notin": Operator.NOT_IN,
    "=": Operator.IN,
    "==": Operator.IN,
    "!=": Operator.NOT_IN,
    ">": Operator.GREATER_THAN,
    "<": Operator.LESS_THAN,
}


def parse_selector(text: str) -> Selector:
    """Read a selector; an empty text matches everything. Raises SelectorError with the text and what is wrong."""
    return _Parser(text).selector()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._next = 0

    def selector(self) -> Selector:
        requirements: list[Requirement] = []
        if self._peek() != _END:
            requirements.append(self._requirement())
            while self._take() == ",":
                requirements.append(self._requirement())
            self._next -= 1
            if self._peek() != _END:
                self._refuse('"," or the end')
        return Selector(tuple(sorted(requirements, key=lambda one: one.key)))

    def _requirement(self) -> Requirement:
        absent = self._peek() == "!"
        if absent:
            self._take()
        key = self._word("a label key")
        check_key(key, self._quoted)
        if absent:
            return self._built(key, Operator.DOES_NOT_EXIST, [])
        if self._peek() in (_END, ","):
            return self._built(key, Operator.EXISTS, [])
        operator = _OPERATORS.get(self._peek())
        if operator is None:
            self._refuse("in, notin, =, ==, !=, > or <")
        values = self._list() if self._take() in ("in", "notin") else [self._value()]
        return self._built(key, operator, values)

    def _built(self, key: str, operator: Operator, values: list[str]) -> Requirement:
        return requirement(key, operator, values, path=self._quoted, allowed=NODE_OPERATORS)

    def _value(self) -> str:
        return "" if self._peek() in (_END, ",") else self._word("a value")

    def _list(self) -> list[str]:
        if self._take() != "(":
            self._next -= 1
            self._refuse('"("')
        values: set[str] = set()
        if self._peek() == ")":
            self._take()
            return []
        while True:
            values.add("" if self._peek() in (",", ")") else self._word("a value"))
            match self._take():
                case ")":
                    return sorted(values)
                case ",":
                    continue
                case _:
                    self._next -= 1
                    self._refuse('"," or ")"')

    def _word(self, allowed: str) -> str:
        if self._peek() == _END or self._peek() in _SYMBOLS:
            self._refuse(allowed)
        return self._take()

    def _peek(self) -> str:
        return self._tokens[self._next]

    def _take(self) -> str:
        token = self._tokens[self._next]
        self._next += 1
        return token

    def _refuse(self, allowed: str) -> NoReturn:
        found = f'"{self._peek()}"' if self._peek() != _END else "the end"
        raise SelectorError(f"{self._quoted}: found {found}, allowed {allowed}")

    @property
    def _quoted(self) -> str:
        return f'selector "{self._text}"'


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    while match := _TOKEN.match(text, position):
        tokens.append(match[1] or match[2])
        position = match.end()
    return [*tokens, _END, _END]
