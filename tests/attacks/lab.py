"""What the attack scripts share: a server in a folder of its own, a stand-in of Stripe, a mail server, a small HTTP
client, and what a process costs. Standard library only. Everything listens on loopback and ends with the script.

A script measures, prints one line a figure with its aim, and exits 1 when an aim is missed:

    from lab import Lab
    with Lab("[limits]\\nwrites_per_minute = 0") as lab:
        lab.aim("an honest page", lab.fetch("GET", "/").seconds * 1000, "ms", at_most=200)
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import socket
import socketserver
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments(**more):
    """The command line that all scripts share: `--binary PATH`; `more` names further options and their defaults."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--binary", default=None, help="the program to attack (default: the first of target/release and target/debug)")
    for name, default in more.items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(default), default=default)
    return parser.parse_args()


def find_binary(given=None):
    builds = [given] if given else [ROOT / "target" / profile / "showcase" for profile in ("release", "debug")]
    for build in builds:
        if pathlib.Path(build).is_file():
            return str(pathlib.Path(build).resolve())
    sys.exit("There is no build of showcase here: run `cargo build --release` first.")


@dataclass
class Answer:
    """An HTTP answer. `seconds` runs from before connecting to the last byte."""

    status: int
    headers: list
    body: bytes
    seconds: float

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def json(self):
        return json.loads(self.body)


@dataclass
class Lab:
    """A server with `config` (TOML) and, where asked for, a stand-in of Stripe and a mail server."""

    config: str = ""
    binary: str | None = None
    stripe: bool = False
    mail: bool = False
    password: str = "attack-lab-password"
    arguments: tuple = ()
    missed: int = 0
    processes: list = field(default_factory=list)

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="showcase-attack-"))
        self.sink = MailSink() if self.mail else None
        self.stripe_origin = self._start_stripe() if self.stripe else None
        self.start()
        return self

    def __exit__(self, kind, *_):
        for process in self.processes:
            stop(process)
        if self.sink:
            self.sink.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        if kind is None and self.missed:
            sys.exit(1)

    # -- the server

    def start(self):
        """Starts the server, or starts it again on the same database."""
        (self.folder / "config.toml").write_text(self._whole_config())
        log = open(self.folder / "server.log", "ab")
        command = [find_binary(self.binary), "serve", "--listen", "127.0.0.1:0", *self.arguments]
        self.server = subprocess.Popen(
            command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=clean_environment()
        )
        self.processes.append(self.server)
        for line in self.server.stdout:
            found = re.search(rb"Showcase is at https?://([0-9.]+):(\d+)", line)
            if found:
                self.host, self.port = found[1].decode(), int(found[2])
                # Whatever it prints later must not fill the pipe.
                threading.Thread(target=self.server.stdout.read, daemon=True).start()
                return
        sys.exit("The server ended: " + self.log()[-2000:])

    def restart(self):
        stop(self.server)
        self.start()

    def log(self):
        return (self.folder / "server.log").read_text(errors="replace")

    def _whole_config(self):
        sections = self.config
        if "[admin]" not in sections:
            sections += f'\n[admin]\npassword = "{self.password}"\n'
        if self.stripe_origin:
            sections += (
                "\n[stripe]\nsecret_key = 'sk_test_51StandIn'\npublishable_key = 'pk_test_51StandIn'\n"
                f"webhook_secret = 'whsec_stand_in'\napi_base = '{self.stripe_origin}'\n"
            )
        if self.sink and "[smtp]" not in sections:
            sections += (
                f"\n[smtp]\nhost = '127.0.0.1'\nport = {self.sink.port}\nsecurity = 'none'\n"
                "from = 'Showcase <hello@example.com>'\n"
            )
        return sections

    def command(self, *arguments, stdin=""):
        """Runs a command of the program beside the server."""
        return subprocess.run(
            [find_binary(self.binary), *arguments], cwd=self.folder, input=stdin, capture_output=True, text=True, env=clean_environment()
        )

    def sql(self, query):
        """The rows of a query, read beside the server."""
        import sqlite3

        connection = sqlite3.connect(f"file:{self.folder / 'showcase.db'}?mode=ro", uri=True, timeout=30)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    # -- asking it

    def connect(self, source="127.0.0.1", timeout=60):
        """A connection from an address of the loopback network."""
        return socket.create_connection((self.host, self.port), timeout, source_address=(source, 0))

    def fetch(self, method, path, body=None, headers=None, source="127.0.0.1", timeout=60):
        """One request on a connection of its own. A `dict` or `list` as body is sent as JSON."""
        began = time.monotonic()
        with self.connect(source, timeout) as connection:
            connection.sendall(request(self.host, method, path, body, {"connection": "close", **(headers or {})}))
            answer = read_answer(connection, method)
        answer.seconds = time.monotonic() - began
        return answer

    def sign_in(self, **more):
        """The organiser's cookie, as a header."""
        answer = self.fetch("POST", "/api/admin/session", {"password": self.password}, **more)
        if answer.status != 204:
            raise RuntimeError(f"sign-in: {answer.status} {answer.body!r}")
        return {"cookie": answer.header("set-cookie").split(";")[0]}

    # -- what it costs

    def memory(self):
        """Resident megabytes."""
        status = pathlib.Path(f"/proc/{self.server.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def cpu(self):
        """Seconds of processor time so far."""
        fields = pathlib.Path(f"/proc/{self.server.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    # -- telling

    def tell(self, what, value, unit=""):
        print(f"{what}: {rounded(value)} {unit}".rstrip(), flush=True)

    def aim(self, what, value, unit="", at_most=None, at_least=None):
        """Prints a figure beside its aim, and remembers when it is missed."""
        limits = [f"at most {at_most}"] * (at_most is not None) + [f"at least {at_least}"] * (at_least is not None)
        held = (at_most is None or value <= at_most) and (at_least is None or value >= at_least)
        self.missed += not held
        print(f"{what}: {rounded(value)} {unit} (aim: {' and '.join(limits)}) {'met' if held else 'MISSED'}", flush=True)

    def _start_stripe(self):
        process = subprocess.Popen(["node", ROOT / "tests/stripe/stand-in.mjs", "{}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.processes.append(process)
        return process.stdout.readline().decode().strip()

    def stripe_control(self, name, body=None):
        """Something that tests/stripe/control.mjs lists; without a body it reads."""
        import urllib.request

        data = None if body is None else json.dumps(body).encode()
        call = urllib.request.Request(f"{self.stripe_origin}/control/{name}", data, {"content-type": "application/json"})
        with urllib.request.urlopen(call, timeout=60) as reply:
            return json.loads(reply.read())


class MailSink:
    """Accepts every email; `mails` holds `(seconds since the start, recipient, text)`. It waits `delay` seconds before it accepts an email."""

    def __init__(self, delay=0.0):
        self.mails, self.delay, self.most_at_once, self._open = [], delay, 0, 0
        sink, began = self, time.monotonic()

        class Talk(socketserver.StreamRequestHandler):
            def handle(self):
                sink._open += 1
                sink.most_at_once = max(sink.most_at_once, sink._open)
                try:
                    self.talk()
                except OSError:
                    pass
                finally:
                    sink._open -= 1

            def say(self, line):
                self.wfile.write(line.encode() + b"\r\n")

            def talk(self):
                self.say("220 sink")
                recipient = ""
                for line in self.rfile:
                    word = line[:4].upper()
                    if word == b"DATA":
                        self.say("354 go on")
                        text = b""
                        for part in self.rfile:
                            if part == b".\r\n":
                                break
                            text += part
                        time.sleep(sink.delay)
                        sink.mails.append((time.monotonic() - began, recipient, text.decode(errors="replace")))
                        self.say("250 taken")
                    elif word == b"RCPT":
                        recipient = line.decode(errors="replace").split("<")[1].split(">")[0]
                        self.say("250 yes")
                    elif word == b"QUIT":
                        return self.say("221 bye")
                    else:
                        self.say("250 sink")

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads, allow_reuse_address = True, True

        self._server = Server(("127.0.0.1", 0), Talk)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def request(host, method, path, body=None, headers=None):
    """The bytes of an HTTP/1.1 request."""
    given = {"host": host, **(headers or {})}
    if isinstance(body, (dict, list)):
        body = json.dumps(body).encode()
        given.setdefault("content-type", "application/json")
    if body is not None:
        given.setdefault("content-length", str(len(body)))
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return head.encode() + b"\r\n" + (body or b"")


def read_answer(connection, method="GET"):
    """Reads one answer; `status` 0 when the connection ended without one."""
    reader = connection.makefile("rb")
    line = reader.readline()
    if not line:
        return Answer(0, [], b"", 0)
    headers = []
    while (row := reader.readline().strip()):
        name, _, value = row.partition(b":")
        headers.append((name.decode().strip(), value.decode().strip()))
    answer = Answer(int(line.split()[1]), headers, b"", 0)
    length = answer.header("content-length")
    if method == "HEAD" or answer.status in (204, 304):
        return answer
    if length is not None:
        answer.body = reader.read(int(length))
    elif answer.header("transfer-encoding") == "chunked":
        while (size := int(reader.readline().split(b";")[0], 16)) > 0:
            answer.body += reader.read(size)
            reader.readline()
    else:
        answer.body = reader.read()
    return answer


def at_once(count, work):
    """Runs `work(index)` in `count` threads at once; what each returned, or the error that it ended with."""
    results = [None] * count

    def run(index):
        try:
            results[index] = work(index)
        except Exception as error:  # an attacker's connection may end in any way
            results[index] = error

    threads = [threading.Thread(target=run, args=(index,), daemon=True) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def percentile(values, percent):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def spread(values):
    """`median`, `p99` and `max` of measurements, as one text."""
    return f"median {rounded(statistics.median(values))}, p99 {rounded(percentile(values, 99))}, max {rounded(max(values))}"


def rounded(value):
    return f"{value:.3g}" if isinstance(value, float) and value < 100 else f"{value:.0f}" if isinstance(value, float) else str(value)


def clean_environment():
    return {name: value for name, value in os.environ.items() if not name.startswith("SHOWCASE_")}


def stop(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdin:
        process.stdin.close()
