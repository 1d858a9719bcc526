import re
import tomllib
from itertools import product
from pathlib import Path

import pytest

from analysis.results import STATUS_ORDER
from charts import theme

ROOT = Path(__file__).parents[2]
MODES = ("light", "dark")
HEX = re.compile(r"#[0-9A-Fa-f]{3,8}\b")


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white_is_21():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize("mode", MODES)
def test_text_is_readable_on_every_ground_it_stands_on(mode):
    palette = theme.PALETTES[mode]
    grounds = (palette.background, palette.surface, palette.sidebar)
    for text, ground in product((palette.ink, palette.muted, palette.accent_text), grounds):
        assert contrast(text, ground) >= 5.5, (text, ground)


@pytest.mark.parametrize(("mode", "status"), list(product(MODES, STATUS_ORDER)))
def test_a_verdict_is_readable(mode, status):
    palette, colours = theme.PALETTES[mode], theme.VERDICTS[mode][status]
    assert contrast(colours.text, colours.ground) >= 5.7
    assert contrast(colours.mark, palette.background) >= 4.5
    assert contrast(palette.ink, colours.ground) >= 7
    assert contrast(palette.muted, colours.ground) >= 4.5


@pytest.mark.parametrize("mode", MODES)
def test_marks_stand_out_from_the_page(mode):
    palette = theme.PALETTES[mode]
    for colour in (*theme.MODEL_COLOURS[mode], palette.other_model, palette.accent):
        assert contrast(colour, palette.background) >= 3, colour


def test_every_status_has_an_icon_a_word_and_colours():
    assert set(theme.VERDICT) == set(STATUS_ORDER)
    assert len({sign.icon for sign in theme.VERDICT.values()}) == len(STATUS_ORDER)
    for mode in MODES:
        assert set(theme.VERDICTS[mode]) == set(STATUS_ORDER)


def test_up_to_eight_models_take_slots_in_the_order_of_their_names():
    styles = theme.model_styles(["b", "a", "c"], "light")
    assert styles["a"] == theme.ModelStyle("#2446BE", "circle")
    assert styles["b"] == theme.ModelStyle("#DD7A10", "diamond")
    assert theme.model_style("c", ["c", "a", "b"], "dark").colour == "#3BD19C"
    full = theme.model_styles([f"m{i}" for i in range(8)], "light")
    assert len({(s.colour, s.symbol) for s in full.values()}) == 8


def test_beyond_eight_models_only_the_favoured_are_coloured():
    names = [f"m{i:02}" for i in range(20)]
    favoured = ["m19", "m03", "gone", "m03", *(f"m{i:02}" for i in range(10, 18))]
    styles = theme.model_styles(names, "light", favoured)
    grey = theme.ModelStyle(theme.PALETTES["light"].other_model, "circle-open")
    coloured = [name for name in names if styles[name] != grey]
    assert coloured == ["m03", "m10", "m11", "m12", "m13", "m14", "m15", "m19"]
    assert len({styles[name] for name in coloured}) == 8
    assert set(styles) == set(names)


def test_one_of_the_models_must_be_known():
    with pytest.raises(KeyError):
        theme.model_style("z", ["a"], "light")


def toml():
    return tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("mode", MODES)
def test_the_toml_speaks_the_colours_of_the_theme(mode):
    section, palette, verdicts = toml()["theme"][mode], theme.PALETTES[mode], theme.VERDICTS[mode]
    expected = {
        "primaryColor": palette.accent,
        "linkColor": palette.accent_text,
        "backgroundColor": palette.background,
        "secondaryBackgroundColor": palette.surface,
        "textColor": palette.ink,
        "borderColor": palette.border,
        "dataframeBorderColor": palette.line,
        "dataframeHeaderBackgroundColor": palette.surface,
        "dataframeHeaderTextColor": palette.muted,
        "codeTextColor": palette.ink,
        "codeBackgroundColor": palette.surface,
        "blueColor": palette.accent,
        "grayColor": palette.other_model,
        "grayTextColor": palette.muted,
        "chartCategoricalColors": list(theme.MODEL_COLOURS[mode]),
        "chartSequentialColors": list(theme.SEQUENTIAL[mode]),
        "chartDivergingColors": list(theme.DIVERGING[mode]),
    }
    names = {"green": "good", "yellow": "caution", "orange": "caution", "red": "bad", "violet": "undecided"}
    for name, status in names.items():
        colours = verdicts[status]
        expected[f"{name}Color"] = colours.mark
        expected[f"{name}TextColor"] = colours.text
        expected[f"{name}BackgroundColor"] = colours.ground
    assert {key: section[key] for key in expected} == expected
    free = set(section) - set(expected)
    assert free == {"blueTextColor", "blueBackgroundColor", "grayBackgroundColor", "sidebar"}
    assert contrast(section["blueTextColor"], section["blueBackgroundColor"]) >= 4.5
    assert contrast(section["grayTextColor"], section["grayBackgroundColor"]) >= 4.5
    assert section["sidebar"]["backgroundColor"] == palette.sidebar


def test_streamlit_knows_every_option_of_the_toml():
    from streamlit import config

    def names(table, prefix):
        for key, value in table.items():
            if isinstance(value, dict):
                yield from names(value, f"{prefix}{key}.")
            else:
                yield prefix + key

    known = set(config.get_config_options())
    assert set(names(toml(), "")) <= known


def test_nothing_is_reported_and_only_this_machine_is_served():
    options = toml()
    assert options["browser"]["gatherUsageStats"] is False
    assert options["server"]["address"] == "127.0.0.1"


def css():
    return re.sub(r"/\*.*?\*/", "", (ROOT / "ui" / "style.css").read_text(encoding="utf-8"), flags=re.DOTALL)


def tokens():
    pairs = re.findall(r"--sw-([\w-]+): light-dark\((#\w+), (#\w+)\)", css())
    return {name: colours for name, *colours in pairs}


def test_the_style_sheet_speaks_the_colours_of_the_theme():
    found = tokens()
    for index, mode in enumerate(MODES):
        palette = theme.PALETTES[mode]
        expected = {
            "background": palette.background,
            "surface": palette.surface,
            "ink": palette.ink,
            "muted": palette.muted,
            "line": palette.line,
            "border": palette.border,
            "accent": palette.accent,
            "accent-text": palette.accent_text,
            "reference": palette.reference,
        }
        for status, colours in theme.VERDICTS[mode].items():
            expected[f"{status}-text"] = colours.text
            expected[f"{status}-mark"] = colours.mark
            expected[f"{status}-ground"] = colours.ground
        assert {name: colours[index] for name, colours in found.items()} == expected


def test_the_style_sheet_survives_the_cleaning_of_own_html():
    # The browser drops a style element whose text could open a tag, comments included.
    assert "<" not in (ROOT / "ui" / "style.css").read_text(encoding="utf-8")


def test_the_style_sheet_has_colours_on_root_alone():
    root, rest = css().split("}", 1)
    assert len(HEX.findall(root)) == 2 * len(tokens())
    assert HEX.findall(rest) == []


def test_the_style_sheet_touches_only_own_classes_and_stable_hooks():
    hooks = r"sw-?[\w-]*|stMainBlockContainer|stPlotlyChart|xtick|ytick|xtitle"
    selectors = re.findall(r"([^{}]+)\{", css())
    for selector in selectors:
        without_values = re.sub(r'\[[^\]]*\]|"[^"]*"', "", selector)
        for name in re.findall(r"\.([A-Za-z_][\w-]*)", without_values):
            assert re.fullmatch(hooks, name), selector
        assert "emotion" not in selector
    used = set(re.findall(r"var\(--sw-([\w-]+)\)", css()))
    defined = set(re.findall(r"--sw-([\w-]+):", css()))
    assert used <= defined


def test_colours_are_written_in_the_theme_alone():
    for folder in ("charts", "ui", "pages", "report", "answers"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path != ROOT / "charts" / "theme.py":
                found = HEX.findall(path.read_text(encoding="utf-8"))
                coloured = [colour for colour in found if len(colour) in (4, 7) and set(colour) != {"#", "F"}]
                assert coloured == [], path  # white paper is no colour


@pytest.mark.parametrize("mode", MODES)
def test_the_base_of_figures_uses_the_theme(mode):
    layout = theme.base_layout(mode, 300)
    assert layout["height"] == 300
    assert layout["font"]["color"] == theme.PALETTES[mode].ink
    assert theme.base_axis(mode)["tickfont"]["color"] == theme.PALETTES[mode].muted
    layout["margin"]["r"] = 250
    assert theme.base_layout(mode, 300)["margin"]["r"] == 8
