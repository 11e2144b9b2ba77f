from datetime import datetime
from typing import Any

from kubernetes.aio.client.configuration import Configuration

class ConfigNode:
    value: Any
    def __getitem__(self, key: str) -> ConfigNode: ...
    def get_with_name(self, name: str, safe: bool = False) -> ConfigNode | None: ...

class KubeConfigMerger:
    paths: list[str]
    def __init__(self, paths: str) -> None: ...
    @property
    def config(self) -> ConfigNode: ...

class KubeConfigLoader:
    exec_plugin_expiry: datetime
    def __init__(
        self, config_dict: ConfigNode, active_context: str | None = None, *, config_base_path: str | None = ""
    ) -> None: ...
    @property
    def current_context(self) -> dict[str, Any]: ...
    async def load_and_set(self, client_configuration: Configuration) -> None: ...
