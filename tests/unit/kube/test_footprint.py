"""P03: what the client layer may not bring into a daemon."""

import pkgutil
import subprocess
import sys

import koord.kube

MODULES = sorted(f"koord.kube.{module.name}" for module in pkgutil.iter_modules(koord.kube.__path__))


def test_no_generated_class_or_model_of_the_kubernetes_package_is_loaded() -> None:
    script = f"import sys, {', '.join(MODULES)}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert "kubernetes.aio.client.api_client" in loaded
    generated = (".client.models.", ".client.api.")
    assert [name for name in loaded if name.startswith("kubernetes.") and any(part in name for part in generated)] == []
