"""Pictures as pixels: shapes are where the SVG says, in its colours."""

import numpy as np
import pytest

import daedalus
from daedalus.interop.raster import rgb_array

RED, BLUE, WHITE = [255, 0, 0], [0, 0, 255], [255, 255, 255]


def drawn(inside, size=40):
    return rgb_array(f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">{inside}</svg>')


@pytest.mark.parametrize(
    "shape",
    [
        '<rect x="10" y="0" width="20" height="10" fill="#ff0000"/>',
        '<g transform="translate(10 0)" fill="#ff0000"><rect width="20" height="10" rx="2"/></g>',
        '<path d="M10 0H30V10H10Z" fill="#ff0000"/>',
        '<path d="m10 0h20v10l-20 0z" fill="#ff0000"/>',
        '<polygon points="10,0 30,0 30,10 10,10" fill="#ff0000"/>',
        '<path d="M10 5H30" stroke="#ff0000" stroke-width="10" fill="none"/>',
        '<svg x="10" width="20" height="10" viewBox="5 5 40 20"><rect x="5" y="5" width="40" height="20" fill="#ff0000"/></svg>',
        '<rect x="-5" y="-10" width="10" height="20" transform="translate(20 5) rotate(90)" fill="#ff0000"/>',
        '<g color="#ff0000"><rect x="10" width="20" height="10" fill="currentColor"/></g>',
        '<defs><linearGradient id="a"><stop offset="0" stop-color="#ff0000"/></linearGradient></defs>'
        '<rect x="10" width="20" height="10" fill="url(#a)"/>',
        '<circle cx="20" cy="5" r="9" fill="#0000ff" visibility="hidden"/><path d="M10 0L30 0L30 10L10 10" fill="#ff0000"/>',
    ],
)
def test_the_same_rectangle_drawn_in_many_ways(shape):
    pixels = drawn(shape)
    assert pixels.shape == (40, 40, 3) and pixels.dtype == np.uint8
    for x, y in ((13, 2), (26, 2), (20, 5), (13, 7), (26, 7)):
        assert pixels[y, x].tolist() == RED
    for x, y in ((7, 5), (32, 5), (20, 12), (20, 30)):
        assert pixels[y, x].tolist() == WHITE


def test_a_disc_covers_its_area():
    pixels = drawn('<circle cx="20" cy="20" r="15" fill="#0000ff"/>')
    assert (255.0 - pixels[..., 0]).sum() / 255 == pytest.approx(np.pi * 15**2, rel=0.01)
    assert pixels[20, 33].tolist() == BLUE and pixels[8, 8].tolist() == WHITE


def test_opacity_mixes_and_letters_are_drawn():
    assert drawn('<rect width="40" height="40" fill="#ff0000" fill-opacity="0.5" opacity="0.5"/>')[
        20, 20
    ].tolist() == pytest.approx([255, 191, 191], abs=1)
    ink = drawn('<text x="20" y="30" font-size="24" text-anchor="middle">H</text>').min(axis=2) < 128
    columns = np.flatnonzero(ink.any(axis=0))
    assert ink.any() and columns.mean() == pytest.approx(20, abs=2) and not ink[31:].any()


@pytest.mark.parametrize("name", daedalus.game_names())
def test_every_game_has_a_picture_of_pixels(name):
    pixels = rgb_array(daedalus.new(name, seed=1).svg())
    assert min(pixels.shape[:2]) > 300 and len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
