"""`python -m whatsrelated` is the command `related`."""

from whatsrelated.cli import main

main()
