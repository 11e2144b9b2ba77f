"""Where the API server is and how to prove who asks: kubeconfig or service account.

A source is loaded again when one of its files changed, when a plugin's credential is about to expire, and after a 401.
"""

import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import yaml
from kubernetes.aio.client.configuration import Configuration
from kubernetes.aio.config.config_exception import ConfigException
from kubernetes.aio.config.incluster_config import InClusterConfigLoader
from kubernetes.aio.config.kube_config import KubeConfigLoader, KubeConfigMerger

from koord.kube.errors import ConfigurationError

SERVICE_ACCOUNT_FOLDER = Path("/var/run/secrets/kubernetes.io/serviceaccount")
RENEW_BEFORE_EXPIRY = timedelta(seconds=30)


@dataclass(frozen=True)
class Credentials:
    """A loaded source: the client's configuration, the files it was read from, and when it stops being valid.

    `namespace` is the one that people mean when they name none.
    """

    configuration: Configuration
    files: tuple[Path, ...]
    expires_at: datetime | None = None
    namespace: str = "default"

    def expired(self, now: datetime) -> bool:
        """Whether it is time to load anew."""
        return self.expires_at is not None and now >= self.expires_at - RENEW_BEFORE_EXPIRY


class CredentialSource(Protocol):
    """Something that tells where the server is and how to authenticate."""

    async def load(self) -> Credentials:
        """Read everything anew; raises ConfigurationError naming the file or plugin at fault."""
        ...


@dataclass(frozen=True)
class ServiceAccount:
    """The files and environment that Kubernetes gives to a pod."""

    folder: Path = SERVICE_ACCOUNT_FOLDER

    async def load(self) -> Credentials:
        """Read the token and the CA of the pod's service account."""
        token, ca = self.folder / "token", self.folder / "ca.crt"
        configuration = _configuration()
        try:
            InClusterConfigLoader(str(token), str(ca), try_refresh_token=False).load_and_set(configuration)
        except (ConfigException, OSError) as error:
            raise ConfigurationError(f"service account in {self.folder}: {error}") from error
        _tidy_token(configuration)
        return Credentials(configuration, (token, ca), namespace=_own_namespace(self.folder))


@dataclass(frozen=True)
class Kubeconfig:
    """A kubeconfig file, or several joined by `:`; None is $KUBECONFIG, else ~/.kube/config."""

    path: str | None = None
    context: str | None = None

    async def load(self) -> Credentials:
        """Read the files and run the credential plugin of the context, if it has one."""
        where = self.path or os.environ.get("KUBECONFIG") or str(Path.home() / ".kube" / "config")
        configuration = _configuration()
        try:
            merged = KubeConfigMerger(where)
            if not merged.paths:
                raise ConfigurationError(f"kubeconfig {where}: no such file")
            loader = KubeConfigLoader(merged.config, active_context=self.context, config_base_path=None)
            await loader.load_and_set(configuration)
            user = _user(loader, merged)
        except (ConfigException, OSError, yaml.YAMLError, ValueError, TypeError, KeyError) as error:
            raise ConfigurationError(f"kubeconfig {where}: {error}") from error
        if "exec" in user and not configuration.api_key and not configuration.cert_file:
            # The loader logs the plugin's failure and goes on without credentials.
            command = user["exec"].get("command", "")
            raise ConfigurationError(f"kubeconfig {where}: credential plugin {command!r} gave no credentials")
        _tidy_token(configuration)
        named = (configuration.ssl_ca_cert, configuration.cert_file, configuration.key_file, _token_file(user, merged))
        files = (*merged.paths, *(name for name in named if name))
        namespace = loader.current_context["context"].get("namespace") or "default"
        return Credentials(configuration, tuple(Path(name) for name in files), _expiry(loader), namespace)


def default_source(kubeconfig: str | None = None, context: str | None = None) -> CredentialSource:
    """What a component uses: the kubeconfig it was told, else the pod's service account, else the user's kubeconfig."""
    in_cluster = "KUBERNETES_SERVICE_HOST" in os.environ and (SERVICE_ACCOUNT_FOLDER / "token").exists()
    if kubeconfig is None and context is None and in_cluster:
        return ServiceAccount()
    return Kubeconfig(kubeconfig, context)


def _configuration() -> Configuration:
    configuration = Configuration(host="")
    # Trust as kubectl does: RFC 5280's strict mode refuses CAs without key identifiers, which many clusters have.
    configuration.disable_strict_ssl_verification = True
    return configuration


def _tidy_token(configuration: Configuration) -> None:
    """Files often end in a newline, which no HTTP header may hold."""
    if token := configuration.api_key.get("BearerToken"):
        configuration.api_key["BearerToken"] = token.strip()


def _user(loader: KubeConfigLoader, merged: KubeConfigMerger) -> dict[str, Any]:
    name = loader.current_context["context"].get("user")
    found = merged.config["users"].get_with_name(name, safe=True) if name else None
    return found.value["user"] or {} if found is not None else {}


def _own_namespace(folder: Path) -> str:
    """The namespace of the pod; the file is there wherever Kubernetes mounted the token."""
    path = folder / "namespace"
    return path.read_text().strip() if path.exists() else "default"


def _token_file(user: dict[str, Any], merged: KubeConfigMerger) -> str | None:
    name = user.get("tokenFile")
    return os.path.normpath(os.path.join(os.path.dirname(merged.paths[0]), name)) if name else None


def _expiry(loader: KubeConfigLoader) -> datetime | None:
    expiry = getattr(loader, "exec_plugin_expiry", None)
    return expiry.astimezone(UTC) if isinstance(expiry, datetime) else None
