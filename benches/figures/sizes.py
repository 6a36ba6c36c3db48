"""What grows with the number of registrations: 10, 1,000, 100,000 and, on request, 1,000,000."""

import http.client
import json
import subprocess
import time

from servers import UNLIMITED, Showcase, showcase
from wrk import wrk

PASSWORD = "only-for-the-bench"
WRITES = 40
LISTS = 10


def timed(action):
    began = time.monotonic()
    action()
    return (time.monotonic() - began) * 1e3


def middle(values):
    return sorted(values)[len(values) // 2]


class Visitor:
    """A connection that is kept."""

    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)

    def ask(self, expected, method, path, body=None, headers=None):
        self.connection.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"} | (headers or {}))
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != expected:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]}")
        return answer.headers, text


def stored(server):
    return int(subprocess.run(["sqlite3", "-readonly", server.database, "select count(*) from waitlist_signups"], check=True, capture_output=True, text=True).stdout)


def fill(server, rows, name):
    """Registers people over HTTP until there are so many, and at most a second's more; returns the rate."""
    if rows <= 1_000:
        visitor, began, missing = Visitor(server), time.monotonic(), rows - stored(server)
        for number in range(missing):
            visitor.ask(201, "POST", server.post, {"name": "Ada Sample", "email": f"{name}-{number}@example.com", "wantToCompete": False})
        return missing / (time.monotonic() - began)
    rates, seconds = [], 1
    while (missing := rows - stored(server)) > 0:
        if rates:
            seconds = max(1, int(missing / rates[-1]))
        rates.append(wrk(server, server.post, seconds, 64, names=f"{name}-{len(rates)}")["rate"])
    return middle(rates)


def measure(server, plan, number):
    """All figures of one round in milliseconds. The server runs before and after it."""
    visitor = Visitor(server)
    head, _ = visitor.ask(204, "POST", "/api/admin/session", {"password": PASSWORD})
    cookie = {"Cookie": "; ".join(it.split(";")[0] for it in head.get_all("set-cookie"))}
    path, today = "/api/waitlist-signups", time.strftime("%Y-%m-%d", time.gmtime())

    def write(one):
        visitor.ask(201, "POST", path, {"name": "Ada Sample", "email": f"{number}-{one}-{time.monotonic_ns()}@example.com", "wantToCompete": False})

    figures = {
        "write": middle([timed(lambda one=one: write(one)) for one in range(WRITES)]),
        "list": middle([timed(lambda: visitor.ask(200, "GET", f"{path}?pageSize=50", headers=cookie)) for _ in range(LISTS)]),
        "search": middle([timed(lambda: visitor.ask(200, "GET", f"{path}?pageSize=50&search=sample", headers=cookie)) for _ in range(LISTS)]),
        "report": timed(lambda: server.run("report", "weekly", "--for", today, "--print")),
        "export": timed(lambda: server.run("export", "--kind", "waitlist-signups", "--output", "export.csv")),
    }
    (server.folder / "export.csv").unlink()
    server.stop()
    figures["start"] = server.start() * 1e3
    return figures


def sizes(folder, plan, most):
    counts = [it for it in (10, 1_000, 100_000, 1_000_000) if it <= most]
    server = Showcase(folder / "sizes", UNLIMITED + f"[admin]\npassword = '{PASSWORD}'\n")
    found = []
    with server:
        server.wait_until_idle()
        for count in counts:
            rate = fill(server, count, f"size-{count}")
            rows = stored(server)
            rounds = [measure(server, plan, f"{count}-{number}") for number in range(plan.rounds)]
            server.stop()
            size = server.database.stat().st_size / 1e6
            server.start()
            found.append({"count": count, "rows": rows, "rate": rate, "rounds": rounds, "megabytes": size})
            plan.say(f"{rows} registrations: {', '.join(f'{key} {value:.1f} ms' for key, value in rounds[-1].items())}, {size:.1f} MB")
    return found
