class Configuration:
    host: str
    api_key: dict[str, str]
    verify_ssl: bool
    disable_strict_ssl_verification: bool
    ssl_ca_cert: str | None
    cert_file: str | None
    key_file: str | None
    tls_server_name: str | None
    proxy: str | None
    def __init__(self, host: str | None = None) -> None: ...
