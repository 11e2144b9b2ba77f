"""The connection of a component: one pool of kept connections whose credentials stay fresh."""

import asyncio
import logging
import os
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from kubernetes.aio.client.api_client import ApiClient
from kubernetes.aio.client.configuration import Configuration

from koord.kube import transport
from koord.kube.credentials import Credentials, CredentialSource
from koord.kube.errors import ConfigurationError

logger = logging.getLogger(__name__)

CHECK_INTERVAL_S = 1.0
# A server that refuses the credentials it got a moment ago will not like them better now.
LEAST_BETWEEN_RELOADS_S = 1.0


@dataclass(eq=False)
class _Pool:
    """An ApiClient and how many requests use it now."""

    api: ApiClient
    users: int = 0
    retired: bool = False


@dataclass
class Connection:
    """Hands out the current ApiClient; replaces it when certificates changed, and its token when only that changed.

    All calls belong to one event loop.
    """

    source: CredentialSource
    user_agent: str = "koord"
    _credentials: Credentials | None = None
    _pool: _Pool | None = None
    _seen: tuple[object, ...] = ()
    _checked_at: float = 0.0
    _loaded_at: float = 0.0
    _loading: asyncio.Lock = field(default_factory=asyncio.Lock)

    @asynccontextmanager
    async def api(self) -> AsyncGenerator[ApiClient]:
        """The ApiClient for one request or stream; raises ConfigurationError when nothing usable can be loaded."""
        pool = await self._current()
        pool.users += 1
        try:
            yield pool.api
        finally:
            pool.users -= 1
            await _close_if_idle(pool)

    async def renew(self) -> bool:
        """Read the credentials anew after a 401; False when that was done a moment ago, so trying again is no use."""
        if time.monotonic() - self._loaded_at < LEAST_BETWEEN_RELOADS_S:
            return False
        async with self._loading:
            if time.monotonic() - self._loaded_at >= LEAST_BETWEEN_RELOADS_S:
                await self._load()
        return True

    async def close(self) -> None:
        """Close all connections; what is in flight fails."""
        if self._pool is not None:
            await transport.close(self._pool.api)
            self._pool = None

    async def _current(self) -> _Pool:
        if self._pool is None or self._stale():
            async with self._loading:
                if self._pool is None:
                    await self._load()
                elif self._stale(force=True):
                    await self._try_load()
        assert self._pool is not None
        return self._pool

    def _stale(self, force: bool = False) -> bool:
        now = time.monotonic()
        if self._credentials is None:
            return True
        if now - self._checked_at < CHECK_INTERVAL_S and not force:
            return False
        self._checked_at = now
        return self._credentials.expired(datetime.now(UTC)) or _signature(self._credentials) != self._seen

    async def _try_load(self) -> None:
        """Load, but go on with what worked so far when a file is half-written or a plugin fails."""
        try:
            await self._load()
        except ConfigurationError as error:
            logger.warning("keeping the credentials in use: %s", error)

    async def _load(self) -> None:
        loaded = await self.source.load()
        previous, self._credentials = self._credentials, loaded
        seen, self._seen = self._seen, _signature(loaded)
        self._loaded_at = self._checked_at = time.monotonic()
        if self._pool is not None and previous is not None and _same_tls(previous, loaded, seen, self._seen):
            self._pool.api.configuration.api_key = loaded.configuration.api_key
            return
        retired, self._pool = self._pool, _Pool(transport.api_client(loaded.configuration, self.user_agent))
        if retired is not None:
            retired.retired = True
            await _close_if_idle(retired)


async def _close_if_idle(pool: _Pool) -> None:
    if pool.retired and pool.users == 0:
        await transport.close(pool.api)


def _signature(credentials: Credentials) -> tuple[object, ...]:
    """What changes when a file is written or, as in mounted secrets, its folder's symbolic link is swapped."""
    return tuple(_file_signature(str(path)) for path in credentials.files)


def _file_signature(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _same_tls(old: Credentials, new: Credentials, old_seen: tuple[object, ...], new_seen: tuple[object, ...]) -> bool:
    """Whether kept connections can go on, that is, nothing but the token changed."""
    return _tls(old.configuration, old, old_seen) == _tls(new.configuration, new, new_seen)


def _tls(configuration: Configuration, credentials: Credentials, seen: tuple[object, ...]) -> tuple[object, ...]:
    signatures = dict(zip((str(path) for path in credentials.files), seen, strict=True))
    files = (configuration.ssl_ca_cert, configuration.cert_file, configuration.key_file)
    settings = (configuration.host, configuration.verify_ssl, configuration.tls_server_name, configuration.proxy)
    return (*settings, *files, *(signatures.get(str(name)) for name in files))
