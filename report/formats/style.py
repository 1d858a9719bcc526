"""The style sheet of the stand-alone page: always light, A4 in print, readable without colour."""

from charts.theme import PALETTES, VERDICTS

_SERIF = '"Source Serif 4",Georgia,"Liberation Serif",serif'
_SANS = '"Source Sans 3",-apple-system,"Segoe UI","Helvetica Neue",Arial,"Liberation Sans",sans-serif'
_MONO = '"Source Code Pro",ui-monospace,Menlo,Consolas,"Liberation Mono",monospace'


def style_sheet(number: str) -> str:
    """The CSS; ``number`` is the record's own number (digits and a hyphen) for the foot of printed pages."""
    palette, verdicts = PALETTES["light"], VERDICTS["light"]
    states = "".join(
        f".{status}{{color:{colour.text}}}.box.{status}{{background:{colour.ground};border-color:{colour.mark}}}"
        for status, colour in verdicts.items()
    )
    foot = f"font:8pt {_SANS};color:{palette.muted}"
    return f"""
:root{{color-scheme:light}}
*{{box-sizing:border-box}}
html{{background:#FFF}}
body{{margin:0;background:#FFF;color:{palette.ink};font:14px/1.5 {_SANS};
font-variant-numeric:tabular-nums lining-nums;print-color-adjust:exact;-webkit-print-color-adjust:exact}}
main{{max-width:760px;margin:0 auto;padding:28px 28px 40px}}
h1,h2,.say{{font-family:{_SERIF};font-weight:600;line-height:1.25;text-wrap:pretty;overflow-wrap:anywhere}}
h1{{font-size:28px;margin:14px 0 16px}}
h2{{font-size:18px;margin:30px 0 6px;break-after:avoid}}
p{{margin:0;overflow-wrap:anywhere}}
.head{{display:flex;justify-content:space-between;gap:16px;padding-bottom:10px;
border-bottom:2px solid {palette.ink};color:{palette.muted};font-size:13px}}
.box{{border-left:4px solid;border-radius:6px;padding:14px 20px;break-inside:avoid}}
.box.unknown{{border-left-style:dashed}}
.box p{{color:{palette.ink}}}
.box .word{{color:inherit;font-weight:600;font-size:15px}}
.box .say{{font-size:20px;margin:3px 0 4px}}
.run{{margin-top:14px}}
.icon{{width:1.15em;height:1.15em;vertical-align:-.22em;margin-right:.3em;fill:none;stroke:currentColor;
stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round;flex:none}}
.state{{font-weight:600;white-space:nowrap}}
.wide{{overflow-x:auto}}
table{{border-collapse:collapse;width:100%;font-size:13px}}
th,td{{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid {palette.line}}}
th:last-child,td:last-child{{padding-right:0}}
thead th{{color:{palette.muted};font-weight:600;vertical-align:bottom;border-color:{palette.border}}}
tbody th{{font-weight:600;overflow-wrap:anywhere;min-width:12em}}
tbody th.fit{{width:1%;min-width:0;padding-right:24px;white-space:nowrap}}
.n{{text-align:right;white-space:nowrap}}
.strong td,.strong th{{font-weight:700}}
.plain th{{font-weight:400}}
small{{display:block;font-size:13px;font-weight:400;color:{palette.muted}}}
tr{{break-inside:avoid}}
table.short,figure,.lists,.signatures{{break-inside:avoid}}
.note,.method p,.method li{{font-size:13px;color:{palette.muted}}}
.note{{margin-top:6px}}
.none{{color:{palette.muted}}}
.method p{{margin-bottom:6px}}
figure{{margin:0}}
figcaption{{font-size:13px;color:{palette.muted};margin-bottom:6px}}
figure svg{{display:block;width:100%;height:auto}}
ul{{margin:0;padding-left:18px}}
li{{margin:3px 0;overflow-wrap:anywhere}}
.lists{{display:grid;grid-template-columns:1fr 1fr;gap:0 28px}}
code{{font:12.5px/1.5 {_MONO};overflow-wrap:anywhere}}
code span{{display:inline-block;max-width:100%}}
td code{{white-space:nowrap}}
.signatures{{display:grid;grid-template-columns:repeat(3,1fr);gap:24px;margin-top:34px}}
.signatures dt{{order:2;border-top:1px solid {palette.ink};padding-top:3px;font-size:13px;
color:{palette.muted}}}
.signatures dd{{order:1;margin:0;min-height:1.6em;overflow-wrap:anywhere}}
.signatures div{{display:flex;flex-direction:column;justify-content:flex-end}}
footer{{margin-top:22px;font-size:13px;color:{palette.muted};overflow-wrap:anywhere}}
{states}
@media(max-width:600px){{main{{padding:18px 16px}}.lists,.signatures{{grid-template-columns:1fr}}
.wide table{{min-width:600px}}}}
@page{{size:A4;margin:16mm 16mm 18mm;
@bottom-left{{content:"Switchover decision {number}";{foot}}}
@bottom-right{{content:counter(page) " of " counter(pages);{foot}}}}}
@media print{{body{{font-size:10pt}}main{{max-width:none;padding:0}}.wide{{overflow:visible}}
table{{font-size:9pt}}th,td{{padding-top:3pt;padding-bottom:3pt}}
small,.note,.method p,.method li,figcaption,.head,footer{{font-size:9pt}}
code{{font-size:8.5pt}}h1{{font-size:20pt}}h2{{font-size:13pt;margin-top:18pt}}.box .say{{font-size:14pt}}}}
"""
