"""`snellen view`: a local web page of the runs in a folder, on this machine only."""

from __future__ import annotations

import contextlib
import getpass
import os
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

from snellen.errors import UsageError
from snellen.viewer.app import create_app

HOST = "127.0.0.1"
FIRST_PORT = 8642


def view(
    root: Path, *, port: int | None = None, may_adjudicate: bool = False, by: str = "", tell: Callable[[str], None]
) -> None:
    """Serve the viewer until it is interrupted.

    Args:
        root: a folder of runs, or one run directory.
        port: TCP port; None takes the first free one from 8642 on.
        may_adjudicate: whether decisions about answers may be written into the runs.
        by: who decides, as written beside each decision; "" takes the name of the user.
        tell: is given the address to open, which holds the token.

    Raises:
        UsageError: there is no such folder, or the port is taken.
    """
    if not root.is_dir():
        raise UsageError(f"there is no folder {root}; give a folder of runs, or one run directory")
    # Looking at runs asks nothing outside: a benchmark from the hub is read from its local copy or not at all.
    os.environ["HF_HUB_OFFLINE"] = "1"
    import uvicorn

    listener = _listen(port)
    taken = listener.getsockname()[1]
    token = secrets.token_urlsafe(24)
    hosts = [f"{HOST}:{taken}", f"localhost:{taken}"]
    app = create_app(root, token=token, hosts=hosts, may_adjudicate=may_adjudicate, by=by or _user())
    tell(f"http://{HOST}:{taken}/?token={token}")
    settings = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, ws="none", lifespan="off"
    )
    with contextlib.closing(listener):
        uvicorn.Server(settings).run(sockets=[listener])


def _listen(port: int | None) -> socket.socket:
    wanted = [port] if port is not None else [*range(FIRST_PORT, FIRST_PORT + 20), 0]
    for one in wanted:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            listener.bind((HOST, one))
            listener.listen(128)
        except (OSError, OverflowError):
            listener.close()
        else:
            return listener
    raise UsageError(f"port {port} is taken or not allowed; give another --port, or none to find a free one")


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "someone"
