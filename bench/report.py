# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page of a benchmark run: plots as inline SVG, tables, and the raw JSON.

  report.py results.json      the tables as Markdown, for docs/performance.md"""
import html
import json
import math
import statistics
import sys

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


def rows_of(results, model, mode=None):
    return [r for r in results.get("steady", []) if r["model"] == model and (mode is None or r["mode"] == mode)]


def median_of(row, peer): return row["peers"].get(peer, {}).get("median_us")


def goals(results):
    """(what, goal, figure, whether it is met, note) of everything that was measured."""
    out = []

    def at_most(what, limit, got, unit, note=""):
        if got is not None: out.append((what, f"<= {limit:g} {unit}", f"{got:.4g} {unit}", got <= limit, note))

    def at_least(what, limit, got, unit, note=""):
        if got is not None: out.append((what, f">= {limit:g}{unit}", f"{got:.3g}{unit}", got >= limit, note))

    found = ratios(results)
    if found:
        below = [f"{label} {r:.2f}" for label, r in sorted(found, key=lambda x: x[1]) if r < 1]
        at_least("best peer over Heddle, geometric mean", 1.3, geomean([r for _, r in found]), "x", f"{len(found)} cases")
        at_least("  the least of them", 0.9, min(r for _, r in found), "x", "below 1.0: " + (", ".join(below) or "none"))
        busy = ratios(results, True)
        if busy: at_least("  with one core kept busy, geometric mean", 1.3, geomean([r for _, r in busy]), "x", "least: %s %.2f" % min(busy, key=lambda x: x[1]))
    compiled = {row["model"]: row["peers"] for row in results.get("compile", [])}
    for model, limit in (("bert_layer", 100), ("bert_base", 150)):
        ours, xla = compiled.get(model, {}).get("heddle", {}), compiled.get(model, {}).get("xla", {})
        if "compile_ms" in ours:
            at_most(f"compile {model}", limit, ours["compile_ms"], "ms", f"XLA {xla['first_ms']:.0f} ms a shape" if "first_ms" in xla else "")
            if model == "bert_layer" and ours.get("kernels"): at_most("  its kernels", 10, ours["kernels"], "")
    pipeline = results.get("pipeline", {})
    if "ms" in pipeline: at_most(f"passes of {pipeline['model']}, without machine code", 40, pipeline["ms"], "ms")
    sweep = results.get("sweep", {}).get("peers", {})
    if "total_ms" in sweep.get("heddle", {}) and "total_ms" in sweep.get("xla", {}):
        note = f"Heddle {sweep['heddle']['total_ms'] / 1e3:.2f} s" + "".join(f", {p} {sweep[p]['total_ms'] / 1e3:.2f} s" for p in ("xla", "torch", "inductor") if "total_ms" in sweep.get(p, {}))
        at_most(f"sweep of {len(results['sweep']['shapes'])} shapes, share of XLA's time", 0.2, sweep["heddle"]["total_ms"] / sweep["xla"]["total_ms"], "", note)
    jit = results.get("jit", {}).get("peers", {})
    if all("first_ms" in jit.get(p, {}) and "failed" not in jit[p] for p in ("heddle", "xla")):
        ours, xla = jit["heddle"], jit["xla"]
        total, other = sum(ours["each_ms"]), sum(xla["each_ms"])
        at_most(f"{len(ours['each_ms'])} shapes through jax.jit, share of XLA's time", 0.2, total / other, "", f"Heddle {total / 1e3:.2f} s, xla {other / 1e3:.2f} s")
        at_most("  what they compile", 2, ours["compiled"], "", f"{ours['shared']} share code")
        at_most("import jax and first jit of gelu, over XLA's", 1, ours["first_ms"] / xla["first_ms"], "", f"{ours['first_ms']:.0f} and {xla['first_ms']:.0f} ms")
        at_most("warm call of a tiny jit, over XLA's", 1, ours["tiny"]["median_us"] / xla["tiny"]["median_us"], "",
                f"{ours['tiny']['median_us']:.1f} and {xla['tiny']['median_us']:.1f} us")
    for row in results.get("host", []):
        if "extra_us" in row: at_most(f"host work for a new shape, {row['model']}", 20, statistics.median(row["extra_us"]), "us", f"{sum(row['faults'])} page faults in {len(row['faults'])} shapes")
    cold = results.get("cold_start", {})
    if "median_us" in cold: at_most("gelu from the cache, process start to end", 20, cold["median_us"] / 1e3, "ms")
    for row in rows_of(results, "gemm"):
        ours, torch, peak = median_of(row, "heddle"), median_of(row, "torch"), row.get("fma_peak_gflops")
        if row["shape"] == "1024" and ours and peak:
            at_least(f"gemm 1024x768x3072 {row['mode'] or 'packing included'}", 85, 2e-3 * 1024 * 768 * 3072 / ours / peak * 100, "%", f"of {peak:.0f} GFLOP/s")
        elif row["shape"] != "1024" and row["mode"] and ours and torch:
            at_least(f"gemm {row['shape']}x768x3072 bound weights, torch over Heddle", 2, torch / ours, "x")
    for row in results.get("memory", []):
        ours, xla = row["peers"].get("heddle", {}).get("run_mb"), row["peers"].get("xla", {}).get("run_mb")
        if ours is not None and xla: at_most(f"memory of {row['model']} {row['shape']}, share of XLA's", 1, ours / xla, "", f"{ours:.0f} and {xla:.0f} MB")
    return out


def goals_text(results):
    lines = [f"  {'met' if ok else 'BELOW':6} {what:55} {goal:>11} {got:>12}  {note}".rstrip() for what, goal, got, ok, note in goals(results)]
    return "figures and their goals\n" + "\n".join(lines)


def goals_table(results):
    rows = "".join(f"<tr><td>{html.escape(what)}</td><td>{html.escape(goal)}</td><td class='{'good' if ok else 'bad'}'>{html.escape(got)}</td>"
                   f"<td style='text-align:left'>{html.escape(note)}</td></tr>" for what, goal, got, ok, note in goals(results))
    return f"<table><tr><th>figure</th><th>goal</th><th>measured</th><th></th></tr>{rows}</table>"


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
    busy = dict(ratios(results, True))
    rows = ""
    for row in results["steady"]:
        label, ours = f"{row['model']} {row['shape']} {row['mode']}".strip(), median_of(row, "heddle")
        if not ours: continue
        each = [median_of(row, p) for p in ("xla", "torch", "inductor")]
        best = [x for x in each if x]
        cells = [x / ours if x else None for x in each] + [min(best) / ours if best else None, busy.get(label)]
        rows += f"<tr><td>{html.escape(label)}</td><td>{time_text(ours)}</td>" + "".join(
            f"<td class='{'good' if r >= 1 else 'bad'}'>{r:.2f}×</td>" if r else "<td></td>" for r in cells) + "</tr>"
    plain = [r for _, r in ratios(results)]
    mean, mean_busy = geomean(plain), geomean(list(busy.values()))
    return ("<table><tr><th>case</th><th>Heddle</th><th>XLA / Heddle</th><th>torch</th><th>inductor</th><th>best peer</th><th>one core busy</th></tr>"
            f"{rows}<tr><th>geometric mean</th><th></th><th></th><th></th><th></th><th>{mean:.2f}×</th><th>{mean_busy:.2f}×</th></tr></table>")


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
<h1>Heddle beside its peers</h1><p>{html.escape(m['cpu'])}, {m['threads']} threads, FMA peak {m['fma_peak_gflops'] or 'not measured:'} GFLOP/s in this run.</p>
<p><b>{html.escape(verdict(results))}</b></p>
<h2>Figures and their goals</h2>{goals_table(results)}
<p class="note">Medians of single calls in alternating blocks; the line is the quartiles; the pale bar is the same with one core kept busy. Shorter is better.</p>
<h2>Ratios</h2>{ratio_table(results)}<h2>Steady state</h2><p>{keys}</p>{''.join(map(bars, results['steady']))}
<h2>Compile and first result</h2>{compile_table(results)}{sweep_plot(results)}
<h2>Cold start</h2><p>A process that runs gelu 4x128, start to end: {cold_text}.</p>
<details><summary>Raw results</summary><pre>{html.escape(json.dumps(results, indent=1))}</pre></details></html>
"""


def markdown(results):
    """The goals and the cases as Markdown tables."""
    out = ["| figure | goal | measured | |", "|---|---|---|---|"]
    for what, goal, got, ok, note in goals(results): out.append(f"| {what.strip()} | {goal} | {got.strip()}{'' if ok else ' (**below**)'} | {note} |")
    out += ["", "| case | Heddle | XLA | torch | inductor | best peer | one core busy |", "|---|---|---|---|---|---|---|"]
    busy = dict(ratios(results, True))
    for row in results["steady"]:
        ours = median_of(row, "heddle")
        if not ours: continue
        each = [median_of(row, p) for p in ("xla", "torch", "inductor")]
        best = [x for x in each if x]
        label = f"{row['model']} {row['shape']} {row['mode']}".strip()
        cells = [f"{x / ours:.2f}" if x else "-" for x in each] + [f"**{min(best) / ours:.2f}**" if best else "-", f"{busy[label]:.2f}" if label in busy else "-"]
        out.append(f"| {label} | {time_text(ours)} | " + " | ".join(cells) + " |")
    return "\n".join(out)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as handle: print(markdown(json.load(handle)))
