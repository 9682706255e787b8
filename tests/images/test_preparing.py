"""Preparing images: untouched where possible, converted and recorded where not, refused with a sentence otherwise."""

from __future__ import annotations

import io
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from PIL import Image

from snellen.errors import ImageError
from snellen.images import ImagePolicy, PreparedCache, decode, inspect, prepare, sha256_hex

PLAIN = ImagePolicy()


def picture(width: int = 60, height: int = 40, mode: str = "RGB") -> Image.Image:
    """A red left half and a blue right half, in any mode."""
    image = Image.new("RGB", (width, height), (250, 0, 0))
    image.paste((0, 0, 250), (width // 2, 0, width, height))
    return image if mode == "RGB" else image.convert(mode)


def encoded(image: Image.Image, name: str, **options: Any) -> bytes:
    """The image in a file format."""
    buffer = io.BytesIO()
    image.save(buffer, name, **options)
    return buffer.getvalue()


def reopened(data: bytes) -> Image.Image:
    """Decode with Pillow alone, as a server would."""
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def declared_png(width: int, height: int) -> bytes:
    """A tiny PNG whose header promises width x height pixels."""
    body = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", body), (b"IDAT", zlib.compress(b"\0" * 64)), (b"IEND", b"")]
    framed = (struct.pack(">I", len(b)) + n + b + struct.pack(">I", zlib.crc32(n + b)) for n, b in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


@pytest.mark.parametrize(("name", "mime"), [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("WEBP", "image/webp")])
def test_a_fitting_file_goes_out_byte_for_byte(name: str, mime: str) -> None:
    """An upright opaque JPEG, PNG or WebP is sent untouched."""
    data = encoded(picture(), name)
    made = prepare(data, ImagePolicy(max_side_px=60))
    assert made.data == data
    assert (made.mime, made.change) == (mime, "")
    assert (made.width, made.height, made.source_width, made.source_height) == (60, 40, 60, 40)
    assert made.source_sha256 == sha256_hex(data)


@pytest.mark.parametrize("mode", ["L", "P", "1"])
def test_grey_and_palette_pngs_go_out_untouched(mode: str) -> None:
    """Modes that every decoder reads alike need no conversion."""
    data = encoded(picture(mode=mode), "PNG")
    assert prepare(data, PLAIN).data == data


def test_nothing_is_ever_enlarged() -> None:
    """A small image stays small whatever the limit."""
    made = prepare(encoded(picture(8, 6), "PNG"), ImagePolicy(max_side_px=1024))
    assert (made.width, made.height, made.change) == (8, 6, "")


@pytest.mark.parametrize(("name", "mime"), [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("TIFF", "image/png")])
def test_downscaling_keeps_the_kind_of_format(name: str, mime: str) -> None:
    """JPEG stays JPEG and lossless stays lossless; the long side meets the limit."""
    made = prepare(encoded(picture(900, 600), name), ImagePolicy(max_side_px=300))
    assert (made.width, made.height, made.mime) == (300, 200, mime)
    assert (made.source_width, made.source_height) == (900, 600)
    assert reopened(made.data).size == (300, 200)
    assert "downscaled to 300 x 200" in made.change


def test_scaled_decoding_looks_like_full_decoding() -> None:
    """The faster JPEG path differs from a full decode and LANCZOS by no visible amount."""
    rng = np.random.default_rng(0)
    coarse = Image.fromarray(rng.integers(0, 255, (20, 30, 3), dtype=np.uint8))
    photo = coarse.resize((1500, 1000), Image.Resampling.BICUBIC)
    data = encoded(photo, "JPEG", quality=95)
    fast = np.asarray(reopened(prepare(data, ImagePolicy(max_side_px=500, jpeg_quality=95)).data), dtype=float)
    slow = np.asarray(reopened(data).resize((500, 333), Image.Resampling.LANCZOS), dtype=float)
    assert np.abs(fast - slow).mean() < 2.0


@pytest.mark.parametrize("orientation", range(2, 9))
def test_exif_orientation_is_applied(orientation: int) -> None:
    """Each of the eight orientations comes out as Pillow's own transposition shows it."""
    from PIL import ImageOps

    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(picture(64, 32), "JPEG", exif=exif, quality=95)
    made = prepare(data, PLAIN)
    wanted = ImageOps.exif_transpose(reopened(data))
    assert (made.width, made.height) == wanted.size == (made.source_width, made.source_height)
    assert "turned upright" in made.change
    assert np.abs(np.asarray(reopened(made.data), float) - np.asarray(wanted, float)).mean() < 4
    assert inspect(data).exif_rotated
    assert decode(data).size == wanted.size


def test_exif_orientation_meets_scaled_decoding() -> None:
    """A large lying photo is turned and downscaled to the right side."""
    exif = Image.Exif()
    exif[0x0112] = 6
    made = prepare(encoded(picture(1600, 800), "JPEG", exif=exif), ImagePolicy(max_side_px=200))
    assert (made.width, made.height, made.source_width, made.source_height) == (100, 200, 800, 1600)
    assert reopened(made.data).getpixel((50, 10))[0] > 200


def test_used_transparency_is_put_on_white() -> None:
    """Black text on a transparent ground must not become black on black."""
    layer = Image.new("RGBA", (20, 20), (0, 0, 0, 0))
    layer.paste((0, 0, 0, 255), (5, 5, 10, 10))
    made = prepare(encoded(layer, "PNG"), PLAIN)
    shown = reopened(made.data)
    assert shown.mode == "RGB"
    assert (shown.getpixel((0, 0)), shown.getpixel((7, 7))) == ((255, 255, 255), (0, 0, 0))
    assert "transparency on white" in made.change


def test_unused_transparency_changes_nothing() -> None:
    """An RGBA file whose every pixel is opaque goes out as it is."""
    data = encoded(picture(mode="RGBA"), "PNG")
    assert prepare(data, PLAIN).data == data


def test_palette_transparency_is_put_on_white() -> None:
    """A palette image with a transparent colour is flattened."""
    image = Image.new("P", (10, 10), 0)
    image.putpalette([0, 0, 0, 255, 0, 0])
    image.paste(1, (0, 0, 5, 10))
    shown = reopened(prepare(encoded(image, "PNG", transparency=0), PLAIN).data).convert("RGB")
    assert (shown.getpixel((8, 5)), shown.getpixel((2, 5))) == ((255, 255, 255), (255, 0, 0))


def test_cmyk_becomes_rgb() -> None:
    """A print JPEG keeps its colours and stays a JPEG."""
    made = prepare(encoded(picture(mode="CMYK"), "JPEG", quality=95), PLAIN)
    shown = reopened(made.data)
    assert (made.mime, shown.mode) == ("image/jpeg", "RGB")
    assert shown.getpixel((5, 20))[0] > 200 > shown.getpixel((5, 20))[2]
    assert "CMYK to RGB" in made.change


def test_16_bit_grey_keeps_its_steps() -> None:
    """A 16-bit ramp becomes the 8-bit ramp, not a white sheet."""
    ramp = np.tile(np.linspace(0, 65535, 256).astype(np.uint16), (8, 1))
    made = prepare(encoded(Image.fromarray(ramp), "PNG"), PLAIN)
    shown = np.asarray(reopened(made.data))
    assert shown.dtype == np.uint8
    assert np.abs(shown[0].astype(int) - np.arange(256)).max() <= 1
    assert "16-bit to 8-bit" in made.change


def test_float_tiff_is_stretched_and_says_so() -> None:
    """Values outside any standard range use the whole grey scale, and the change names the range."""
    values = np.linspace(-2, 2, 100, dtype=np.float32).reshape(10, 10)
    made = prepare(encoded(Image.fromarray(values), "TIFF"), PLAIN)
    assert reopened(made.data).getextrema() == (0, 255)
    assert "range -2 to 2" in made.change


@pytest.mark.parametrize("name", ["GIF", "WEBP", "PNG", "TIFF"])
def test_of_an_animation_the_first_frame_is_sent(name: str) -> None:
    """A moving picture becomes its first frame, whatever its format."""
    frames = [Image.new("RGB", (30, 30), colour) for colour in ((200, 0, 0), (0, 200, 0), (0, 0, 200))]
    options = {"lossless": True} if name == "WEBP" else {}
    made = prepare(encoded(frames[0], name, save_all=True, append_images=frames[1:], **options), PLAIN)
    shown = reopened(made.data)
    assert getattr(shown, "n_frames", 1) == 1
    assert shown.convert("RGB").getpixel((5, 5))[0] > 150
    assert "first of 3 frames" in made.change


def test_bmp_becomes_png() -> None:
    """A format that servers do not take is converted without loss."""
    made = prepare(encoded(picture(), "BMP"), PLAIN)
    assert made.mime == "image/png"
    assert np.array_equal(np.asarray(reopened(made.data)), np.asarray(picture()))


def test_byte_limit_is_met() -> None:
    """Noise that compresses badly is brought under the limit, and the change says how."""
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8))
    made = prepare(encoded(noise, "PNG"), ImagePolicy(max_bytes=20_000))
    assert len(made.data) <= 20_000
    assert made.mime == "image/jpeg"
    assert "brought under 20,000 bytes" in made.change
    assert reopened(made.data).size == (made.width, made.height)


def test_an_unreachable_byte_limit_is_said() -> None:
    """A limit below any JPEG ends with a sentence, not a loop."""
    with pytest.raises(ImageError, match="cannot be brought under 10 bytes"):
        prepare(encoded(picture(), "PNG"), ImagePolicy(max_bytes=10))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "0 bytes"),
        (b"<html>502 Bad Gateway</html>", "no JPEG, PNG"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "no JPEG, PNG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"\x89PNG\r\n\x1a\n", "cannot be opened"),
        (b"\xff\xd8\xff\xe0garbage", "JPEG"),
        (b"BM" + b"\0" * 60, "BMP"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "WEBP"),
        (declared_png(400_000, 400_000), "160,000,000,000 pixels"),
        (declared_png(9_000, 9_000), "damaged or cut off"),
    ],
)
def test_what_is_no_image_is_one_sentence(data: bytes, says: str) -> None:
    """Empty files, texts, torn headers and bombs are refused without a crash and without a decode."""
    with pytest.raises(ImageError, match=says):
        prepare(data, ImagePolicy(max_side_px=512))
    with pytest.raises(ImageError):
        decode(data)


@pytest.mark.parametrize("name", ["JPEG", "PNG", "WEBP"])
def test_a_torn_file_is_noticed_even_when_it_would_fit(name: str) -> None:
    """A cut-off download is an error, never sent as it is."""
    noise = Image.fromarray(np.random.default_rng(2).integers(0, 255, (80, 80, 3), dtype=np.uint8))
    data = encoded(noise, name)
    with pytest.raises(ImageError, match=r"damaged or cut off|cannot be opened"):
        prepare(data[: len(data) // 2], PLAIN)


def test_a_torn_jpeg_with_a_thumbnail_is_noticed() -> None:
    """The end mark of an embedded thumbnail is not taken for the picture's own."""
    data = encoded(picture(400, 400), "JPEG")
    thumbnail = encoded(picture(16, 16), "JPEG")
    segment = b"\xff\xe2" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    whole = data[:2] + segment + data[2:]
    assert prepare(whole, PLAIN).data == whole
    with pytest.raises(ImageError):
        prepare(whole[:-400], PLAIN)


def test_bytes_behind_the_end_mark_do_no_harm() -> None:
    """Trailing padding, which cameras write, is no damage."""
    data = encoded(picture(), "JPEG") + b"\0" * 5000
    assert prepare(data, PLAIN).data == data


def test_a_forty_megapixel_png_is_prepared() -> None:
    """A large but allowed picture is downscaled."""
    data = encoded(Image.new("L", (8000, 5000), 128), "PNG", compress_level=1)
    made = prepare(data, ImagePolicy(max_side_px=800))
    assert (made.width, made.height) == (800, 500)


def test_the_pixel_limit_is_a_setting() -> None:
    """One pixel over the user's limit is refused before decoding."""
    with pytest.raises(ImageError, match="60 x 40 = 2,400 pixels; the limit is 2,399"):
        prepare(encoded(picture(), "PNG"), ImagePolicy(max_pixels=2399))


def test_inspect_reads_the_header_only() -> None:
    """Size, mode and frames come from a file whose pixels are missing."""
    info = inspect(declared_png(9_000, 7_000))
    assert (info.format, info.width, info.height, info.mode, info.n_frames) == ("PNG", 9000, 7000, "RGB", 1)


def test_identity_names_what_changes_the_bytes() -> None:
    """Two policies that give other bytes have other identities; the refusal limit is no part of it."""
    assert ImagePolicy(max_side_px=5).identity() != ImagePolicy().identity()
    assert ImagePolicy(max_pixels=5).identity() == ImagePolicy().identity()


def test_the_cache_prepares_a_repeated_image_once() -> None:
    """Many threads asking for one picture share one conversion and get equal bytes."""
    cache, policy = PreparedCache(), ImagePolicy(max_side_px=100)
    data = encoded(picture(600, 400), "JPEG")
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: cache.prepare(data, policy), range(20)))
    assert len({one.data for one in made}) == 1
    assert (cache.n_prepared, cache.n_reused) == (1, 19)


def test_the_cache_holds_no_more_than_it_may() -> None:
    """The least recently used image leaves first."""
    cache, policy = PreparedCache(max_bytes=2500), ImagePolicy(max_side_px=50)
    files = [encoded(picture(100 + i, 80), "JPEG") for i in range(4)]
    for data in files:
        cache.prepare(data, policy)
    cache.prepare(files[-1], policy)
    assert cache.n_reused == 1
    cache.prepare(files[0], policy)
    assert cache.n_prepared == 5


def test_the_cache_passes_errors_on_and_forgets_them() -> None:
    """A broken image is an error each time."""
    cache = PreparedCache()
    for _ in range(2):
        with pytest.raises(ImageError):
            cache.prepare(b"no image", PLAIN)
    assert cache.n_prepared == 2


def test_the_same_image_gives_the_same_bytes_from_many_threads() -> None:
    """Preparation has no shared state."""
    data = encoded(picture(500, 400), "JPEG")
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: prepare(data, ImagePolicy(max_side_px=64)).data, range(32)))
    assert len(made) == 1
