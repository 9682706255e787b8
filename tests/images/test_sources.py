"""Reading an image's bytes from every kind of source a data set holds."""

from __future__ import annotations

import base64
import http.server
import io
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from PIL import Image

from snellen.errors import ImageError
from snellen.images import read_bytes


def png(colour: tuple[int, int, int] = (1, 2, 3), name: str = "PNG") -> bytes:
    """A small encoded picture."""
    buffer = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(buffer, name)
    return buffer.getvalue()


PNG = png()
B64 = base64.b64encode(PNG).decode()


@pytest.mark.parametrize(
    "source",
    [
        PNG,
        bytearray(PNG),
        memoryview(PNG),
        {"bytes": PNG, "path": "gone.png"},
        {"bytes": None, "path": f"data:image/png;base64,{B64}"},
        {"bytes": B64},
        f"data:image/png;base64,{B64}",
        f"DATA:image/png;charset=x;BASE64,{B64}",
        f"data:image/png;base64,{quote(B64, safe='')}",
        f"data:image/png,{quote(PNG)}",
        B64,
        B64.rstrip("="),
        "\n".join(B64[i : i + 60] for i in range(0, len(B64), 60)),
        " " + B64[:50] + "  \r\n" + B64[50:] + " ",
        base64.urlsafe_b64encode(PNG).decode(),
    ],
)
def test_every_kind_of_source_gives_the_same_bytes(source: Any) -> None:
    """Bytes, mappings, data URIs and base64 in all its spellings are read."""
    assert read_bytes(source) == PNG


@pytest.mark.parametrize("name", ["JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP"])
def test_base64_of_every_format_is_told_from_a_path(name: str) -> None:
    """JPEG begins "/9j/" in base64, which is no absolute path."""
    data = png(name=name)
    assert read_bytes(base64.b64encode(data).decode()) == data


def test_paths_start_from_the_root(tmp_path: Path) -> None:
    """A relative path is looked up beside its data file; str, Path, mapping and absolute paths all work."""
    (tmp_path / "a folder").mkdir()
    file = tmp_path / "a folder" / "ü 1.png"
    file.write_bytes(PNG)
    for source in ("a folder/ü 1.png", Path("a folder/ü 1.png"), {"path": "a folder/ü 1.png"}, str(file), file):
        assert read_bytes(source, root=tmp_path) == PNG


@pytest.mark.parametrize("path", ["../secret.png", "a/../../secret.png", "..", "..\\secret.png"])
def test_a_relative_path_may_not_leave_its_folder(tmp_path: Path, path: str) -> None:
    """Data cannot reach beside its own folder by dots."""
    (tmp_path / "secret.png").write_bytes(PNG)
    (tmp_path / "data").mkdir()
    with pytest.raises(ImageError, match="leaves the folder"):
        read_bytes(path, root=tmp_path / "data")


def test_dots_that_stay_inside_are_fine(tmp_path: Path) -> None:
    """A path that comes back into its folder is read."""
    (tmp_path / "x.png").write_bytes(PNG)
    assert read_bytes("./sub/../x.png", root=tmp_path) == PNG


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (None, "no image"),
        ("", "no image"),
        ("   ", "no image"),
        (b"", "0 bytes"),
        ({}, "needs"),
        ({"bytes": None, "path": None}, "needs"),
        ({"bytes": b""}, "0 bytes"),
        (17, "type int"),
        ([PNG], "type list"),
        ("no-such-file.png", "does not exist"),
        ("what is this text?", "does not exist"),
        ("x" * 5000 + "!", "neither a path nor readable base64"),
        ("nul\0byte.png", "cannot be read"),
        ("data:image/png;base64", "no comma"),
        ("data:image/png;base64,@@@@", "neither a path nor readable base64"),
        ("file:///etc/hostname", "is not read"),
        ("https://example.org/a.png", "--allow-urls"),
        ("/dev/zero", "no regular file"),
        ("/", "no regular file"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, source: Any, says: str) -> None:
    """Every failure is an ImageError that says what is wrong."""
    with pytest.raises(ImageError, match=says) as caught:
        read_bytes(source, root=tmp_path)
    assert len(str(caught.value)) < 400


def test_a_pil_image_becomes_png() -> None:
    """A live picture is encoded without loss, upright."""
    image = Image.new("RGB", (4, 3), (9, 8, 7))
    again = Image.open(io.BytesIO(read_bytes(image)))
    assert (again.format, again.size, again.getpixel((0, 0))) == ("PNG", (4, 3), (9, 8, 7))


@pytest.mark.parametrize("mode", ["CMYK", "YCbCr", "HSV", "F", "P", "RGBA"])
def test_pil_images_of_every_mode_are_taken(mode: str) -> None:
    """Modes that PNG has no place for are converted."""
    assert read_bytes(Image.new("RGB", (4, 3)).convert("L" if mode == "F" else mode).convert(mode))[:4] == b"\x89PNG"


class Site(http.server.BaseHTTPRequestHandler):
    """A web server with a picture, a redirect to a file and an error."""

    def do_GET(self) -> None:
        """Answer by path."""
        if self.path == "/a.png":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(PNG)
        elif self.path == "/leave":
            self.send_response(302)
            self.send_header("Location", "file:///etc/hostname")
            self.end_headers()
        else:
            self.send_error(404)

    def log_message(self, format: str, *args: Any) -> None:
        """Stay silent."""


@pytest.fixture
def site() -> Iterator[str]:
    """Address of a running server."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_addresses_are_fetched_when_allowed(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With permission the bytes come; redirects off the web and errors are sentences."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert read_bytes(f"{site}/a.png", allow_urls=True) == PNG
    for path in ("/leave", "/gone"):
        with pytest.raises(ImageError, match="could not be fetched"):
            read_bytes(site + path, allow_urls=True)
