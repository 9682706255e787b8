"""`python -m snellen` is `snellen`."""

from snellen.cli import main

main()
