# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page of a benchmark run: plots as inline SVG, tables, and the raw JSON."""
import html
import json
import math

COLOURS = {"heddle": "#b5452c", "xla": "#3a6ea5", "torch": "#d9a441", "inductor": "#6b8e4e"}
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .7em;text-align:right;border-bottom:1px solid #ddd}
td:first-child,th:first-child{text-align:left}.bad{color:#b00}.good{color:#171}.note{color:#666}svg text{font:12px system-ui,sans-serif}
.key{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 1em}"""


def ratios(results, busy=False):
    """(label, best peer over Heddle) of every steady case that has both."""
    out = []
    for row in results["steady"]:
        pick = lambda v: v.get("busy", {}).get("median_us") if busy else v.get("median_us")  # noqa: E731
        ours = pick(row["peers"].get("heddle", {}))
        others = [pick(v) for k, v in row["peers"].items() if k != "heddle" and pick(v)]
        if ours and others: out.append((f"{row['model']} {row['shape']} {row['mode']}".strip(), min(others) / ours))
    return out


def geomean(values): return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def verdict(results):
    found = ratios(results)
    if not found: return "no case ran on both Heddle and a peer"
    worst = min(found, key=lambda r: r[1])
    slower = sum(r < 1 for _, r in found)
    return (f"best peer over Heddle: geometric mean {geomean([r for _, r in found]):.2f}x over {len(found)} cases, "
            f"least {worst[1]:.2f}x ({worst[0]}), {slower} below 1.0x")


def time_text(us): return f"{us:.1f} µs" if us < 1000 else f"{us / 1000:.2f} ms" if us < 1e6 else f"{us / 1e6:.2f} s"


def bars(row):
    """Horizontal bars with quartiles; a pale bar below each is the run with one core kept busy."""
    peers = [(k, v) for k, v in row["peers"].items() if "median_us" in v]
    if not peers: return ""
    top = max(max(v["high_us"], v.get("busy", {}).get("high_us", 0)) for _, v in peers)
    x = lambda us: 90 + 560 * us / top  # noqa: E731
    parts, y = [], 4
    for name, v in peers:
        parts.append(f'<text x="84" y="{y + 12}" text-anchor="end">{name}</text>'
                     f'<rect x="90" y="{y}" width="{x(v["median_us"]) - 90:.1f}" height="14" fill="{COLOURS[name]}"/>'
                     f'<path d="M{x(v["low_us"]):.1f} {y + 7}H{x(v["high_us"]):.1f}" stroke="#222"/>'
                     f'<text x="{x(v["high_us"]) + 6:.1f}" y="{y + 12}">{time_text(v["median_us"])}</text>')
        y += 16
        if "busy" in v:
            parts.append(f'<rect x="90" y="{y}" width="{x(v["busy"]["median_us"]) - 90:.1f}" height="5" fill="{COLOURS[name]}" opacity=".45"/>')
            y += 9
    title = html.escape(f"{row['model']} {row['shape']} {row['mode']}")
    failed = "".join(f'<div class="note">{html.escape(p)}: {html.escape(w)}</div>' for p, w in row["failed"].items())
    return f"<h3>{title}</h3><svg width='780' height='{y + 4}' role='img' aria-label='{title}'>{''.join(parts)}</svg>{failed}"


def ratio_table(results):
    plain, busy = ratios(results), dict(ratios(results, True))
    rows = "".join(f"<tr><td>{html.escape(label)}</td><td class='{'good' if r >= 1 else 'bad'}'>{r:.2f}×</td>"
                   f"<td>{f'{busy[label]:.2f}×' if label in busy else ''}</td></tr>" for label, r in plain)
    mean = geomean([r for _, r in plain]) if plain else float("nan")
    mean_busy = geomean(list(busy.values())) if busy else float("nan")
    return (f"<table><tr><th>case</th><th>best peer / Heddle</th><th>one core busy</th></tr>{rows}"
            f"<tr><th>geometric mean</th><th>{mean:.2f}×</th><th>{mean_busy:.2f}×</th></tr></table>")


def compile_table(results):
    rows = ""
    for row in results.get("compile", []):
        for peer, v in row["peers"].items():
            if "failed" in v: rows += f"<tr><td>{row['model']}</td><td>{peer}</td><td colspan=4>{html.escape(v['failed'])}</td></tr>"
            else: rows += (f"<tr><td>{row['model']}</td><td>{peer}</td><td>{v['compile_ms']:.1f}</td><td>{v['first_ms']:.1f}</td>"
                           f"<td>{v['next_shape_ms']:.2f}</td><td>{v.get('kernels') or ''}</td></tr>")
    return ("<table><tr><th>model</th><th>peer</th><th>compile ahead, ms</th><th>first result, ms</th><th>next shape, ms</th><th>kernels</th></tr>"
            f"{rows}</table>")


def sweep_plot(results):
    sweep = results.get("sweep")
    if not sweep: return ""
    good = {k: v for k, v in sweep["peers"].items() if "total_ms" in v}
    if not good: return ""
    top, n = max(v["total_ms"] for v in good.values()), len(sweep["shapes"])
    lines = ""
    for name, v in good.items():
        total, points = v["compile_ms"], []
        for i, ms in enumerate([0.0] + v["each_ms"]):
            total += ms
            points.append(f"{60 + 620 * i / n:.1f},{250 - 230 * total / top:.1f}")
        lines += (f'<polyline points="{" ".join(points)}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>'
                  f'<text x="686" y="{254 - 230 * total / top:.0f}">{name} {total / 1e3:.2f} s</text>')
    return (f"<h2>Sweep of {n} shapes of {sweep['model']}, everything counted</h2><svg width='800' height='280' role='img' aria-label='sweep'>"
            f'<path d="M60 20V250H680" fill="none" stroke="#888"/><text x="54" y="24" text-anchor="end">{top / 1e3:.1f} s</text>'
            f'<text x="680" y="268" text-anchor="end">shapes seen</text>{lines}</svg>')


def page(results):
    keys = "".join(f'<span class="key" style="background:{c}"></span>{n}' for n, c in COLOURS.items())
    cold = results.get("cold_start", {})
    cold_text = time_text(cold["median_us"]) + " from the cache, " + time_text(cold["first_us"]) + " the first time" if "median_us" in cold else html.escape(cold.get("failed", ""))
    m = results["machine"]
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Heddle benchmarks</title><style>{STYLE}</style>
<h1>Heddle beside its peers</h1><p>{html.escape(m['cpu'])}, {m['threads']} threads, FMA peak {m['fma_peak_gflops']} GFLOP/s in this run.</p>
<p><b>{html.escape(verdict(results))}</b></p>
<p class="note">Medians of single calls in alternating blocks; the line is the quartiles; the pale bar is the same with one core kept busy. Shorter is better.</p>
<h2>Ratios</h2>{ratio_table(results)}<h2>Steady state</h2><p>{keys}</p>{''.join(map(bars, results['steady']))}
<h2>Compile and first result</h2>{compile_table(results)}{sweep_plot(results)}
<h2>Cold start</h2><p>A process that runs gelu 4x128, start to end: {cold_text}.</p>
<details><summary>Raw results</summary><pre>{html.escape(json.dumps(results, indent=1))}</pre></details></html>
"""
