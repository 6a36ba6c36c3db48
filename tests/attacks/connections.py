"""Connections that are held, kept alive by anything but requests, or come in crowds: F4, F12 and F17 of the attack review.

The server listens on 127.0.0.1 and is attacked from other addresses of 127.0.0.0/8. Takes five minutes; `--most` is the
number of connections at the full size, and needs as many open files (`ulimit -n`) and some more.
"""

import itertools
import pathlib
import resource
import socket
import ssl
import subprocess
import tempfile
import threading
import time

from lab import Lab, arguments, percentile, spread

HEAD = b"HEAD / HTTP/1.1\r\nhost: x\r\n\r\n"
SLOW_BODY = (
    b"POST /api/waitlist-signups HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"
)
HALF_HEAD = b"GET / HTTP/1.1\r\nhost: x\r\nuser-agent: " + b"x" * 300
HONEST = "127.200.0.1"


class Crowd:
    """`count` connections, each to `first` say and then `again` each `pause` seconds; what the server closes comes back."""

    def __init__(self, lab, count, first, again=b"", pause=20.0, network="127.0.1", networks=1):
        self.lab, self.first, self.again, self.pause = lab, first, again, pause
        hosts = itertools.cycle(f"{network}.{host}" for host in range(1, 251))
        if networks > 1:
            hosts = itertools.cycle(f"127.{number}.0.{host}" for host in range(1, 251) for number in range(1, networks + 1))
        self.sources = [next(hosts) for _ in range(count)]
        self.closed, self.going = 0, True
        self.open = [self.connect(source) for source in self.sources]
        self.thread = threading.Thread(target=self.keep_up, daemon=True)
        self.thread.start()

    def connect(self, source):
        connection = self.lab.connect(source)
        connection.sendall(self.first)
        connection.setblocking(False)
        return connection

    def keep_up(self):
        """Goes through all in `pause` seconds."""
        began = time.monotonic()
        for turn in itertools.count():
            place = turn % len(self.open)
            time.sleep(max(0, began + turn * self.pause / len(self.open) - time.monotonic()))
            if not self.going:
                return
            if self.has_ended(self.open[place]):
                self.closed += 1
                self.open[place].close()
                try:
                    self.open[place] = self.connect(self.sources[place])
                except OSError:
                    pass

    def has_ended(self, connection):
        try:
            while connection.recv(65536):
                pass
            return True
        except BlockingIOError:
            pass
        except OSError:
            return True
        try:
            connection.send(self.again)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return False

    def end(self):
        self.going = False
        self.thread.join()
        for connection in self.open:
            connection.close()


def honest_visits(lab, seconds):
    """How long each visit took, in milliseconds, one each 200 ms; one that is not answered counts as its five seconds."""
    taken, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            answer = lab.fetch("GET", "/", source=HONEST, timeout=5)
            taken.append(answer.seconds * 1000 if answer.status == 200 else 5000.0)
        except OSError:
            taken.append(5000.0)
        time.sleep(0.2)
    return taken


def one_network_holds_every_place(options, what, first, again):
    with Lab("[limits]\nconnections = 500\n", binary=options.binary) as lab:
        alone = honest_visits(lab, 3)
        crowd = Crowd(lab, 500, first, again)
        visits = honest_visits(lab, 25)
        crowd.end()
        report(lab, f"500 of 500 connections of one network, {what}", alone, visits, crowd)


def everybody_at_the_default(options, what, networks):
    with Lab("", binary=options.binary) as lab:
        alone = honest_visits(lab, 3)
        crowd = Crowd(lab, options.most, HEAD, HEAD, networks=networks)
        visits = honest_visits(lab, 25)
        lab.tell("memory at that size", lab.memory(), "MB")
        crowd.end()
        report(lab, f"{options.most} connections of {what}, default limits, a HEAD each 20 s", alone, visits, crowd)


def report(lab, what, alone, visits, crowd):
    lab.tell(what, f"{len(visits)} honest visits, {spread(visits)} ms (alone {spread(alone)} ms), {crowd.closed} came back")
    lab.aim("- not answered", sum(taken >= 5000 for taken in visits), at_most=0)
    lab.aim("- 95 of 100 within", percentile(visits, 95), "ms", at_most=200)


def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


START = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)
PING = frame(6, 0, 0, b"12345678")
# POST /api/waitlist-signups with JSON, in literals and HPACK's static table.
POST = frame(1, 4, 1, b"\x83\x87\x41\x01x\x44\x15/api/waitlist-signups\x5f\x10application/json")


def http_2(lab):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    connection = context.wrap_socket(lab.connect())
    connection.settimeout(0.01)
    return connection


def seconds_until_the_end(connection, said, most):
    """Says something four times a second until the server ends the connection."""
    began = time.monotonic()
    while (passed := time.monotonic() - began) < most:
        try:
            connection.sendall(said)
            if not connection.recv(65536):
                return passed
        except (TimeoutError, ssl.SSLWantReadError):
            pass
        except OSError:
            return passed
        time.sleep(0.25)
    return float(most)


def pings_keep_nothing_alive(options):
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = f"{folder}/own.key", f"{folder}/own.pem"
        made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1"]
        subprocess.run([*made, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        settings = (
            f"public_url = 'https://127.0.0.1:{port}'\n[tls]\ncertificate = '{certificate}'\nprivate_key = '{key}'\n"
            f"listen = '127.0.0.1:{port}'\nhttp_listen = ''\n"
        )
        with Lab(settings, binary=options.binary) as lab:
            lasted = {"pings": [], "body": []}

            def hold(what, first, said):
                connection = http_2(lab)
                connection.sendall(START + first)
                lasted[what].append(seconds_until_the_end(connection, said, 100))
                connection.close()

            fed = frame(0, 0, 1, b"x")
            holders = [threading.Thread(target=hold, args=("pings", b"", PING)) for _ in range(50)]
            holders += [threading.Thread(target=hold, args=("body", POST, PING * 20 + fed)) for _ in range(5)]
            [holder.start() for holder in holders]
            [holder.join() for holder in holders]
            lab.aim("50 HTTP/2 connections that only ping, the longest", max(lasted["pings"]), "s", at_most=25)
            lab.aim("5 with pings and a body byte by byte, the longest", max(lasted["body"]), "s", at_most=75)


def crowds_leave_no_memory(options):
    with Lab("", binary=options.binary) as lab:
        lab.fetch("GET", "/")
        alone = lab.memory()
        highest = 0.0
        for _ in range(3):
            crowd = [lab.connect(f"127.{number % 10 + 1}.0.1") for number in range(min(9000, options.most))]
            for connection in crowd:
                connection.sendall(HALF_HEAD)
            time.sleep(2)
            highest = max(highest, lab.memory())
            # The last to leave pin the end of the heap.
            for connection in crowd[:-20]:
                connection.close()
            time.sleep(2)
            for connection in crowd[-20:]:
                connection.close()
        lab.tell("memory alone, and with 9,000 slow connections", f"{alone:.0f}, {highest:.0f} MB")
        lab.tell("memory when they have left", lab.memory(), "MB")
        time.sleep(40)
        lab.aim("memory 40 s later, above what it was alone", lab.memory() - alone, "MB", at_most=20)


if __name__ == "__main__":
    options = arguments(most=10_000)
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(allowed, options.most + 1000), allowed))
    options.most = min(options.most, allowed - 500)
    attacks = [
        lambda: one_network_holds_every_place(options, "a HEAD each 20 s", HEAD, HEAD),
        lambda: one_network_holds_every_place(options, "bodies that never come", SLOW_BODY, b"x"),
        lambda: pings_keep_nothing_alive(options),
        lambda: crowds_leave_no_memory(options),
        lambda: everybody_at_the_default(options, "one network", 1),
        lambda: everybody_at_the_default(options, "ten networks", 10),
    ]
    missed = 0
    for attack in attacks:
        try:
            attack()
        except SystemExit as end:
            # An aim was missed, or it could not start; it has said so.
            missed |= bool(end.code)
    raise SystemExit(missed)
