import aiohttp
from kubernetes.aio.client.configuration import Configuration
from kubernetes.aio.client.rest import RESTClientObject, RESTResponse

class ApiClient:
    configuration: Configuration
    rest_client: RESTClientObject
    user_agent: str
    def __init__(self, configuration: Configuration) -> None: ...
    async def close(self) -> None: ...
    async def param_serialize(
        self, method: str, resource_path: str, *, header_params: dict[str, str], auth_settings: list[str]
    ) -> tuple[str, str, dict[str, str], bytes | None, list[str]]: ...
    async def call_api(
        self,
        method: str,
        url: str,
        header_params: dict[str, str] | None = None,
        body: bytes | None = None,
        post_params: None = None,
        _request_timeout: aiohttp.ClientTimeout | None = None,
    ) -> RESTResponse: ...
