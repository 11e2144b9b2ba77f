"""kubernetes' REST client with bytes in both directions.

`ApiClient.call_api` passes everything to its REST client. The generated one encodes each body with `json.dumps` and has
no TCP keepalive; this one sends the bytes it gets and keeps the rest: TLS, client certificates, proxy, server name.
"""

import asyncio
import socket
from typing import Any

import aiohttp
from aiohttp.client import ClientTimeout
from kubernetes.aio.client.api_client import ApiClient
from kubernetes.aio.client.configuration import Configuration
from kubernetes.aio.client.rest import RESTClientObject, RESTResponse

# A peer that vanished without a word is noticed by the kernel after 30 + 3 * 10 s, whatever the layers above do.
KEEPALIVE_IDLE_S = 30
KEEPALIVE_INTERVAL_S = 10
KEEPALIVE_PROBES = 3


class Transport(RESTClientObject):
    """Sends requests over a pool of kept connections, all of one event loop."""

    def __init__(self, configuration: Configuration) -> None:
        super().__init__(configuration)
        self.configuration: Configuration = configuration

    def _create_connector(self) -> aiohttp.TCPConnector:
        return aiohttp.TCPConnector(limit=0, ssl=self.ssl_context, socket_factory=_keepalive_socket)

    async def request(
        self,
        method: str,
        url: str,
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
        post_params: None = None,
        _request_timeout: ClientTimeout | None = None,
    ) -> RESTResponse:
        """Send one request; the response's body is left unread.

        Raises aiohttp.ClientError or TimeoutError when no response comes.
        """
        if self.pool_manager is None:
            self.pool_manager = self._create_pool_manager()
        extra: dict[str, Any] = {}
        if self.configuration.tls_server_name:
            extra["server_hostname"] = self.configuration.tls_server_name
        if self.proxy:
            extra["proxy"] = self.proxy
        if self.proxy_headers:
            extra["proxy_headers"] = self.proxy_headers
        response = await self.pool_manager.request(
            method, url, headers=headers, data=body, timeout=_request_timeout or ClientTimeout(), **extra
        )
        return RESTResponse(response)


def api_client(configuration: Configuration, user_agent: str) -> ApiClient:
    """An ApiClient that sends through a Transport."""
    client = ApiClient(configuration)
    client.rest_client = Transport(configuration)
    client.user_agent = user_agent
    return client


async def close(client: ApiClient) -> None:
    """Close the client's connections at once, without waiting for silent peers."""
    await client.close()
    await asyncio.sleep(0)  # lets the transports' connection_lost run before a loop ends


def _keepalive_socket(address: tuple[int, int, int, str, tuple[Any, ...]]) -> socket.socket:
    made = socket.socket(*address[:3])
    made.setblocking(False)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEPALIVE_IDLE_S)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, KEEPALIVE_PROBES)
    # Data that nobody acknowledges has the same bound; without it the kernel retransmits for a quarter of an hour.
    made.setsockopt(
        socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, (KEEPALIVE_IDLE_S + KEEPALIVE_PROBES * KEEPALIVE_INTERVAL_S) * 1000
    )
    return made
