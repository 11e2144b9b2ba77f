"""`koord watch`: each change of objects of an API server, and which fields it changed; an informer made visible."""

import argparse
import asyncio
import sys
from datetime import datetime
from typing import Any

import orjson

from koord.api.meta import Object
from koord.api.overlay import to_json
from koord.cli.api_options import (
    USAGE,
    add_connection_options,
    add_selection_options,
    run_until_signal,
    selection_of,
    source_of,
)
from koord.cli.difference import differences
from koord.cli.kinds import UnknownKindError, kinds_named
from koord.kube.changes import Change
from koord.kube.client import KubeClient
from koord.kube.informer import Informer, running
from koord.kube.objects import key_of
from koord.kube.reflector import WatchOptions


def main(arguments: list[str]) -> int:
    """Print changes until SIGTERM or SIGINT; 2 for wrong options."""
    options = _parser().parse_args(arguments)
    try:
        kinds = kinds_named(options.kinds)
    except UnknownKindError as error:
        print(f"koord watch: {error}", file=sys.stderr)
        return USAGE
    return run_until_signal("watch", _watch(kinds, options))


async def _watch(kinds: list[type[Object]], options: argparse.Namespace) -> int:
    source = source_of(options)
    selection = await selection_of(options, source)
    watching = WatchOptions(selection=selection, silence_s=options.silence)
    show = show_json if options.output == "json" else show_text
    async with KubeClient(source, user_agent="koord-watch") as client:
        informers = [Informer(client, kind, options=watching) for kind in kinds]
        for informer in informers:
            informer.add_handler(show, "print")
        async with running(*informers):
            count = sum(len(informer.store) for informer in informers)
            print(f"ready: {count} objects of {len(kinds)} kinds", file=sys.stderr, flush=True)
            await asyncio.Event().wait()
    return 0


def show_text(change: Change[Object]) -> None:
    """One line for an object's change, and one for each field of it that differs."""
    subject = change.subject
    print(f"{datetime.now():%H:%M:%S} {change.type:<7} {subject.kind.lower()}/{key_of(subject.metadata)}", flush=True)
    if change.old is not None and change.new is not None:
        for difference in differences(_shown(change.old), _shown(change.new)):
            print(f"           {difference}", flush=True)


def show_json(change: Change[Object]) -> None:
    """One JSON document for each change; `oldVersion` is null for an added object."""
    metadata = change.subject.metadata
    line = {
        "type": change.type,
        "initial": change.initial,
        "kind": change.subject.kind,
        "namespace": metadata.namespace,
        "name": metadata.name,
        "uid": metadata.uid,
        "resourceVersion": metadata.resource_version,
        "oldVersion": change.old.metadata.resource_version if change.old is not None else None,
        "object": to_json(change.subject),
    }
    print(orjson.dumps(line).decode(), flush=True)


def _shown(found: Object) -> dict[str, Any]:
    """What of an object is worth a line: not the version, which changes each time."""
    document = to_json(found)
    return document | {"metadata": {k: v for k, v in document["metadata"].items() if k != "resourceVersion"}}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("koord watch", description="Print each change of objects of an API server.")
    parser.add_argument(
        "kinds", metavar="KIND[,KIND…]", help="e.g. reservations, pmj, nodeslo, pods; all = Koord's own"
    )
    parser.add_argument("-o", "--output", choices=("text", "json"), default="text")
    parser.add_argument(
        "--silence",
        type=float,
        default=WatchOptions.silence_s,
        metavar="S",
        help="close and resume a stream on which nothing came for this long (default %(default)g)",
    )
    add_selection_options(parser)
    add_connection_options(parser)
    return parser
