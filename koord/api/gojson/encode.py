"""Writing values as JSON documents: records by the rules of `koord.api.overlay`, in lists and maps too."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import orjson

from koord.api.base import Carrying
from koord.api.duration import Duration
from koord.api.overlay import format_time, to_json
from koord.api.quantity import Quantity


def render(value: object) -> str:
    """Write a value as compact JSON text with sorted keys, so that equal values have equal texts."""
    return orjson.dumps(encode(value), option=orjson.OPT_SORT_KEYS).decode()


def encode(value: object) -> Any:
    """Turn a value into plain JSON values; raises TypeError for what has no JSON form."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Carrying():
            return to_json(cast("Any", value))
        case Quantity() | Duration():
            return str(value)
        case datetime():
            return format_time(value)
        case Mapping():
            return {key: encode(element) for key, element in cast("Mapping[str, object]", value).items()}
        case Sequence():
            return [encode(element) for element in cast("Sequence[object]", value)]
        case _:
            raise TypeError(f"{type(value)} has no JSON form")
