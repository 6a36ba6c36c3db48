"""Writes docs/performance.md and its plots from what benches/run has measured. Nothing on that page is written by hand."""

import pathlib
import statistics

from launch import percentile
from plots import bars, lines, short


def spread(values):
    return min(values), statistics.median(values), max(values)


def shown(values, unit=""):
    """The median, with the lowest and the highest."""
    low, middle, high = (short(it) for it in spread(values))
    unit = unit and f" {unit}"
    return f"{middle}{unit} ({low} to {high})" if low != high else f"{middle}{unit}"


def table(head, rows):
    return "\n".join(["| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]])


def against(ours, theirs, unit):
    """Cells: ours, theirs, and the ratio of each round."""
    return [shown(ours, unit), shown(theirs, unit), shown([a / b for a, b in zip(ours, theirs)])]


REASONS = """An aim is not chased with a mechanism that costs more than 50 lines. What decides the first six: nginx sends a file with `sendfile`,
Showcase copies it from memory through the HTTP library, which costs more the longer the answer is; and a registration waits for a flush that
all waiting clients share, so that the faster the disk flushes, the less that gains on a server that flushes for each or not at all."""


class Page:
    def __init__(self, results, folder):
        self.results, self.folder, self.aims, self.parts = results, pathlib.Path(folder), [], []

    def aim(self, what, aim, value, is_met):
        self.aims.append([what, aim, value, "yes" if is_met else "**no**"])

    def plot(self, draw, name, alt, *arguments, **named):
        draw(self.folder / f"pictures/{name}.svg", *arguments, **named)
        self.parts.append(f"![{alt}](pictures/{name}.svg)")

    def write(self):
        for part in ("pages", "registrations", "starts", "launch", "sizes"):
            if self.results.get(part):
                getattr(self, part)()
        machine = self.results["machine"]
        versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
        head = f"""# Performance

`benches/run` measured everything on this page on {machine["day"]}, of commit {machine["commit"]}, and wrote it; do not edit it. Each pair was
measured in turn in {machine["rounds"]} rounds of {machine["seconds"]} s. A figure is the median, in brackets the lowest and the highest; a ratio is made within each round.
The server and what loads it share the machine: {machine["cores"]} cores ({machine["processor"]}), {machine["memory"]:.0f} GB of memory,
Linux {machine["kernel"]}; one flush of its disk takes {shown(machine["flush"], "ms")}. Compared: {versions}."""
        aims = ["## Aims", table(["what", "aim", "measured", "met"], self.aims)]
        (self.folder / "performance.md").write_text("\n\n".join([head, *aims, REASONS, *self.parts]) + "\n")

    def pages(self):
        results = self.results["pages"]
        groups, rows = [], []
        for what in ("page", "asset"):
            for connections in sorted({it["connections"] for it in results["rounds"]}):
                rounds = [it for it in results["rounds"] if (it["what"], it["connections"]) == (what, connections)]
                ours, theirs = ([it[name] for it in rounds] for name in ("Showcase", "nginx"))
                cpu = [[it["cpu"] for it in side] for side in (ours, theirs)]
                label = f"{what}, {connections} connections"
                rows.append([label, *against(*cpu, "µs"), *(shown([it["rate"] for it in side], "/s") for side in (ours, theirs))])
                groups.append((label.replace(" connections", ""), [spread(it) for it in cpu]))
                ratios = [a / b for a, b in zip(*cpu)]
                most = 1.1 if what == "asset" else 0.8 if connections == 32 else 1.0
                self.aim(f"CPU time of a cached {label}", f"at most {most} of nginx's", shown(ratios), statistics.median(ratios) <= most)
        self.parts.append(f"""## Cached pages

The home page ({short(results["sizes"]["page"] / 1e3)} KB) and its largest script ({short(results["sizes"]["asset"] / 1e3)} KB), compressed with brotli, on connections that are
kept. nginx sends the same bytes and headers from files that are already compressed (`brotli_static`), with `open_file_cache`, one
worker for each core and no log; Showcase doesn't log cached pages either. The CPU time is that of all the server's processes, with
the kernel's work for them.""")
        self.parts.append(table(["", "CPU a request, Showcase", "nginx", "ratio", "requests, Showcase", "nginx"], rows))
        self.plot(bars, "performance-pages", "CPU time of a request, Showcase and nginx", "CPU time of a request", "microseconds, by the number of connections", groups, ["Showcase", "nginx"])

    def registrations(self):
        results = self.results["registrations"]
        peers = {"PocketBase": 1.8, "PocketBase, flushing": 3.2}
        names = ("Showcase", *peers)
        rates = {name: [it[name]["rate"] for it in results["rounds"]] for name in names}
        rows = []
        for label, key, unit in (("registrations", "rate", "/s"), ("p50", "p50", "ms"), ("p99", "p99", "ms"), ("CPU time of one", "cpu", "µs")):
            mine, *others = ([it[name][key] for it in results["rounds"]] for name in names)
            rows.append([label, shown(mine, unit), *(cell for other in others for cell in against(mine, other, unit)[1:])])
        for name, least in peers.items():
            ratios = [a / b for a, b in zip(rates["Showcase"], rates[name])]
            self.aim("durable registrations a second", f"at least {least} times those of {name}", shown(ratios), statistics.median(ratios) >= least)
        memory = results["memory"]
        for when, label in (("idle", "memory, idle"), ("loaded", "memory, after this load")):
            mine, *others = (memory[name][when] for name in names)
            rows.append([label, f"{short(mine)} MB", *(cell for other in others for cell in (f"{short(other)} MB", short(mine / other)))])
        idle = memory["Showcase"]["idle"]
        self.aim("memory, idle", "under 26 MB", f"{short(idle)} MB", idle < 26)
        for clients, label in (("1", "1 client"), ("64", "64 clients")):
            mine, *others = (results["flushes"][name][clients] for name in names)
            rows.append([f"flushes for each, {label}", short(mine), *(cell for other in others for cell in (short(other), ""))])
        raw = ""
        if results["group_commit"]:
            low, middle, high = results["group_commit"]
            raw = f"""
The writer alone (`benches/group_commit.rs`: the bare record, from 64 threads, without HTTP, rules, email and audit line) stores
{short(middle)} records a second ({short(low)} to {short(high)}): a whole registration over HTTP has {short(statistics.median(rates["Showcase"]) / middle)} of that rate."""
        self.parts.append(f"""## Registrations

64 clients create the same record over HTTP. Showcase checks it by the form's rules, and stores it with its confirmation email and its line
in the audit log; it answers once all of that is flushed to the disk (`synchronous=FULL`). PocketBase stores the record alone. As it is
delivered, it doesn't flush each commit (`synchronous=NORMAL`): it answers before the record is on the disk, and a power cut may take the
last ones. "Flushing" is the same with `synchronous=FULL`, so that its answer promises what ours does. "Flushes for each" counts the calls of
`fsync` and `fdatasync` with strace: a server that answers only what is on the disk makes at least one for each record of one client. For
many clients at once, one flush can do.{raw}""")
        head = ["", "Showcase", *(cell for name in peers for cell in (name, "ratio"))]
        self.parts.append(table(head, rows))
        sides = [spread(rates[name]) for name in names]
        self.plot(bars, "performance-registrations", "Registrations a second, Showcase and PocketBase", "Registrations a second", "records stored over HTTP by 64 clients", [("", sides)], names)

    def starts(self):
        ours, theirs = ([seconds * 1e3 for seconds in self.results["starts"][name]] for name in ("Showcase", "PocketBase"))
        sizes = self.results["binaries"]
        rows = [
            ["start to the first answer", *against(ours, theirs, "ms")],
            ["program", f"{short(sizes['Showcase'])} MB", f"{short(sizes['PocketBase'])} MB", short(sizes["Showcase"] / sizes["PocketBase"])],
        ]
        if self.results.get("pages"):
            rows.append(["memory after the load of pages", f"{short(self.results['pages']['memory_after'])} MB", "", ""])
        self.aim("start to the first answer", "at most 80 ms", shown(ours, "ms"), statistics.median(ours) <= 80)
        self.parts.append("## Start and size\n\nAt its start, Showcase renders the home page and the page for unknown paths; the others when one of them is first requested, or ten seconds later.")
        self.parts.append(table(["", "Showcase", "PocketBase", "ratio"], rows))

    def launch(self):
        results = self.results["launch"]
        rounds, sender = results["rounds"], results["one_sender"]
        labels = [it["level"] for it in rounds[0]["levels"]]
        rows, series = [], {"p50": [], "p99": [], "a visitor's p99": []}
        for at, level in enumerate(labels):
            found = [it["levels"][at] for it in rounds]
            visitors = [percentile([seconds for _, seconds in it["visitors"]], 0.99) for it in found]
            p50, p99 = [it["p50"] for it in found], [it["p99"] for it in found]
            for points, values in zip(series.values(), (p50, p99, visitors)):
                points.append(spread(values))
            rows.append([
                f"{level} %", shown([it["offered"] for it in found]), shown([it["stored"] for it in found]), shown(p50, "ms"), shown(p99, "ms"), shown(visitors, "ms"),
                f"{max(it['late'] for it in found):.1%}", sum(it["refused"] for it in found), shown([it["memory"] for it in found], "MB"),
            ])  # fmt: skip
        lost = sum(it["lost"] + it["twice"] for it in rounds)
        answered = sum(it["acknowledged"] for it in rounds)
        self.aim("registrations that were answered with 201 and lost", "none", f"{lost} of {answered:,}", lost == 0)
        below = [max(it["p99"] for it in one["levels"] if it["level"] <= 80) for one in rounds]
        self.aim("p99 up to 80 % of saturation", "under 50 ms", shown(below, "ms"), statistics.median(below) < 50)
        slow = [one["levels"][-1]["recovery"] for one in rounds]
        self.aim("recovery after 150 % of saturation", "within a second", shown(slow, "s"), max(slow) <= 1)
        refused = sender["refused"] + sum(it["refused"] for one in rounds for it in one["levels"])
        bare = sender["without_retry_after"] + sum(it["without_retry_after"] for one in rounds for it in one["levels"])
        self.aim("refusals without `Retry-After`", "none", f"{bare} of {refused:,}", bare == 0)
        failed = sum(it["failed"] for one in rounds for it in one["levels"])
        self.aim("connections that failed", "none", failed, failed == 0)
        self.parts.append(f"""## Launch night

Registrations come at their own times, whether the server keeps up or not. Saturation is what it stores when each client waits for its
answer: {shown([it["saturation"] for it in rounds], "/s")}. Above it, up to 2,000 people wait at once. Beside them, forty visitors a second come
alone, each with a connection of her own: one reads the home page, the next one registers; their times count from the moment they meant to come.
"Late" are requests that began more than 10 ms after their time because nobody's connection was free.""")
        self.parts.append(table(["load", "offered /s", "stored /s", "p50", "p99", "a visitor's p99", "late", "refused", "memory"], rows))
        self.plot(lines, "performance-launch", "Time of an answer by load", "Time of an answer", "milliseconds by load in per cent of saturation", [f"{it} %" for it in labels], series, logarithmic=True)
        self.parts.append(f"""Afterwards {answered:,} ids that were answered with `201` were compared with the database: {lost} were missing or there twice; each of the
{sum(it["rows"] for it in rounds):,} stored registrations has its confirmation: {"yes" if all(it["rows"] == it["confirmations"] for it in rounds) else "**no**"}.

The limits for one sender were off. With those that a new site has, one address that sends as fast as it can
was answered `201` {sender["stored"]} times and refused {sender["refused"]:,} times, each time with `Retry-After`: {"yes" if sender["without_retry_after"] == 0 else "**no**"}.""")

    def sizes(self):
        found = self.results["sizes"]
        names = {
            "write": "one registration, one client", "list": "the list's first page", "search": "a search that finds everybody", "report": "the week's report", "export": "export as CSV",
            "start": "start to the first answer",
        }  # fmt: skip
        rows, series = [], {}
        for key, label in names.items():
            values = [[one[key] for one in it["rounds"]] for it in found]
            series[key] = [spread(it) for it in values]
            rows.append([label, *(shown(it, "ms") for it in values), growth(found, [statistics.median(it) for it in values])])
        rows.append(["registrations a second while filling", *(f"{short(it['rate'])} /s" for it in found), ""])
        rows.append(["database", *(f"{short(it['megabytes'])} MB" for it in found), growth(found, [it["megabytes"] for it in found])])
        self.parts.append("""## By the number of registrations

The registrations were made over HTTP, each with its email and audit line. Report and export are commands, measured with their start.""")
        self.parts.append(table(["", *(f"{it['rows']:,}" for it in found), "growth from the second"], rows))
        self.plot(lines, "performance-sizes", "Times by the number of registrations", "Times by the number of registrations", "milliseconds", [f"{it['count']:,}" for it in found], series, logarithmic=True)


def growth(found, values):
    """Flat, linear or more, from the second size to the last: the first one has mostly what is there without registrations."""
    if len(found) < 3:
        return ""
    times, rows = values[-1] / values[1], found[-1]["rows"] / found[1]["rows"]
    kind = "flat" if times < 1.5 else "less than linear" if times < rows * 0.8 else "linear" if times < rows * 1.25 else "more than linear"
    return f"{short(times)} times for {short(rows)} times the registrations: {kind}"
