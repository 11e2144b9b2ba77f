"""The `koord` command for people."""
