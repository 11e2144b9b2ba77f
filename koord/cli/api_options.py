"""The options that all commands which talk to an API server share, and how their failures end."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Any

from koord.kube.credentials import CredentialSource, default_source
from koord.kube.errors import ApiError, ConfigurationError, KubeError
from koord.kube.objects import Selection

OK, FAILED, USAGE, NOT_AVAILABLE = 0, 1, 2, 3


def add_connection_options(parser: argparse.ArgumentParser) -> None:
    """Where the API server is."""
    parser.add_argument("--kubeconfig", metavar="FILE", help="kubeconfig (default $KUBECONFIG or ~/.kube/config)")
    parser.add_argument("--context", metavar="NAME", help="context of the kubeconfig")


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """Which objects."""
    parser.add_argument("-n", "--namespace", metavar="NS", help="namespace (default that of the context)")
    parser.add_argument("-A", "--all-namespaces", action="store_true", help="objects of all namespaces")
    parser.add_argument("-l", "--selector", default="", metavar="LABELS", help="only objects with these labels")
    parser.add_argument("--field-selector", default="", metavar="FIELDS", help="only objects with these fields")


def source_of(options: argparse.Namespace) -> CredentialSource:
    """The credentials that the options name."""
    return default_source(options.kubeconfig, options.context)


async def selection_of(options: argparse.Namespace, source: CredentialSource) -> Selection:
    """The selection that the options name; raises ConfigurationError when the context's namespace cannot be read."""
    namespace = options.namespace or ("" if options.all_namespaces else (await source.load()).namespace)
    return Selection(namespace, options.selector, options.field_selector)


def run_until_signal(command: str, work: Coroutine[Any, Any, int]) -> int:
    """Run a command; SIGTERM and SIGINT end it with 0, a server that cannot be used with a message and 3 or 1."""
    try:
        return asyncio.run(_until_signal(work))
    except ConfigurationError as error:
        print(f"koord {command}: {error}", file=sys.stderr)
        return USAGE
    except ApiError as error:
        print(f"koord {command}: {error}", file=sys.stderr)
        return FAILED
    except KubeError as error:
        print(f"koord {command}: {error}", file=sys.stderr)
        return NOT_AVAILABLE


async def _until_signal(work: Coroutine[Any, Any, int]) -> int:
    loop, task = asyncio.get_running_loop(), asyncio.create_task(work)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        return OK
