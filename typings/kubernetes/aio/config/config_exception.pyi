class ConfigException(Exception): ...  # noqa: N818
