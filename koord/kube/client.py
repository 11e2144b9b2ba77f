"""Requests to the API server: on paths, bytes in and bytes out, typed by `koord.api`."""

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

import aiohttp
import orjson
from aiohttp import ClientTimeout
from kubernetes.aio.client.api_client import ApiClient
from kubernetes.aio.client.rest import RESTResponse

from koord.api.codec import decode, decode_for_update, encode
from koord.api.meta import Object
from koord.kube import metrics
from koord.kube.backoff import Backoff
from koord.kube.connection import Connection
from koord.kube.credentials import CredentialSource
from koord.kube.errors import ApiError, ConflictError, UnreachableError, error_of_response
from koord.kube.objects import T
from koord.kube.patches import Patch

logger = logging.getLogger(__name__)

R = TypeVar("R", bound=Object)

CONNECT_TIMEOUT_S = 10.0
REQUEST_TIMEOUT_S = 60.0
MOST_TRIES = 5
MOST_RETRY_AFTER_S = 30.0
JSON = "application/json"


@dataclass(frozen=True)
class Request:
    """What is asked of the server."""

    method: str
    path: str
    query: Mapping[str, str]
    body: bytes | None = None
    media_type: str = JSON
    accept: str = JSON

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class KubeClient:
    """All requests of a component, in one event loop. `close` it, or use it as a context manager."""

    def __init__(
        self, source: CredentialSource, *, user_agent: str = "koord", request_timeout_s: float = REQUEST_TIMEOUT_S
    ) -> None:
        self._connection = Connection(source, user_agent)
        self._request_timeout_s = request_timeout_s

    async def __aenter__(self) -> "KubeClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections at once."""
        await self._connection.close()

    async def get(self, kind: type[T], name: str, namespace: str = "") -> T:
        """Read one object; NotFoundError when it is not there."""
        return decode(kind, await self.request("GET", kind.RESOURCE.path(namespace, name)))

    async def create(self, record: R, *, subresource: str = "") -> R:
        """Create an object and return it as the server stored it; AlreadyExistsError when its name is taken."""
        return decode_for_update(type(record), await self._send("POST", record, "", subresource))

    async def update(self, record: R, *, subresource: str = "") -> R:
        """Replace an object read for update; ConflictError when it changed since then."""
        return decode_for_update(type(record), await self._send("PUT", record, record.metadata.name, subresource))

    async def modify(
        self,
        kind: type[R],
        name: str,
        namespace: str,
        change: Callable[[R], bool | None],
        *,
        subresource: str = "",
        tries: int = MOST_TRIES,
    ) -> R:
        """Read, change and replace an object, anew when somebody else was quicker; unknown fields are kept.

        `change` edits its argument, and is called again on a conflict; returning False means nothing is to be sent.
        Raises the last ConflictError after `tries`.
        """
        path, backoff = kind.RESOURCE.path(namespace, name), Backoff(0.01, 1.0)
        for left in reversed(range(tries)):
            record = decode_for_update(kind, await self.request("GET", path))
            if change(record) is False:
                return record
            try:
                return await self.update(record, subresource=subresource)
            except ConflictError:
                if left == 0:
                    raise
            await asyncio.sleep(backoff.next())
        raise ValueError(f"tries: found {tries}, allowed 1 or more")

    async def patch(self, kind: type[T], name: str, patch: Patch, namespace: str = "", *, subresource: str = "") -> T:
        """Change part of an object and return the result; see `koord.kube.patches`."""
        path = kind.RESOURCE.path(namespace, name, subresource)
        body = await self.request("PATCH", path, query=patch.query, body=patch.body, media_type=patch.media_type)
        return decode(kind, body)

    async def delete(
        self,
        kind: type[T],
        name: str,
        namespace: str = "",
        *,
        uid: str = "",
        resource_version: str = "",
        grace_period_s: int | None = None,
        propagation: str = "",
    ) -> None:
        """Delete an object, with a uid or version only if it still has it (else ConflictError).

        `propagation` is Background, Foreground or Orphan; empty leaves it to the kind.
        """
        wanted = {"uid": uid, "resourceVersion": resource_version}
        options: dict[str, Any] = {"apiVersion": "v1", "kind": "DeleteOptions"}
        if preconditions := {key: value for key, value in wanted.items() if value}:
            options["preconditions"] = preconditions
        if grace_period_s is not None:
            options["gracePeriodSeconds"] = grace_period_s
        if propagation:
            options["propagationPolicy"] = propagation
        await self.request("DELETE", kind.RESOURCE.path(namespace, name), body=orjson.dumps(options))

    async def post(self, path: str, document: Mapping[str, Any]) -> Any:
        """POST an untyped document (a review, a binding, an eviction) and return the answer, parsed."""
        return orjson.loads(await self.request("POST", path, body=orjson.dumps(document)))

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        body: bytes | None = None,
        media_type: str = JSON,
        accept: str = JSON,
    ) -> bytes:
        """Send a request and return the body of its answer.

        Credentials are read anew on 401, and a 429 with Retry-After is waited for. Raises ApiError for what the server
        refused, UnreachableError when no answer came.
        """
        wanted = Request(method, path, query or {}, body, media_type, accept)
        limits = ClientTimeout(total=self._request_timeout_s, sock_connect=CONNECT_TIMEOUT_S)
        for tries_left in reversed(range(MOST_TRIES)):
            try:
                async with self._response(wanted, limits) as response:
                    with _unreachable(wanted):
                        return await response.read()
            except ApiError as error:
                if tries_left == 0 or not await self._may_try_again(error):
                    raise
        raise AssertionError("the last try returns or raises")

    @asynccontextmanager
    async def stream(
        self, path: str, query: Mapping[str, str], silence_s: float
    ) -> AsyncGenerator[AsyncIterator[bytes]]:
        """Open a watch; yields its body in chunks as they arrive.

        Raises UnreachableError when the stream breaks or nothing came for `silence_s`, ApiError when it is refused.
        Leaving the context closes the connection without waiting for the peer.
        """
        wanted = Request("GET", path, query)
        limits = ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT_S, sock_read=silence_s)
        try:
            async with self._response(wanted, limits) as response:
                try:
                    yield _chunks(response, wanted, silence_s)
                finally:
                    response.response.close()
        except ApiError as error:
            if error.code == 401:
                await self._connection.renew()
            raise

    async def _send(self, method: str, record: Object, name: str, subresource: str) -> bytes:
        path = record.RESOURCE.path(record.metadata.namespace, name, subresource)
        return await self.request(method, path, body=encode(record))

    async def _may_try_again(self, error: ApiError) -> bool:
        """Whether the server has not acted on the request and another try may fare better; waits as it asked."""
        if error.code == 401:
            return await self._connection.renew()
        if error.code == 429 and error.retry_after_s is not None:
            wait = min(error.retry_after_s, MOST_RETRY_AFTER_S)
            await asyncio.sleep(wait * random.uniform(1.0, 1.2))  # noqa: S311 -- spreads clients, hides nothing
            return True
        return False

    @asynccontextmanager
    async def _response(self, wanted: Request, limits: ClientTimeout) -> AsyncGenerator[RESTResponse]:
        """The answer to one request, its status checked and its body unread."""
        async with self._connection.api() as api:
            response = await _open(api, wanted, limits)
            try:
                yield response
            finally:
                response.response.release()


async def _open(api: ApiClient, wanted: Request, limits: ClientTimeout) -> RESTResponse:
    # Compression costs the server more time than it saves on the networks that nodes have.
    headers = {"Accept": wanted.accept, "Accept-Encoding": "identity"}
    if wanted.body is not None:
        headers["Content-Type"] = wanted.media_type
    _, url, headers, _, _ = await api.param_serialize(
        wanted.method, wanted.path, header_params=headers, auth_settings=["BearerToken"]
    )
    if wanted.query:
        url = f"{url}?{urlencode(wanted.query)}"
    with _unreachable(wanted):
        response = await api.call_api(wanted.method, url, headers, wanted.body, _request_timeout=limits)
        metrics.REQUESTS.labels(wanted.method, str(response.status)).inc()
        if response.status >= 400:
            refusal = await response.read()
            raise error_of_response(str(wanted), response.status, response.headers, refusal)
    return response


@contextmanager
def _unreachable(wanted: Request, silence_s: float | None = None) -> Generator[None]:
    """Turn every failure to get or read an answer into an UnreachableError that names the request."""
    try:
        yield
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        metrics.REQUESTS.labels(wanted.method, "unreachable").inc()
        silent = silence_s is not None and isinstance(error, TimeoutError)
        why = f"silent for {silence_s:g} s" if silent else str(error) or type(error).__name__
        raise UnreachableError(f"{wanted}: {why}") from error


async def _chunks(response: RESTResponse, wanted: Request, silence_s: float) -> AsyncIterator[bytes]:
    with _unreachable(wanted, silence_s):
        async for chunk in response.response.content.iter_any():
            yield chunk
