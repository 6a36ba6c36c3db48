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
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x100), 0x131, 0x152, 0x153, 0x160, 0x161, 0x178, 0x17D, 0x17E]
MARKS = [0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x20AC, 0x2122, 0x2190, 0x2192, 0x2212, 0x2605]

# The letters of names; `styles/names.css` has the same ranges.
LATIN_EXT = [*range(0x100, 0x250), 0x259, *range(0x1E00, 0x1EA0)]
VIETNAMESE = [
    0x102, 0x103, 0x110, 0x111, 0x128, 0x129, 0x168, 0x169, 0x1A0, 0x1A1, 0x1AF, 0x1B0,
    0x300, 0x301, 0x303, 0x304, 0x308, 0x309, 0x323, *range(0x1EA0, 0x1EFA),
]

FONTS = {
    "fraunces-roman": ("fraunces/files/fraunces-latin-full-normal.woff2", {"opsz": (24, 96), "SOFT": 0, "WONK": 0, "wght": (300, 500)}),
    "fraunces-italic": ("fraunces/files/fraunces-latin-full-italic.woff2", {"opsz": 96, "SOFT": 0, "WONK": 1, "wght": 300}),
    "fraunces-latin-ext": ("fraunces/files/fraunces-latin-ext-full-normal.woff2", {"opsz": (24, 96), "SOFT": 0, "WONK": 0, "wght": (300, 500)}),
    "fraunces-vietnamese": ("fraunces/files/fraunces-vietnamese-full-normal.woff2", {"opsz": (24, 96), "SOFT": 0, "WONK": 0, "wght": (300, 500)}),
    "dm-sans": ("dm-sans/files/dm-sans-latin-opsz-normal.woff2", {"opsz": 14, "wght": (400, 600)}),
}


def make(name: str, source: Path, axes: dict) -> None:
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
    characters = LATIN + MARKS
    if name.endswith("italic"):
        characters = [*range(0x20, 0x7F), 0xE9, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D]
    if name.endswith("latin-ext"):
        characters = LATIN_EXT
    if name.endswith("vietnamese"):
        characters = VIETNAMESE
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
    for font_name, (path, limits) in FONTS.items():
        make(font_name, root / path, limits)
