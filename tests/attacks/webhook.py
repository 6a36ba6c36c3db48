"""Forged payment events and unfinished bodies: what they cost, and whom they delay.

135 events at once with 15,000 signatures each, the same with signatures of the right form, 400 halves of bodies from one
network and from many, half-sent forms that fill the memory for bodies from 4 networks and from 200, and six HTTP/2
connections with 100 halves each. Needs 2,600 open files (`ulimit -n`)."""

import resource
import socket
import ssl
import statistics
import struct
import subprocess
import threading
import time

import lab as shared
from lab import Lab

EVENT = 524_279
HALF = 500_000
ENTRY = {
    "name": "Ada Sample", "email": "ada@example.com", "phone": "+1 201-555-0101", "businessName": "Sample Studio",
    "location": "Jersey City, NJ", "taxLocation": "new-york", "primaryCategory": "lash-extensions", "subCategory": "Volume",
    "additionalCategories": 0, "agreementTerms": True, "agreementMedia": True,
}
PROXY = "[proxy]\ntrusted = ['127.0.0.1']\n[limits]\nwrites_per_minute = 0\n"


def forged():
    return f"t={int(time.time())}" + f",v1={'ab' * 32}" * 8


def intent(lab, number):
    entry = {**ENTRY, "email": f"p{number}@example.com"}
    body = {"amount": 48492, "competitionData": {}, "entry": entry}
    answer = lab.fetch("POST", "/api/create-competition-payment-intent", body, {"idempotency-key": f"fill-{number}"})
    if answer.status != 200:
        raise RuntimeError(f"{answer.status} {answer.body!r}")
    return answer.seconds * 1000


def crowd_of_events(lab, what, signature):
    """Honest intents before and while 135 events come at once."""
    first = lab.sql("select count(*) from competition_entries")[0][0]
    before = [intent(lab, first + number) for number in range(20)]
    body = b"x" * EVENT
    began, cpu = time.monotonic(), lab.cpu()
    flood = []

    def event(number):
        headers = {"stripe-signature": signature(), "connection": "close", "x-forwarded-for": f"203.0.{number}.7"}
        with lab.connect(timeout=60) as connection:
            try:
                connection.sendall(shared.request(lab.host, "POST", "/api/stripe/webhook", body, headers))
            except OSError:
                pass  # refused before all was sent
            return shared.read_answer(connection).status

    thread = threading.Thread(target=lambda: flood.extend(shared.at_once(135, event)))
    thread.start()
    during = []
    while thread.is_alive() or len(during) < 20:
        try:
            during.append(intent(lab, first + 20 + len(during)))
        except Exception as error:
            lab.tell(f"{what}: an honest intent failed", str(error)[:100])
            during.append(60_000.0)
            if len(during) > 25:
                break
    thread.join()
    statuses = {}
    for status in flood:
        word = status if isinstance(status, int) and status else "closed"
        statuses[word] = statuses.get(word, 0) + 1
    lab.tell(f"{what}: answers", statuses)
    lab.tell(f"{what}: processor time of the server", lab.cpu() - cpu, "s")
    lab.tell(f"{what}: took", time.monotonic() - began, "s")
    lab.tell(f"{what}: an honest intent before", shared.spread(before), "ms")
    lab.tell(f"{what}: an honest intent meanwhile", shared.spread(during), "ms")
    delay = shared.percentile(during, 95) - statistics.median(before)
    lab.aim(f"{what}: delay of an honest intent (95 of 100)", delay, "ms", at_most=100)


def halves(lab, what, networks):
    """400 events that stop before their end."""
    before = lab.memory()
    held = []

    def half(number):
        network = number % networks
        headers = {
            "stripe-signature": forged(), "content-length": str(EVENT),
            "x-forwarded-for": f"203.{network // 250}.{network % 250}.7",
        }
        connection = lab.connect(timeout=10)
        held.append(connection)
        try:
            connection.sendall(shared.request(lab.host, "POST", "/api/stripe/webhook", b"", headers))
            connection.sendall(b"x" * HALF)
        except OSError:
            pass

    shared.at_once(400, half)
    time.sleep(1)
    during = lab.memory()
    honest = lab.fetch("POST", "/api/waitlist-signups", {"name": "Bea Example", "email": f"bea{networks}@example.com"})
    for connection in held:
        connection.close()
    lab.tell(f"{what}: memory before and meanwhile", f"{before:.0f} -> {during:.0f}", "MB")
    lab.aim(f"{what}: more memory", during - before, "MB", at_most=40)
    lab.aim(f"{what}: an honest form was refused", int(honest.status != 201), at_most=0)


def half_forms(lab, networks, count=2_300, arrived=15_000):
    """Halves of forms, more than the memory for bodies holds, each refused one sent anew; and honest people meanwhile."""
    going, closed = threading.Event(), [0]
    going.set()

    def half(number):
        connection = lab.connect(timeout=10)
        network = number % networks
        headers = {
            "content-type": "application/json", "content-length": "60000", "x-forwarded-for": f"198.51.{network}.{1 + number % 250}",
        }
        try:
            connection.sendall(shared.request(lab.host, "POST", "/api/waitlist-signups", b"", headers))
            connection.sendall(b" " * arrived)
        except OSError:
            pass
        connection.setblocking(False)
        return connection

    def is_open(connection):
        try:
            connection.recv(1)
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False

    def keep_up():
        while going.is_set():
            for number in range(count):
                if going.is_set() and not is_open(held[number]):
                    held[number].close()
                    try:
                        held[number] = half(number)
                    except OSError:
                        continue  # tried again in the next round
                    closed[0] += 1

    held = [half(number) for number in range(count)]
    attacker = threading.Thread(target=keep_up)
    attacker.start()
    refused, taken = 0, []
    for number in range(40):
        source = {"x-forwarded-for": f"203.0.{number}.7"}
        form = {"name": "Bea Example", "email": f"bea{number}@example.com"}
        answers = [lab.fetch("POST", "/api/waitlist-signups", form, source)]
        if number % 4 == 0:
            answers.append(lab.fetch("POST", "/api/admin/session", {"password": lab.password}, source))
        refused += sum(answer.status not in (201, 204) for answer in answers)
        taken.append(answers[0].seconds * 1000)
        time.sleep(0.1)
    going.clear()
    attacker.join()
    what = f"{count} half-sent forms of {networks} networks"
    lab.tell(f"{what}: ended and sent anew", closed[0])
    lab.tell(f"{what}: memory", lab.memory(), "MB")
    lab.tell(f"{what}: an honest form", shared.spread(taken), "ms")
    lab.aim(f"{what}: honest forms and sign-ins refused", refused, at_most=0)
    for connection in held:
        connection.close()


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    return b"\0" + bytes([len(name)]) + name.encode() + (bytes([len(value)]) if len(value) < 127 else b"\x7f" + varint(len(value) - 127)) + value.encode()


def varint(number):
    out = b""
    while number >= 128:
        out += bytes([number % 128 + 128])
        number //= 128
    return out + bytes([number])


def http_2(lab, connections=6, streams=100):
    """Halves of events on many streams, as fast as the server's windows allow, for some seconds."""
    before, lock = lab.memory(), threading.Lock()
    stop_at = time.monotonic() + 12
    open_connections = []

    def one(_):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        raw = socket.create_connection((lab.host, lab.port), 10)
        secure = context.wrap_socket(raw, server_hostname="localhost")
        with lock:
            open_connections.append(secure)
        secure.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0))
        fields = [(":method", "POST"), (":scheme", "https"), (":authority", f"localhost:{lab.port}"), (":path", "/api/stripe/webhook"), ("stripe-signature", forged()), ("content-length", str(EVENT))]
        head = b"".join(literal(name, value) for name, value in fields)
        windows = {2 * number + 1: 65_535 for number in range(streams)}
        left = dict.fromkeys(windows, HALF)
        window, initial, buffer, sent = 65_535, 65_535, b"", 0
        secure.sendall(b"".join(frame(1, 4, stream, head) for stream in windows))
        secure.settimeout(0.05)
        while time.monotonic() < stop_at:
            try:
                received = secure.recv(65_536)
                if not received:
                    break
                buffer += received
            except (TimeoutError, ssl.SSLWantReadError):
                pass
            except OSError:
                break
            while len(buffer) >= 9:
                length = int.from_bytes(buffer[:3], "big")
                if len(buffer) < 9 + length:
                    break
                kind, flags, stream = buffer[3], buffer[4], int.from_bytes(buffer[5:9], "big") & 0x7FFFFFFF
                payload, buffer = buffer[9 : 9 + length], buffer[9 + length :]
                if kind == 4 and not flags & 1:
                    for at in range(0, length, 6):
                        if payload[at : at + 2] == b"\0\4":
                            new = int.from_bytes(payload[at + 2 : at + 6], "big")
                            for key in windows:
                                windows[key] += new - initial
                            initial = new
                    secure.sendall(frame(4, 1, 0))
                elif kind == 8 and stream == 0:
                    window += int.from_bytes(payload, "big")
                elif kind == 8 and stream in windows:
                    windows[stream] += int.from_bytes(payload, "big")
                elif kind in (1, 3):  # answered or reset
                    left.pop(stream, None)
            for stream in list(left):
                size = min(16_384, left[stream], windows[stream], window)
                if size <= 0:
                    continue
                try:
                    secure.sendall(frame(0, 0, stream, b"x" * size))
                except OSError:
                    return sent
                left[stream] -= size
                windows[stream] -= size
                window -= size
                sent += size
        return sent

    peak = []
    watching = threading.Thread(target=lambda: [peak.append(lab.memory()) or time.sleep(0.2) for _ in range(60)])
    watching.start()
    results = shared.at_once(connections, one)
    watching.join()
    for connection in open_connections:
        connection.close()
    sent = sum(result for result in results if isinstance(result, int)) / 1e6
    failures = [repr(result) for result in results if not isinstance(result, int)]
    lab.tell(f"HTTP/2, {connections} connections of {streams} streams: sent", sent, "MB")
    if failures:
        lab.tell("HTTP/2: ended with", failures[0])
    lab.tell("HTTP/2: memory before and at most", f"{before:.0f} -> {max(peak):.0f}", "MB")
    lab.aim("HTTP/2: more memory", max(peak) - before, "MB", at_most=40)


def main():
    given = shared.arguments()
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(allowed, 2_600), allowed))
    missed = 0
    with Lab(PROXY, binary=given.binary, stripe=True) as lab:
        crowd_of_events(lab, "135 events of 15,000 empty signatures", lambda: f"t={int(time.time())}" + ",v1=" * 14_990)
        missed, lab.missed = missed + lab.missed, 0
    # The worst case: each from a network of its own, and nobody is limited by what failed before.
    with Lab(PROXY, binary=given.binary, stripe=True) as lab:
        crowd_of_events(lab, "135 events of 8 whole signatures", forged)
        missed, lab.missed = missed + lab.missed, 0
    for networks in (1, 100):
        with Lab("[stripe]\nwebhook_secret = 'whsec_test'\n" + PROXY, binary=given.binary) as lab:
            halves(lab, f"400 halves from {networks} network(s)", networks)
            missed, lab.missed = missed + lab.missed, 0
    for networks in (4, 200):
        with Lab(PROXY, binary=given.binary) as lab:
            half_forms(lab, networks)
            missed, lab.missed = missed + lab.missed, 0
    with Lab(binary=given.binary) as lab:
        shared.stop(lab.server)
        made = subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "own.key", "-out", "own.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
            cwd=lab.folder, capture_output=True,
        )
        if made.returncode != 0:
            print("HTTP/2: left out, as openssl made no certificate")
        else:
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            lab.config = (
                f"public_url = 'https://localhost'\n[tls]\nlisten = '127.0.0.1:{port}'\nhttp_listen = ''\ncertificate = 'own.pem'\nprivate_key = 'own.key'\n"
                "[stripe]\nwebhook_secret = 'whsec_test'\n[limits]\nwrites_per_minute = 0\n"
            )
            start_https(lab, port)
            http_2(lab)
            missed, lab.missed = missed + lab.missed, 0
    raise SystemExit(1 if missed else 0)


def start_https(lab, port):
    (lab.folder / "config.toml").write_text(lab._whole_config())
    log = open(lab.folder / "server.log", "ab")
    lab.server = subprocess.Popen(
        [shared.find_binary(lab.binary), "serve"], cwd=lab.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, env=shared.clean_environment()
    )
    lab.processes.append(lab.server)
    lab.host, lab.port = "127.0.0.1", port
    for _ in range(200):
        try:
            lab.connect(timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("The server ended: " + lab.log()[-2000:])


if __name__ == "__main__":
    main()
