"""`koord get`: objects of an API server, as a table with the server's own columns, JSON, YAML or names."""

import argparse
import sys
from typing import Any
from urllib.parse import quote

import msgspec
import orjson
import yaml

from koord.api.meta import Object
from koord.cli.api_options import (
    OK,
    USAGE,
    add_connection_options,
    add_selection_options,
    run_until_signal,
    selection_of,
    source_of,
)
from koord.cli.kinds import UnknownKindError, kinds_named
from koord.kube.client import JSON, KubeClient
from koord.kube.listing import PAGE_SIZE
from koord.kube.objects import Selection

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"


class _Column(msgspec.Struct, frozen=True):
    name: str
    priority: int = 0


class _Metadata(msgspec.Struct, frozen=True):
    name: str = ""
    namespace: str = ""


class _Partial(msgspec.Struct, frozen=True):
    metadata: _Metadata = _Metadata()


class _Row(msgspec.Struct, frozen=True):
    cells: list[Any]
    object: _Partial = _Partial()


class _ListMeta(msgspec.Struct, frozen=True):
    continue_: str = msgspec.field(default="", name="continue")


class Table(msgspec.Struct, frozen=True, rename="camel"):
    """meta.k8s.io/v1 Table: the rows of a list with the columns that the kind declares."""

    column_definitions: list[_Column] = []
    rows: list[_Row] | None = []
    metadata: _ListMeta = _ListMeta()


def main(arguments: list[str]) -> int:
    """Print the objects; 1 when the server refuses, 2 for wrong options, 3 when it cannot be reached."""
    options = _parser().parse_args(arguments)
    try:
        kinds = kinds_named(options.kinds)
    except UnknownKindError as error:
        print(f"koord get: {error}", file=sys.stderr)
        return USAGE
    if options.name and len(kinds) != 1:
        print("koord get: NAME: found several kinds, allowed one", file=sys.stderr)
        return USAGE
    return run_until_signal("get", _get(kinds, options))


async def _get(kinds: list[type[Object]], options: argparse.Namespace) -> int:
    source = source_of(options)
    selection = await selection_of(options, source)
    async with KubeClient(source, user_agent="koord-get") as client:
        if options.output in ("table", "wide"):
            tables = [(kind, await _tables(client, kind, options.name, selection)) for kind in kinds]
            print(tables_text(tables, wide=options.output == "wide", namespaces=not selection.namespace))
            return OK
        documents = [found for kind in kinds for found in await _documents(client, kind, options.name, selection)]
    print(_document_text(documents, options.output, one=bool(options.name)))
    return OK


async def _pages(client: KubeClient, kind: type[Object], name: str, selection: Selection, accept: str) -> list[bytes]:
    path = kind.RESOURCE.path(selection.namespace, quote(name, safe=""))
    if name:
        return [await client.request("GET", path, accept=accept)]
    query, pages = selection.query() | {"limit": str(PAGE_SIZE)}, list[bytes]()
    while True:
        pages.append(await client.request("GET", path, query=query, accept=accept))
        token = msgspec.json.decode(pages[-1], type=Table).metadata.continue_
        if not token:
            return pages
        query["continue"] = token


async def _tables(client: KubeClient, kind: type[Object], name: str, selection: Selection) -> list[Table]:
    return [msgspec.json.decode(page, type=Table) for page in await _pages(client, kind, name, selection, TABLE)]


async def _documents(client: KubeClient, kind: type[Object], name: str, selection: Selection) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for page in await _pages(client, kind, name, selection, JSON):
        parsed = orjson.loads(page)
        # Items of built-in lists come without what their list says of them all.
        said = {"apiVersion": kind.RESOURCE.api_version, "kind": kind.RESOURCE.kind}
        found += [parsed] if name else [said | item for item in parsed["items"]]
    return found


def tables_text(tables: list[tuple[type[Object], list[Table]]], *, wide: bool, namespaces: bool) -> str:
    """The tables below each other; names carry their kind when there are several kinds, as kubectl prints them."""
    blocks = [
        _block(kind, pages, wide=wide, namespaces=namespaces and kind.RESOURCE.namespaced, prefix=len(tables) > 1)
        for kind, pages in tables
        if any(page.rows for page in pages)
    ]
    return "\n\n".join(blocks) or "No objects found."


def _block(kind: type[Object], pages: list[Table], *, wide: bool, namespaces: bool, prefix: bool) -> str:
    columns = [at for at, column in enumerate(pages[0].column_definitions) if wide or column.priority == 0]
    lines = [[pages[0].column_definitions[at].name.upper() for at in columns]]
    heads = ["NAMESPACE"]
    for row in (row for page in pages for row in page.rows or ()):
        cells = ["<none>" if row.cells[at] is None else str(row.cells[at]) for at in columns]
        if prefix:
            cells[0] = f"{kind.RESOURCE.kind.lower()}/{cells[0]}"
        lines.append(cells)
        heads.append(row.object.metadata.namespace)
    if namespaces:
        lines = [[head, *line] for head, line in zip(heads, lines, strict=True)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    return "\n".join(
        "   ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _document_text(documents: list[dict[str, Any]], output: str, *, one: bool) -> str:
    if output == "name":
        return "\n".join(f"{document['kind'].lower()}/{document['metadata']['name']}" for document in documents)
    whole = documents[0] if one else {"apiVersion": "v1", "kind": "List", "items": documents}
    if output == "yaml":
        return yaml.safe_dump(whole, sort_keys=False, allow_unicode=True).rstrip()
    return orjson.dumps(whole, option=orjson.OPT_INDENT_2).decode()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("koord get", description="Print objects of an API server.")
    parser.add_argument(
        "kinds", metavar="KIND[,KIND…]", help="e.g. reservations, pmj, nodeslo, pods; all = Koord's own"
    )
    parser.add_argument("name", metavar="NAME", nargs="?", default="", help="one object only")
    parser.add_argument("-o", "--output", choices=("table", "wide", "json", "yaml", "name"), default="table")
    add_selection_options(parser)
    add_connection_options(parser)
    return parser
