"""Admission webhooks, colocation profiles, configuration objects, the runtime proxy's opt-out."""

from typing import Final

LABEL_MUTATING_UPDATE: Final = "pod.koordinator.sh/mutating-update"
LABEL_SKIP_ENHANCED_VALIDATION: Final = "pod.koordinator.sh/skip-enhanced-validation"
LABEL_BINDING_ADMISSION_BYPASS: Final = "koordinator.sh/binding-admission-bypass"
LABEL_CONFIGMAP_TYPE: Final = "koordinator.sh/configmap-type"
CONFIGMAP_TYPE_SLO_CONTROLLER_CONFIG: Final = "slo-controller-config"
ANNOTATION_SKIP_UPDATE_RESOURCES: Final = "config.koordinator.sh/skip-update-resources"
LABEL_CONTROLLER_MANAGED: Final = "config.koordinator.sh/controller-managed"
LABEL_SKIP_HOOK_SERVER: Final = "runtimeproxy.koordinator.sh/skip-hookserver"  # on pod sandboxes
