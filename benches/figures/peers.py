"""Showcase beside nginx and PocketBase: cached pages, durable registrations, memory, start and size."""

import contextlib
import os
import re
import signal
import subprocess

from servers import ROOT, Nginx, PocketBase, PocketBaseFlushing, Showcase, pocketbase, showcase
from wrk import wrk

CONNECTIONS = (32, 256)
# Clients that register at the same time, as in benches/group_commit.rs.
CLIENTS = 64
STARTS = 15


def alternating(number, servers):
    """The servers, in the other order in every second round: whoever comes first has a colder machine."""
    return servers if number % 2 == 0 else servers[::-1]


def fetch(server, path):
    """Headers, compressed and plain body."""
    status, headers, compressed = server.request("GET", path, headers={"Accept-Encoding": "br"})
    if status != 200 or headers["content-encoding"] != "br":
        raise RuntimeError(f"{server.name} {path}: {status}, content encoding {headers['content-encoding']}")
    return headers, compressed, server.request("GET", path)[2]


def pages(folder, plan):
    """The home page and its largest script, compressed with brotli, from memory and from nginx's cache of open files."""
    rounds = []
    with Showcase(folder / "pages") as ours:
        ours.wait_until_idle()
        home = fetch(ours, "/")
        scripts = set(re.findall(rb'/assets/[\w./-]+\.js', home[2]))
        answers = {path: fetch(ours, path) for path in sorted(path.decode() for path in scripts)}
        asset = max(answers, key=lambda path: len(answers[path][1]))
        with Nginx(folder / "nginx", {"/": home, asset: answers[asset]}) as theirs:
            for what, path in (("page", "/"), ("asset", asset)):
                if fetch(theirs, path)[1:] != fetch(ours, path)[1:]:
                    raise RuntimeError(f"{path}: nginx sends other bytes")
                for connections in CONNECTIONS:
                    for server in (ours, theirs):
                        wrk(server, path, 1, connections, ["Accept-Encoding: br"])
                    for number in range(plan.rounds):
                        one = {"what": what, "connections": connections}
                        for server in alternating(number, [ours, theirs]):
                            figures = wrk(server, path, plan.seconds, connections, ["Accept-Encoding: br"])
                            if figures["failed"] or figures["bad_status"]:
                                raise RuntimeError(f"{server.name} {path}: {figures}")
                            one[server.name] = {key: figures[key] for key in ("rate", "cpu", "p50", "p99")}
                        rounds.append(one)
                        plan.say(f"{what}, {connections} connections: {ours.name} {one[ours.name]['cpu']:.1f}, {theirs.name} {one[theirs.name]['cpu']:.1f} µs of CPU a request")
        memory = ours.memory()
    return {"rounds": rounds, "sizes": {"page": len(home[1]), "asset": len(answers[asset][1])}, "memory_after": memory}


def registrations(folder, plan):
    """The same record, created over HTTP: with rules, email and audit line at ours, without at PocketBase's."""
    rounds, memory, flushes = [], {}, {}
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(kind(folder / kind.__name__)) for kind in (Showcase, PocketBase, PocketBaseFlushing)]
        for server in servers:
            server.prepare()
            server.wait_until_idle()
            memory[server.name] = {"idle": server.memory()}
            wrk(server, server.post, 1, CLIENTS, names="warm")
        for number in range(plan.rounds):
            one = {}
            for server in alternating(number, servers):
                figures = wrk(server, server.post, plan.seconds, CLIENTS, names=f"round-{number}")
                if figures["failed"] or figures["unexpected"] or figures["refused"]:
                    raise RuntimeError(f"{server.name}: {figures}")
                one[server.name] = {key: figures[key] for key in ("rate", "cpu", "p50", "p99")}
            rounds.append(one)
            plan.say("registrations: " + ", ".join(f"{server.name} {one[server.name]['rate']:.0f}/s" for server in servers))
        for server in servers:
            memory[server.name]["loaded"] = server.memory()
            flushes[server.name] = {str(clients): flushes_of_one(server, clients) for clients in (1, CLIENTS)}
            plan.say(f"flushes of a record: {server.name} {flushes[server.name]}")
    return {"rounds": rounds, "memory": memory, "flushes": flushes, "group_commit": group_commit(folder)}


def flushes_of_one(server, clients):
    """How often it flushes a file to the disk for each record, counted by strace while so many clients create records."""
    counted = server.folder / "flushes"
    command = ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync", "-o", counted, "-p", str(server.process.pid)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as strace:
        first = strace.stderr.readline()
        if "attached" not in first:
            raise RuntimeError(first)
        figures = wrk(server, server.post, 3, clients, names=f"flushed-{clients}")
        strace.send_signal(signal.SIGINT)
    calls = re.findall(r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+) .*\bf(?:data)?sync$", counted.read_text(), re.MULTILINE)
    return sum(map(int, calls)) / figures["stored"]


def group_commit(folder):
    """Records a second that 64 threads store through the writer without HTTP, rules, email and audit line, as
    benches/group_commit.rs measures it: lowest, estimate, highest. None where that bench is not built."""
    built = [it for it in (showcase().parent / "deps").glob("group_commit-*") if os.access(it, os.X_OK) and not it.suffix]
    if not built:
        return None
    bench = [max(built, key=lambda it: it.stat().st_mtime), "--bench", "--noplot", "durable_inserts_64_clients/group_commit"]
    done = subprocess.run(bench, cwd=ROOT, env=os.environ | {"CRITERION_HOME": str(folder / "criterion")}, capture_output=True, text=True)
    found = re.search(r"thrpt:\s+\[([\d.]+) (\S+) ([\d.]+) (\S+) ([\d.]+) (\S+)\]", done.stdout)
    if not found:
        print(f"  {bench[0]} printed no rate: {done.stderr[-500:]}")
        return None
    factors = {"elem/s": 1, "Kelem/s": 1e3, "Melem/s": 1e6}
    return [float(found[at]) * factors[found[at + 1]] for at in (1, 3, 5)]


def starts(folder, plan):
    """Seconds from the start of the process to the first answer, with a database that exists."""
    times = {Showcase.name: [], PocketBase.name: []}
    servers = [Showcase(folder / "start"), PocketBase(folder / "start-pocketbase")]
    for server in servers:
        server.start()
        server.stop()
    for number in range(STARTS if plan.rounds >= 5 else 2):
        for server in alternating(number, servers):
            times[server.name].append(server.start())
            server.stop()
    return times


def binaries():
    """Sizes in MB."""
    return {Showcase.name: showcase().stat().st_size / 1e6, PocketBase.name: pocketbase().stat().st_size / 1e6}
