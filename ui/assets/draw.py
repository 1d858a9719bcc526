"""Draws the page icon and the two wordmarks: ``python -m ui.assets.draw`` from the project's root."""

from pathlib import Path

import font_source_serif_pro
from PIL import Image, ImageDraw, ImageFont

from charts.theme import PALETTES, Mode

HERE = Path(__file__).parent
GRID = 26  # the mark is drawn on a grid of 26 by 26 units
SIZE = 104  # pixels of its side in the files, four for one on screen
FINE = 4  # drawn this much larger, then scaled down for smooth edges
FACE = Path(font_source_serif_pro.__file__).parent / "files" / "SourceSerifPro-Bold.ttf"
WHITE = (255, 255, 255, 255)
FAINT = (255, 255, 255, 140)


def mark() -> Image.Image:
    """The mark: traffic switches from the lower line to the upper one."""
    unit = SIZE * FINE / GRID
    ground = Image.new("RGBA", (SIZE * FINE, SIZE * FINE))
    pen = ImageDraw.Draw(ground)
    pen.rounded_rectangle(
        (0, 0, SIZE * FINE - 1, SIZE * FINE - 1), radius=6 * unit, fill=PALETTES["light"].accent
    )
    lines = Image.new("RGBA", ground.size)
    pen = ImageDraw.Draw(lines)

    def stroke(points: list[tuple[float, float]], colour: tuple[int, int, int, int]) -> None:
        scaled = [(x * unit, y * unit) for x, y in points]
        pen.line(scaled, fill=colour, width=round(2.6 * unit), joint="curve")

    stroke([(5, 9.5), (10.2, 9.5)], FAINT)
    stroke([(15.8, 16.5), (21, 16.5)], FAINT)
    stroke([(5, 16.5), (11.4, 16.5), (14.6, 9.5), (21, 9.5)], WHITE)
    ground.alpha_composite(lines)
    return ground.resize((SIZE, SIZE), Image.Resampling.LANCZOS)


def wordmark(mode: Mode) -> Image.Image:
    """The mark and the name in the ink of ``mode`` on no ground."""
    face = ImageFont.truetype(str(FACE), size=round(SIZE * 0.8))
    left, width = SIZE + 36, round(face.getlength("Switchover"))
    image = Image.new("RGBA", (left + width + 8, SIZE))
    image.alpha_composite(mark())
    pen = ImageDraw.Draw(image)
    pen.text((left, SIZE * 0.77), "Switchover", font=face, fill=PALETTES[mode].ink, anchor="ls")
    return image


def main() -> None:
    """Write the three files beside this one."""
    mark().save(HERE / "icon.png", optimize=True)
    wordmark("light").save(HERE / "wordmark_light.png", optimize=True)
    wordmark("dark").save(HERE / "wordmark_dark.png", optimize=True)


if __name__ == "__main__":
    main()
