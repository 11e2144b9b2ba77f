"""Key prefixes and installation-wide names."""

from typing import Final

DOMAIN: Final = "koordinator.sh/"  # the slash is part of it
RESOURCE_DOMAIN: Final = "kubernetes.io/"  # batch and mid resources
SCHEDULING: Final = "scheduling.koordinator.sh"
INTERNAL_SCHEDULING: Final = "internal.scheduling.koordinator.sh"  # not a stable user API
NODE: Final = "node.koordinator.sh"
POD: Final = "pod.koordinator.sh"
GANG: Final = "gang.scheduling.koordinator.sh"
QUOTA: Final = "quota.scheduling.koordinator.sh"
CONFIG: Final = "config.koordinator.sh"  # profile metadata only
KUBELET: Final = "kubelet.koordinator.sh"
DESCHEDULER: Final = "descheduler.koordinator.sh"
RUNTIME_PROXY: Final = "runtimeproxy.koordinator.sh"

INSTALL_NAMESPACE: Final = "koordinator-system"
LABEL_MANAGED_BY: Final = "app.kubernetes.io/managed-by"
MANAGED_BY_KOORDINATOR: Final = "Koordinator"
