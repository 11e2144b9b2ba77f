import ssl
from collections.abc import Mapping

import aiohttp
from kubernetes.aio.client.configuration import Configuration

class RESTResponse:
    response: aiohttp.ClientResponse
    status: int
    def __init__(self, resp: aiohttp.ClientResponse) -> None: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    async def read(self) -> bytes: ...

class RESTClientObject:
    configuration: Configuration
    ssl_context: ssl.SSLContext
    proxy: str | None
    proxy_headers: Mapping[str, str] | None
    pool_manager: aiohttp.ClientSession | None
    def __init__(self, configuration: Configuration) -> None: ...
    def _create_connector(self) -> aiohttp.TCPConnector: ...
    def _create_pool_manager(self) -> aiohttp.ClientSession: ...
    async def request(
        self,
        method: str,
        url: str,
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
        post_params: None = None,
        _request_timeout: aiohttp.ClientTimeout | None = None,
    ) -> RESTResponse: ...
