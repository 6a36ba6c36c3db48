"""Draws bars and lines as SVG files that can be read on a light and on a dark page."""

import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 320, 64, 16, 44, 48
COLOURS = ("#b0416b", "#4477aa", "#228833", "#997700", "#aa3377", "#66757f")
GREY = "#80868b"


def text(x, y, words, anchor="middle", size=12, colour=GREY, weight="normal"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}" font-weight="{weight}">{html.escape(str(words))}</text>'


def line(x1, y1, x2, y2, colour=GREY, width=1.0, opacity=1.0):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}" stroke-opacity="{opacity}"/>'


def short(value):
    """A number with at most three digits that matter."""
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(digits, 3)}f}" if value < 1000 else f"{value:,.0f}"


def steps(most, logarithmic, least):
    if logarithmic:
        return [10.0**power for power in range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)]
    size = 10 ** math.floor(math.log10(most))
    size = next(size * part for part in (0.2, 0.5, 1, 2) if most / (size * part) <= 5)
    return [size * number for number in range(math.ceil(most / size) + 1)]


class Plot:
    def __init__(self, title, unit, most, least=0, logarithmic=False):
        self.logarithmic, self.steps = logarithmic, steps(most, logarithmic, least)
        self.parts = [text(LEFT - 48, 18, title, "start", 14, weight="bold"), text(LEFT - 48, 34, unit, "start", 11)]
        for step in self.steps:
            self.parts += [line(LEFT, self.y(step), WIDTH - RIGHT, self.y(step), opacity=0.3), text(LEFT - 6, self.y(step) + 4, f"{round(step, 6):,g}" if step < 1000 else short(step), "end", 11)]

    def y(self, value):
        low, high = self.steps[0], self.steps[-1]
        if self.logarithmic:
            low, high, value = math.log10(low), math.log10(high), math.log10(max(value, low))
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    def legend(self, names):
        for number, name in enumerate(names):
            x = LEFT + number * (WIDTH - LEFT - RIGHT) / len(names)
            self.parts += [f'<rect x="{x:.1f}" y="{HEIGHT - 16}" width="10" height="10" fill="{COLOURS[number]}"/>', text(x + 14, HEIGHT - 7, name, "start", 11)]

    def write(self, file):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="system-ui, sans-serif">'
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join([head, *self.parts, "</svg>"]) + "\n")


def bars(file, title, unit, groups, names):
    """`groups`: a label and, for each name, the lowest, middle and highest value."""
    plot = Plot(title, unit, max(value[2] for _, values in groups for value in values))
    wide = (WIDTH - LEFT - RIGHT) / len(groups)
    each = min(56, wide / (len(names) + 1))
    for number, (label, values) in enumerate(groups):
        centre = LEFT + wide * (number + 0.5)
        plot.parts.append(text(centre, HEIGHT - BOTTOM + 16, label))
        for place, (low, middle, high) in enumerate(values):
            x = centre + (place - len(values) / 2) * each + 3
            top, wick = plot.y(middle), x + (each - 6) / 2
            plot.parts += [
                f'<rect x="{x:.1f}" y="{top:.1f}" width="{each - 6:.1f}" height="{plot.y(0) - top:.1f}" fill="{COLOURS[place]}"/>',
                line(wick, plot.y(low), wick, plot.y(high), width=2),
                text(wick, plot.y(high) - 5, short(middle), size=11),
            ]
    plot.legend(names)
    plot.write(file)


def lines(file, title, unit, labels, series, logarithmic=False):
    """`series`: by name, the lowest, middle and highest value at each label."""
    values = [value for points in series.values() for point in points for value in point]
    plot = Plot(title, unit, max(values), min(value for value in values if value > 0), logarithmic)
    wide = (WIDTH - LEFT - RIGHT) / len(labels)
    xs = [LEFT + wide * (number + 0.5) for number in range(len(labels))]
    plot.parts += [text(x, HEIGHT - BOTTOM + 16, label) for x, label in zip(xs, labels)]
    for colour, points in zip(COLOURS, series.values()):
        path = " ".join(f"{x:.1f},{plot.y(middle):.1f}" for x, (_, middle, _) in zip(xs, points))
        plot.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, (low, middle, high) in zip(xs, points):
            plot.parts += [line(x, plot.y(low), x, plot.y(high), colour, 1.5), f'<circle cx="{x:.1f}" cy="{plot.y(middle):.1f}" r="3" fill="{colour}"/>']
    plot.legend(list(series))
    plot.write(file)
