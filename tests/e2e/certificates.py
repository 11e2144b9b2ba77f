"""A certificate authority for one test cluster."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFETIME = timedelta(days=1)


@dataclass(frozen=True)
class KeyPair:
    """PEM files of a certificate and its key."""

    certificate: Path
    key: Path


class Authority:
    """Signs certificates for the servers and clients of one cluster; everything lies in its folder."""

    def __init__(self, folder: Path, name: str = "koord test cluster") -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        builder = _builder(self._name, self._name, self._key.public_key())
        certificate = (
            builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_key_usage(signs_certificates=True), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        self.certificate = folder / "ca.crt"
        self.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def server(self, name: str, hosts: list[str]) -> KeyPair:
        """A certificate for a server under these DNS names and addresses."""
        names: list[x509.GeneralName] = [_host(host) for host in hosts]
        return self._issue(name, name, [], ExtendedKeyUsageOID.SERVER_AUTH, x509.SubjectAlternativeName(names))

    def client(self, user: str, groups: list[str]) -> KeyPair:
        """A certificate that authenticates a user with groups."""
        return self._issue(user.replace(":", "-"), user, groups, ExtendedKeyUsageOID.CLIENT_AUTH, None)

    def _issue(
        self,
        file: str,
        common_name: str,
        groups: list[str],
        usage: x509.ObjectIdentifier,
        alternatives: x509.SubjectAlternativeName | None,
    ) -> KeyPair:
        key = ec.generate_private_key(ec.SECP256R1())
        parts = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, group) for group in groups]
        subject = x509.Name([*parts, x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
        builder = (
            _builder(subject, self._name, key.public_key())
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_key_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )
        if alternatives is not None:
            builder = builder.add_extension(alternatives, critical=False)
        pair = KeyPair(self._folder / f"{file}.crt", self._folder / f"{file}.key")
        pair.certificate.write_bytes(builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        pair.key.write_bytes(_private_pem(key))
        pair.key.chmod(0o600)
        return pair


def signing_key(folder: Path, name: str) -> Path:
    """An RSA key with which service account tokens are signed."""
    path = folder / f"{name}.key"
    path.write_bytes(_private_pem(rsa.generate_private_key(public_exponent=65537, key_size=2048)))
    path.chmod(0o600)
    return path


def _builder(subject: x509.Name, issuer: x509.Name, public_key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + LIFETIME)
    )


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _private_pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
