"""`python -m koordlet` is the `koordlet` command."""

from koordlet.main import main

main()
