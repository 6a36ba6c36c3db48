"""Launch night: registrations come at their own times, below and above what the server can store."""

import concurrent.futures
import sqlite3
import threading
import time

from servers import Showcase
from wrk import wrk

LEVELS = (20, 40, 60, 80, 100, 150)
# Below saturation, more than ever wait. Above it, so many people wait for their answer at the same time.
CONNECTIONS, CROWD = 512, 2000
# A visitor who comes alone, with a connection of her own, every so many seconds.
VISIT_EVERY = 0.025
# A visitor who is answered within this is not disturbed.
UNDISTURBED = 0.05


class Visitors:
    """One visitor after another, each at her time: half of them read the home page, half register."""

    def __init__(self, server, names):
        self.server, self.names, self.ended, self.visits = server, names, threading.Event(), []

    def __enter__(self):
        self.threads = concurrent.futures.ThreadPoolExecutor(256)
        self.clock = threading.Thread(target=self.arrive)
        self.clock.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.clock.join()
        self.threads.shutdown()

    def arrive(self):
        began, number = time.monotonic(), 0
        while not self.ended.wait(max(0, began + number * VISIT_EVERY - time.monotonic())):
            self.threads.submit(self.visit, began + number * VISIT_EVERY, number)
            number += 1

    def visit(self, due, number):
        path, body = "/", None
        if number % 2:
            path, body = self.server.post, {"name": "Ada Sample", "email": f"{self.names}-{number}@example.com", "wantToCompete": False}
        try:
            status, headers, _ = self.server.request("GET" if body is None else "POST", path, body)
            retry = headers["retry-after"]
        except OSError:
            status, retry = 0, None
        self.visits.append({"due": due, "path": path, "status": status, "retry": retry, "seconds": time.monotonic() - due})


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0


def recovery(visits, ended):
    """The seconds from the end of the rush until the first of ten visitors in a row who were not disturbed."""
    after = sorted((it["due"], it["seconds"] <= UNDISTURBED) for it in visits if it["due"] > ended)
    calm = (due for at, (due, _) in enumerate(after) if len(after) >= at + 10 and all(it[1] for it in after[at : at + 10]))
    return next(calm, after[-1][0] + 1) - ended


def saturation(server, plan):
    """The most registrations a second when each client waits for its answer."""
    return max(wrk(server, server.post, plan.seconds, connections, names=f"saturation-{connections}")["rate"] for connections in (64, 256))


def launch(folder, plan):
    rounds = []
    for number in range(plan.rounds):
        server = Showcase(folder / f"launch-{number}")
        levels, acknowledged = [], []
        with server:
            server.wait_until_idle()
            wrk(server, server.post, 1, 64, names="warm")
            most = saturation(server, plan)
            for level in LEVELS:
                ids = folder / "ids"
                names = f"level-{level}"
                with Visitors(server, f"visitor-{level}") as visitors:
                    figures = wrk(server, server.post, plan.seconds, CROWD if level > 100 else CONNECTIONS, names=names, rate=most * level / 100, ids=ids)
                    ended = time.monotonic()
                    # Visitors come on, so that they show when the rush is over.
                    time.sleep(3)
                acknowledged += ids.read_text().split()
                during = [it for it in visitors.visits if it["due"] <= ended]
                refusals = [it for it in visitors.visits if it["status"] in (429, 503)]
                levels.append({
                    "level": level, "offered": most * level / 100, "stored": figures["stored"] / figures["seconds"], "late": figures["late"] / max(figures["begun"], 1),
                    "p50": figures["p50"], "p99": figures["p99"], "longest": figures["longest"],
                    "visitors": [[it["path"] == "/", it["seconds"] * 1e3] for it in during],
                    "recovery": recovery(visitors.visits, ended), "memory": server.memory(),
                    "refused": figures["refused"] + len(refusals),
                    "without_retry_after": figures["without_retry_after"] + sum(1 for it in refusals if not it["retry"]),
                    "failed": figures["failed"] + figures["unexpected"] + sum(1 for it in visitors.visits if it["status"] not in (200, 201, 429, 503)),
                })  # fmt: skip
                one = levels[-1]
                plan.say(f"{level} % of {most:.0f}/s: p99 {one['p99']:.0f} ms, visitors' p99 {percentile([it[1] for it in one['visitors']], 0.99):.0f} ms, {one['stored']:.0f} stored a second, {one['refused']} refused, recovered in {one['recovery']:.2f} s")
        rounds.append({"saturation": most, "levels": levels, **compare(server.database, acknowledged)})
    return {"rounds": rounds, "one_sender": one_sender(folder, plan)}


def compare(database, acknowledged):
    """What was answered with 201 and is not stored, or stored without its confirmation."""
    with sqlite3.connect(database) as connection:
        stored = {str(row[0]) for row in connection.execute("select id from waitlist_signups")}
        confirmations = connection.execute("select count(*) from outbox where cause like 'confirmation/%'").fetchone()[0]
    return {
        "acknowledged": len(acknowledged), "twice": len(acknowledged) - len(set(acknowledged)), "lost": len(set(acknowledged) - stored),
        "rows": len(stored), "confirmations": confirmations,
    }  # fmt: skip


def one_sender(folder, plan):
    """One address sends as fast as it can, with the limits that a new site has."""
    server = Showcase(folder / "one-sender", "[backup]\nevery_hours = 0\n")
    with server:
        ids = folder / "ids"
        figures = wrk(server, server.post, plan.seconds, 32, names="flood", ids=ids)
    compared = compare(server.database, ids.read_text().split())
    return {key: figures[key] for key in ("stored", "refused", "without_retry_after", "unexpected", "failed")} | compared
