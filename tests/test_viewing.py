"""`snellen view` as a verb."""

import socket
from pathlib import Path

import pytest

from snellen import viewing
from snellen.errors import UsageError


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """Nothing is served where there is no folder."""
    with pytest.raises(UsageError, match="there is no folder"):
        viewing.view(tmp_path / "none", tell=pytest.fail)


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    """A port that somebody else listens on is refused in one sentence."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(UsageError, match="is taken"):
            viewing.view(tmp_path, port=other.getsockname()[1], tell=pytest.fail)


def test_only_this_machine_is_listened_to() -> None:
    """The socket is bound to the loopback address, on a free port when none is given."""
    with viewing._listen(None) as first, viewing._listen(None) as second:
        assert first.getsockname()[0] == "127.0.0.1"
        assert first.getsockname()[1] != second.getsockname()[1]
