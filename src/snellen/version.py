"""The version, alone in a module so that every layer may import it."""

__version__ = "0.1.0"
