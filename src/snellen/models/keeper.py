"""Keeps a server for as long as its owner lives: started as a script of its own, with a pipe from the owner.

When the pipe closes (the owner is done, crashed or was killed) the server and all its children are stopped. When the
server ends by itself, so does the keeper, with the same exit code.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading

GRACE_S = 10.0
"""Seconds between the polite and the final signal."""


def main(command: list[str]) -> int:
    """Run a command until it ends or standard input closes; this process leads their group."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # sent to the whole group below
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The command is the owner's own, and no thread runs yet that a fork could harm.
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=_default_signals)  # noqa: S603 - see above
    threading.Thread(target=_stop_with_owner, args=(child,), daemon=True).start()
    return child.wait()


def _default_signals() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _stop_with_owner(child: subprocess.Popen[bytes]) -> None:
    while os.read(0, 4096):
        pass
    os.killpg(0, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(GRACE_S)
    os.killpg(0, signal.SIGKILL)  # whatever the server started and left behind, and this process


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
