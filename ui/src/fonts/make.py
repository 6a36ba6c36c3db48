"""Makes the site's font files from the OFL originals: only the characters that are set, only the axes that move.

Usage: pip install fonttools brotli; npm install @fontsource-variable/fraunces @fontsource-variable/dm-sans;
python3 make.py PATH/TO/node_modules/@fontsource-variable
Prints the metrics that `styles/fonts.css` uses for its fallbacks.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
# What the site's own texts are set in.
BASIC = [
    *range(0x20, 0x7F), 0xA0, 0xA9, 0xB7, 0xD7,
    0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x20AC, 0x2122, 0x2190, 0x2192, 0x2212, 0x2605,
]
# Accented letters and further signs; `styles/fonts.css` has the same ranges. They have files of their own, so that the files which every page preloads fit into the
# first ten packets of a connection: 14 KB.
LATIN_1 = [*(set(range(0xA1, 0x100)) - set(BASIC)), 0x131, 0x152, 0x153, 0x160, 0x161, 0x178, 0x17D, 0x17E]

# The characters of names; `styles/names.css` has the same ranges.
LATIN_EXT = [*range(0x100, 0x250), 0x259, *range(0x1E00, 0x1EA0)]
VIETNAMESE = [
    0x102, 0x103, 0x110, 0x111, 0x128, 0x129, 0x168, 0x169, 0x1A0, 0x1A1, 0x1AF, 0x1B0,
    0x300, 0x301, 0x303, 0x304, 0x308, 0x309, 0x323, *range(0x1EA0, 0x1EFA),
]

ROMAN = "fraunces/files/fraunces-latin-full-normal.woff2"
SANS = "dm-sans/files/dm-sans-latin-opsz-normal.woff2"
DISPLAY = {"opsz": 96, "SOFT": 0, "WONK": 0, "wght": 300}
TEXT = {"opsz": 24, "SOFT": 0, "WONK": 0, "wght": 400}
NAMES = {"opsz": (24, 96), "SOFT": 0, "WONK": 0, "wght": (300, 500)}

FONTS = {
    "fraunces-display": (ROMAN, DISPLAY, BASIC),
    "fraunces-display-latin-1": (ROMAN, DISPLAY, LATIN_1),
    "fraunces-text": (ROMAN, TEXT, BASIC),
    "fraunces-text-latin-1": (ROMAN, TEXT, LATIN_1),
    "fraunces-italic": ("fraunces/files/fraunces-latin-full-italic.woff2", {"opsz": 96, "SOFT": 0, "WONK": 1, "wght": 300},
                        [*range(0x20, 0x7F), 0xE9, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D]),
    "fraunces-latin-ext": ("fraunces/files/fraunces-latin-ext-full-normal.woff2", NAMES, LATIN_EXT),
    "fraunces-vietnamese": ("fraunces/files/fraunces-vietnamese-full-normal.woff2", NAMES, VIETNAMESE),
    "dm-sans": (SANS, {"opsz": 14, "wght": (400, 600)}, BASIC),
    "dm-sans-latin-1": (SANS, {"opsz": 14, "wght": (400, 600)}, LATIN_1),
}


def make(name: str, source: Path, axes: dict, characters: list) -> None:
    font = instantiateVariableFont(TTFont(source), axes)
    # The instancer drops glyphs without variations, which the subsetter looks up.
    for glyph in font.getGlyphOrder() if "gvar" in font else []:
        font["gvar"].variations.setdefault(glyph, [])
    options = Options()
    options.flavor = "woff2"
    options.layout_features = ["kern", "liga", "tnum", "lnum"]
    options.hinting = False
    options.name_IDs = [0, 1, 2, 13, 14]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = "woff2"
    target = HERE / f"{name}.woff2"
    font.save(target)
    units = font["head"].unitsPerEm
    metrics = font["hhea"]
    print(f"{target.name}: {target.stat().st_size} bytes, ascent {metrics.ascent / units:.4f}, "
          f"descent {-metrics.descent / units:.4f}, gap {metrics.lineGap / units:.4f}")


if __name__ == "__main__":
    root = Path(sys.argv[1])
    for font_name, (path, limits, characters) in FONTS.items():
        make(font_name, root / path, limits, characters)
