"""The viewer as an ASGI application: routes, static files, the guard before them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from snellen.errors import SnellenError
from snellen.reports.page import STYLE
from snellen.viewer.library import Library
from snellen.viewer.pictures import Pictures
from snellen.viewer.rendering import render
from snellen.viewer.run_pages import RunPages
from snellen.viewer.sample_pages import SamplePages
from snellen.viewer.security import Guard, form_token
from snellen.viewer.side_by_side import SideBySide


def create_app(
    root: Path, *, token: str, hosts: Iterable[str], may_adjudicate: bool = False, by: str = ""
) -> ASGIApp:
    """Make the application.

    Args:
        root: a folder of runs, or one run directory.
        token: what an address has to hold.
        hosts: values of the Host header that are answered ("127.0.0.1:8642").
        may_adjudicate: whether decisions may be written.
        by: who decides.
    """
    library, pictures = Library(root), Pictures()
    runs = RunPages(library)
    samples = SamplePages(library, pictures, form_token(token) if may_adjudicate else "", by)
    side = SideBySide(library)
    routes = [
        Route("/", runs.index),
        Route("/runs/{run}", runs.run),
        Route("/runs/{run}/progress", runs.progress),
        Route("/runs/{run}/report", runs.report),
        Route("/runs/{run}/samples", samples.listing),
        Route("/runs/{run}/samples/{position:int}", samples.sample),
        Route("/runs/{run}/samples/{position:int}/adjudicate", samples.adjudicate, methods=["POST"]),
        Route("/runs/{run}/images/{position:int}/{number:int}", samples.image),
        Route("/compare", side.page),
        Route("/static/{name}", _static),
    ]
    handlers = {HTTPException: _http_error, SnellenError: _own_error}
    app = Starlette(routes=routes, exception_handlers=handlers)  # type: ignore[arg-type]  # narrower error types
    allowed = list(hosts)
    port = allowed[0].rpartition(":")[2] if allowed else ""
    return Guard(app, token=token, hosts=allowed, cookie=f"snellen_{port}")


def _static(request: Request) -> Response:
    """The viewer's own two files."""
    name = request.path_params["name"]
    if name not in _STATIC:
        raise HTTPException(404, "there is no such file")
    text, mime = _STATIC[name]
    return Response(text(), media_type=mime, headers={"Cache-Control": "private, max-age=300"})


@cache
def _style() -> str:
    return STYLE + files("snellen.viewer").joinpath("static", "viewer.css").read_text("utf-8")


@cache
def _script() -> str:
    return files("snellen.viewer").joinpath("static", "viewer.js").read_text("utf-8")


_STATIC = {"viewer.css": (_style, "text/css"), "viewer.js": (_script, "text/javascript")}


def _http_error(_request: Request, error: HTTPException) -> Response:
    return render("error.html", status=error.status_code, sentence=str(error.detail))


def _own_error(_request: Request, error: SnellenError) -> Response:
    return render("error.html", status=500, sentence=str(error))
