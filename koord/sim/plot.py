"""The allocation curve of several experiments as an SVG picture."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 440
LEFT, TOP, RIGHT, BOTTOM = 60, 20, 190, 50
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f")
TICK_PERCENT = 10


def svg(curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Allocated over arrived demand, in percent of the capacity, one line per named curve."""
    arrived = [point[0] for points in curves.values() for point in points]
    x_max = max([100.0, *arrived])
    x_max = -(-x_max // TICK_PERCENT) * TICK_PERCENT
    plot_width, plot_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(percent: float) -> float:
        return LEFT + percent / x_max * plot_width

    def y(percent: float) -> float:
        return TOP + (1 - percent / 100) * plot_height

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    ]
    for tick in range(0, 101, TICK_PERCENT):
        parts.append(
            f'<line x1="{LEFT}" y1="{y(tick):.1f}" x2="{x(x_max):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>'
            f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>'
        )
    for tick in range(0, int(x_max) + 1, TICK_PERCENT):
        parts.append(f'<text x="{x(tick):.1f}" y="{TOP + plot_height + 18}" text-anchor="middle">{tick}</text>')
    middle = LEFT + plot_width / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">arrived GPU demand, % of capacity</text>')
    parts.append(
        f'<text transform="translate(16 {TOP + plot_height / 2}) rotate(-90)" text-anchor="middle">'
        "allocated GPUs, % of capacity</text>"
    )
    for at, (name, points) in enumerate(curves.items()):
        colour = COLOURS[at % len(COLOURS)]
        line = " ".join(f"{x(arrived):.1f},{y(allocated):.1f}" for arrived, allocated in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        legend = TOP + 14 + 18 * at
        parts.append(
            f'<line x1="{WIDTH - RIGHT + 12}" y1="{legend - 4}" x2="{WIDTH - RIGHT + 32}" y2="{legend - 4}" '
            f'stroke="{colour}" stroke-width="3"/><text x="{WIDTH - RIGHT + 38}" y="{legend}">{escape(name)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])
