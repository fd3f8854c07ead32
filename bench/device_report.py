# SPDX-License-Identifier: Apache-2.0
"""The page of bench/device.py: a table a question, in Markdown. A figure that was not measured is a dash."""

GOAL_COPY, GOAL_STATIC, GOAL_LAUNCH, GOAL_GRAPH = 0.90, 0.03, 5.0, 2.0


def dash(value, form="{:.1f}"): return "-" if value is None else form.format(value)


def us_of(row, peer):
    return row["peers"].get(peer, {}).get("us")


def share(row, peer="heddle"):
    """Of a copy of as many bytes: by the time of calls that follow each other."""
    mine, copy = us_of(row, peer), us_of(row, "copy")
    return copy / mine if mine and copy else None


def kernel_share(row, peer="heddle"):
    """The same by the device's own time of the kernels."""
    mine, copy = row["peers"].get(peer, {}).get("kernel_us"), us_of(row, "copy")
    return copy / mine if mine and copy else None


def over_static(row):
    """How much longer than with known dims."""
    parts = [row["peers"].get(p, {}) for p in ("heddle", "static")]
    for key in ("kernel_us", "us"):
        if all(part.get(key) for part in parts): return parts[0][key] / parts[1][key] - 1
    return None


def over_peer(row, peer):
    mine, other = us_of(row, "heddle"), us_of(row, peer)
    return other / mine if mine and other else None


def label(row): return f"{row['name']} {row.get('element', '')} {'x'.join(str(v) for v in (row['dims'].values() if isinstance(row['dims'], dict) else row['dims']))}".replace("  ", " ")


def kernel_line(row):
    parts = [f"{label(row):34} {dash(us_of(row, 'heddle')):>9} us, {dash(share(row) and 100 * share(row)):>5} % of a copy"]
    if kernel_share(row): parts.append(f"kernels {100 * kernel_share(row):.1f} %")
    if over_static(row) is not None: parts.append(f"{100 * over_static(row):+.1f} % over static")
    for peer in ("xla", "inductor"):
        if over_peer(row, peer): parts.append(f"{peer} {over_peer(row, peer):.2f}x")
    return ", ".join(parts)


def tflops(row, peer):
    m, n, k = row["dims"]
    return us_of(row, peer) and 2 * m * n * k / us_of(row, peer) / 1e6


def product_line(row):
    return f"{label(row):34} " + ", ".join(f"{name} {dash(tflops(row, peer), '{:.2f}')} TFLOP/s" for name, peer in (("kernels", "heddle"), ("library", "library"), ("xla", "xla"), ("inductor", "inductor")))


def model_line(row):
    peers = [f"{p} {dash(r.get('us'))} us ({dash(r.get('single_us'))} with a wait)" if "us" in r else f"{p} -" for p, r in row["peers"].items()]
    return f"{label(row):34} " + ", ".join(peers)


def launch_line(launch):
    own = launch.get("heddle", {})
    text = f"launch {dash(own.get('launch_us'), '{:.2f}')} us, call of one kernel {dash(own.get('call_us'), '{:.2f}')} us, {dash(own.get('single_us'), '{:.2f}')} us with a wait"
    for choice, what in (("graphs", "as graphs"), ("marks", "with a mark behind each")):
        if choice in launch: text += f"; {what} {launch[choice]['launch_us']:.2f} us"
    if "torch_graph" in launch: text += f"; from a graph of torch {launch['torch_graph']['launch_us']:.2f} us"
    return text


def sweep_line(sweep):
    wrong = "; ".join(f"{form}: {text}" for form, text in sweep["wrong"].items())
    return f"op sweep: {sweep['forms'] - len(sweep['wrong'])} of {sweep['forms']} forms agree with the evaluator" + (f". {wrong}" if wrong else "")


def raw_line(launch):
    return f"a kernel that does nothing, in a graph of 1,000 of CUDA's: {launch['cuda']['graph_us']:.2f} us, with a word written behind each {launch['cuda']['marked_graph_us']:.2f} us"


def sentence(line): return line[:1].upper() + line[1:]  # the rest has names, in which case counts


def table(head, rows): return "\n".join(["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows])


def verdicts(data):
    """(goal, how many of those measured reach it, the rest)"""
    def judge(what, value, good, rows=data["kernels"]):
        measured = [(label(r), value(r)) for r in rows if value(r) is not None]
        return what, sum(good(v) for _, v in measured), len(measured), [f"{name} {v:.3f}" for name, v in measured if not good(v)]
    out = [judge(f"at least {GOAL_COPY:.0%} of a copy, by the device's time of the kernels", kernel_share, lambda v: v >= GOAL_COPY),
           judge(f"at least {GOAL_COPY:.0%} of a copy, calls that follow each other", share, lambda v: v >= GOAL_COPY),
           judge(f"within {GOAL_STATIC:.0%} of known dims", over_static, lambda v: v <= GOAL_STATIC)]
    for what, rows in (("", data["kernels"]), (", models", data.get("models", []))):
        for peer in ("xla", "inductor"): out.append(judge(f"ahead of {peer}{what}", lambda r, p=peer: over_peer(r, p), lambda v: v >= 1, rows))
    for kind, what, goal in (("heddle", "launch", GOAL_LAUNCH), ("graphs", "launch in a graph", GOAL_GRAPH)):
        us = data["launch"].get(kind, {}).get("launch_us")
        if us is not None: out.append((f"a {what} in at most {goal:.0f} us", int(us <= goal), 1, [f"{us:.2f} us"] if us > goal else []))
    return [v for v in out if v[2]]


def page(data):
    m = data["machine"]
    parts = ["# On a device", f"{m['device']}, for `--target={m['target']}`, in {data['seconds']:.0f} s." + (" **A rehearsal at tiny sizes: its times mean nothing.**" if m["tiny"] else "")]
    for when, said in (("Before", m.get("clocks")), ("After", m.get("clocks_at_end"))):
        if said: parts.append(f"{when}: " + ", ".join(f"{k} {v}" for k, v in said.items()) + ".")
    if not m.get("clocks"): parts.append("Clocks are not known: no nvidia-smi.")
    parts.append(sentence(launch_line(data["launch"])) + ".")
    if "cuda" in data["launch"]: parts.append(sentence(raw_line(data["launch"])) + ".")
    if data["kernels"]:
        rows = [[label(r), f"{r['bytes'] / 2 ** 20:.2f}", dash(us_of(r, "copy")), dash(us_of(r, "copy") and r["bytes"] / us_of(r, "copy") / 1e3, "{:.0f}"), dash(us_of(r, "heddle")),
                 dash(r["peers"].get("heddle", {}).get("kernel_us")), dash(share(r) and 100 * share(r)), dash(kernel_share(r) and 100 * kernel_share(r)),
                 dash(over_static(r) is not None and 100 * over_static(r) or None, "{:+.1f}"), dash(over_peer(r, "xla"), "{:.2f}"), dash(over_peer(r, "inductor"), "{:.2f}"),
                 (r.get("clocks") or {}).get("clocks.sm", "-")] for r in data["kernels"]]
        parts.append(table(["kernel", "MiB", "copy us", "copy GB/s", "us", "kernels us", "% of copy", "kernels %", "over static %", "XLA / us", "inductor / us", "SM clock"], rows))
    if data.get("products"):
        rows = [[label(r)] + [dash(tflops(r, p), "{:.2f}") for p in ("heddle", "library", "xla", "inductor")] for r in data["products"]]
        parts.append("Products, TFLOP/s:\n\n" + table(["product (m x n x k)", "kernels", "library", "XLA", "inductor"], rows))
    if data["models"]:
        rows = [[label(r)] + [f"{dash(r['peers'].get(p, {}).get('us'))} / {dash(r['peers'].get(p, {}).get('single_us'))}" for p in ("heddle", "xla", "inductor")] +
                [dash(over_peer(r, p), "{:.2f}") for p in ("xla", "inductor")] + [dash(r["peers"].get("xla", {}).get("error"), "{:.1e}")] for r in data["models"]]
        parts.append(table(["model", "us / with a wait", "XLA", "inductor", "XLA over Heddle", "inductor over Heddle", "error to XLA"], rows))
    if data.get("conformance"): parts.append(f"Conformance: {data['conformance']}.")
    if data.get("sweep"): parts.append(sentence(sweep_line(data["sweep"])) + ".")
    if data.get("expectations"): parts.append("Expectations: " + "; ".join(f"{k} {v}" for k, v in data["expectations"].items()) + ".")
    if verdicts(data): parts.append(table(["goal", "reached", "of", "not"], [[w, str(n), str(of), "; ".join(rest) or "-"] for w, n, of, rest in verdicts(data)]))
    if data["skipped"]: parts.append("Left out:\n\n" + "\n".join(f"- {s['what']}: {s['why']}" for s in data["skipped"]))
    return "\n\n".join(parts) + "\n"
