"""JSON documents inside strings (annotations, ConfigMap keys), read and written as Go's encoding/json does."""

from koord.api.gojson.decode import decode, load, parse
from koord.api.gojson.encode import encode, render
from koord.api.gojson.mismatch import Mismatch
from koord.api.gojson.unknown import names_a_field, unknown_fields

__all__ = ["Mismatch", "decode", "encode", "load", "names_a_field", "parse", "render", "unknown_fields"]
