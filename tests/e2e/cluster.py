"""A real control plane on loopback: etcd, kube-apiserver, kube-controller-manager and, on demand, kube-scheduler.

Nodes are simulated (see `nodes.py`), so no controller judges their heartbeats. RBAC is on, and an audit log tells what
each component of ours asked for. Everything lives in one temporary folder and dies with the process that started it.
"""

import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from koord.kube.credentials import Kubeconfig
from tests.e2e import build
from tests.e2e.certificates import Authority, KeyPair, signing_key

START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 5.0
CRDS = Path(__file__).parents[2] / "deploy" / "crds"
ISSUER = "https://kubernetes.default.svc"
COMPONENT_NAMESPACE = "koord-system"
CONTROLLERS = (
    "deployment-controller",
    "replicaset-controller",
    "statefulset-controller",
    "daemonset-controller",
    "job-controller",
    "garbage-collector-controller",
    "namespace-controller",
    "disruption-controller",
    "serviceaccount-controller",
    "serviceaccount-token-controller",
)
AUDIT_POLICY = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [
        {"level": "Metadata", "userGroups": [f"system:serviceaccounts:{COMPONENT_NAMESPACE}"]},
        {"level": "None"},
    ],
}


class ClusterError(RuntimeError):
    """The control plane did not start; the message ends with the log of the part at fault."""


@dataclass
class Program:
    """A running part of the control plane."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def tail(self) -> str:
        """The end of its log."""
        return self.log.read_text(errors="replace")[-3000:]


@dataclass
class Cluster:
    """One control plane. Use it as a context manager."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="koord-e2e-")))
    programs: list[Program] = field(default_factory=list)
    port: int = 0
    started_in_s: float = 0.0

    def __enter__(self) -> "Cluster":
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def server(self) -> str:
        """The API server's address."""
        return f"https://127.0.0.1:{self.port}"

    @property
    def ca(self) -> Path:
        """The certificate of the cluster's authority."""
        return self._authority.certificate

    @property
    def admin(self) -> Kubeconfig:
        """Credentials that may do everything."""
        return Kubeconfig(str(self.folder / "admin.kubeconfig"))

    @property
    def audit_log(self) -> Path:
        """One JSON event per request of a component's service account."""
        return self.folder / "audit.log"

    def kubectl(self, *arguments: str, stdin: str | None = None) -> str:
        """Run kubectl of the cluster's version as admin; raises with its message when it fails."""
        done = subprocess.run(
            [str(self._binaries / "kubectl"), f"--kubeconfig={self.folder / 'admin.kubeconfig'}", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise ClusterError(f"kubectl {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def apply_crds(self) -> None:
        """Define Koord's kinds and wait until they are served."""
        self.kubectl("apply", "--server-side", "-f", str(CRDS))
        self.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=30s")

    def client_kubeconfig(self, name: str, user: dict[str, str], server: str | None = None) -> Path:
        """Write a kubeconfig for a user entry (token, or client-certificate and client-key), perhaps via a proxy."""
        path = self.folder / f"{name}.kubeconfig"
        path.write_text(
            yaml.safe_dump(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "current-context": "test",
                    "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
                    "clusters": [
                        {
                            "name": "test",
                            "cluster": {"server": server or self.server, "certificate-authority": str(self.ca)},
                        }
                    ],
                    "users": [{"name": "test", "user": user}],
                }
            )
        )
        path.chmod(0o600)
        return path

    def kubeconfig_behind(self, address: str) -> Kubeconfig:
        """Credentials for a proxy, which itself authenticates to the server."""
        return Kubeconfig(str(self.client_kubeconfig(f"behind-{address.rpartition(':')[2]}", {}, address)))

    def server_certificate(self, name: str) -> KeyPair:
        """A serving certificate for something of a test that stands between clients and the server."""
        return self._authority.server(name, ["127.0.0.1", "localhost"])

    def start_scheduler(self) -> None:
        """Start Kubernetes' own scheduler, for comparison with ours."""
        pair = self._authority.client("system:kube-scheduler", [])
        config = self.client_kubeconfig("scheduler", _certificate_user(pair))
        self._spawn("kube-scheduler", [f"--kubeconfig={config}", "--leader-elect=false", "--secure-port=0"])

    def stop_program(self, name: str) -> None:
        """Stop one part, for example the API server for an outage."""
        for program in [program for program in self.programs if program.name == name]:
            _end(program.process)
            self.programs.remove(program)

    def start_apiserver(self) -> None:
        """Start the API server (again) on the cluster's port and wait until it is ready."""
        self._spawn("kube-apiserver", self._apiserver_arguments)
        self._wait_ready()

    def stop(self) -> None:
        """Stop everything and remove the folder; nothing stays behind."""
        for program in reversed(self.programs):
            program.process.terminate()
        for program in reversed(self.programs):
            _end(program.process)
        self.programs.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self) -> None:
        self._binaries = build.build()
        began = time.monotonic()
        self._authority = Authority(self.folder)
        self.port, etcd_port, peer_port = _free_ports(3)
        etcd = f"http://127.0.0.1:{etcd_port}"
        self._spawn(
            "etcd",
            [
                f"--data-dir={self.folder / 'etcd'}",
                f"--listen-client-urls={etcd}",
                f"--advertise-client-urls={etcd}",
                f"--listen-peer-urls=http://127.0.0.1:{peer_port}",
                "--unsafe-no-fsync",
                "--log-level=warn",
            ],
        )
        admin = self._authority.client("admin", ["system:masters"])
        self.client_kubeconfig("admin", _certificate_user(admin))
        self.admin_pair = admin
        sign = signing_key(self.folder, "service-accounts")
        self._apiserver_arguments = self._apiserver_flags(etcd, sign)
        self.start_apiserver()
        self._start_controllers(sign)
        self.started_in_s = time.monotonic() - began

    def _apiserver_flags(self, etcd: str, sign: Path) -> list[str]:
        serving = self._authority.server("kube-apiserver", ["127.0.0.1", "localhost", "kubernetes.default.svc"])
        policy = self.folder / "audit-policy.yaml"
        policy.write_text(yaml.safe_dump(AUDIT_POLICY))
        return [
            f"--etcd-servers={etcd}",
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            f"--secure-port={self.port}",
            "--endpoint-reconciler-type=none",
            "--service-cluster-ip-range=10.255.0.0/24",
            f"--tls-cert-file={serving.certificate}",
            f"--tls-private-key-file={serving.key}",
            f"--client-ca-file={self.ca}",
            f"--cert-dir={self.folder}",
            "--authorization-mode=RBAC",
            f"--service-account-issuer={ISSUER}",
            f"--service-account-key-file={sign}",
            f"--service-account-signing-key-file={sign}",
            "--allow-privileged=true",
            f"--audit-policy-file={policy}",
            f"--audit-log-path={self.audit_log}",
            "--audit-log-mode=blocking",
            "--shutdown-delay-duration=0s",
        ]

    def _start_controllers(self, sign: Path) -> None:
        pair = self._authority.client("system:kube-controller-manager", [])
        config = self.client_kubeconfig("controller-manager", _certificate_user(pair))
        self._spawn(
            "kube-controller-manager",
            [
                f"--kubeconfig={config}",
                f"--controllers={','.join(CONTROLLERS)}",
                "--use-service-account-credentials=true",
                f"--service-account-private-key-file={sign}",
                f"--root-ca-file={self.ca}",
                "--leader-elect=false",
                "--secure-port=0",
            ],
        )

    def _spawn(self, name: str, arguments: list[str]) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise ClusterError(f"{name} must be started by the main thread: it dies with the thread that starts it")
        log = self.folder / f"{name}.log"
        with log.open("ab") as output:
            # The kernel ends it with the thread that started it, also when that is killed.
            process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "--", str(self._binaries / name), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.folder,
                env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder)},
            )
        self.programs.append(Program(name, process, log))

    def _wait_ready(self) -> None:
        context = ssl.create_default_context(cafile=str(self.ca))
        context.load_cert_chain(self.admin_pair.certificate, self.admin_pair.key)
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            for program in self.programs:
                if program.process.poll() is not None:
                    raise ClusterError(f"{program.name} ended with {program.process.returncode}\n{program.tail()}")
            try:
                with urllib.request.urlopen(f"{self.server}/readyz", context=context, timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                pass
            time.sleep(0.1)
        raise ClusterError(f"kube-apiserver not ready after {START_TIMEOUT_S:g} s\n{self.programs[-1].tail()}")


def _certificate_user(pair: KeyPair) -> dict[str, str]:
    return {"client-certificate": str(pair.certificate), "client-key": str(pair.key)}


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
