"""The load of `tests/machine power`, and what must be there after each cut: people register, enter and pay, and a competitor
uploads photos, while the server sends the emails. Stripe and the mail server run on this machine, which keeps its power."""

import base64
import email
import email.policy
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
# The address of this machine in QEMU's network. Showcase sends emails without TLS to its own machine only, where a socket
# of systemd's passes them on.
HOST = "10.0.2.2"
SMTP_PORT = 2525
CONNECTIONS = 3
PRICE = 48_492
CHUNK = 1 << 20
UPLOADER = "competitor@example.com"

SETTINGS = """
public_url = "http://showcase-test"

[limits]
writes_per_minute = 0
sign_ins_per_minute = 0
megabytes_per_day = 0
confirmations_per_day = 0
mails_per_hour = 0
unpaid_payments_per_network = 0
unpaid_payments = 0

[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
connections = {connections}
from = "Showcase <hello@example.com>"

[stripe]
secret_key = "sk_test_51StandIn"
publishable_key = "pk_test_51StandIn"
webhook_secret = "whsec_stand_in"
api_base = "{stripe}"
"""

# Each row begins with what it is: soundness, a registration, an entry, an email, a photo, a payment that has no entry.
FOUND = """
select 'sound', integrity_check from pragma_integrity_check;
select 'registration', email from waitlist_signups union all select 'registration', email from sponsor_inquiries;
select 'entry', email, payment_status, ifnull(stripe_payment_intent_id, '') from competition_entries;
select 'email', message_id, state, cause, recipient from outbox;
select 'photo', width from media where slot = 'left';
select 'finding', intent_id from payment_findings;
"""


class Outside:
    """Stripe's stand-in and a mail server, on this machine."""

    def __init__(self, folder):
        self.mails = folder / "mails"
        self.mails.mkdir()
        self.read, self.accepted = set(), []
        environment = os.environ | {"PYTHONPATH": str(ROOT / "target/test-python")}
        if not (ROOT / "target/test-python/aiosmtpd").exists():
            sys.exit("The mail server is missing: run tests/install first.")
        self.mail = subprocess.Popen([sys.executable, ROOT / "tests/smtp/server.py", self.mails], env=environment, stdout=subprocess.PIPE, text=True)
        self.mail_port = int(self.mail.stdout.readline())
        self.stripe = subprocess.Popen(["node", ROOT / "tests/stripe/stand-in.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.origin = self.stripe.stdout.readline().strip()

    def stop(self):
        for process in (self.mail, self.stripe):
            process.kill()
            process.wait()

    def control(self, name, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.origin}/control/{name}", data=data, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def emails(self):
        """Every email that was accepted: its id, its recipient and its text."""
        for file in sorted(self.mails.glob("*.eml")):
            if file not in self.read:
                self.read.add(file)
                message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
                self.accepted.append((message["message-id"], message["to"], message.get_body(("plain",)).get_content()))
        return self.accepted


def prepare(machine, outside):
    """The settings, the way to the mail server, and content whose portal is open."""
    port = outside.origin.rpartition(":")[2]
    settings = SETTINGS.format(smtp=SMTP_PORT, connections=CONNECTIONS, stripe=f"http://{HOST}:{port}")
    units = {
        "mail-relay.socket": f"[Socket]\nListenStream=127.0.0.1:{SMTP_PORT}\n[Install]\nWantedBy=sockets.target\n",
        "mail-relay.service": f"[Service]\nExecStart=/lib/systemd/systemd-socket-proxyd {HOST}:{outside.mail_port}\n",
    }
    for name, unit in units.items():
        machine.run(f"cat >/etc/systemd/system/{name} <<'END'\n{unit}END")
    # `public_url` is not in a section, so it comes first.
    machine.run(f"cd /etc/showcase && cat >new.toml <<'END'\n{settings}END\ncat config.toml new.toml >both.toml && sed -n '/^public_url/p' both.toml >first.toml")
    machine.run("cd /etc/showcase && (cat first.toml; grep -v ^public_url both.toml) >config.toml && rm new.toml both.toml first.toml")
    machine.run("systemctl daemon-reload && systemctl enable --now mail-relay.socket && systemctl restart showcase")
    machine.wait_until_ready(240)
    machine.run("cd /var/lib/showcase && showcase content export --default | sed s/2026/2056/g | showcase content import -")
    end = time.monotonic() + 240
    while "March 1, 2056" not in Client(machine).send("GET", "/competition")[2]:
        if time.monotonic() > end:
            raise TimeoutError("the content with the open portal was not published")
        time.sleep(0.5)
    outside.control("target", {"url": f"http://127.0.0.1:{machine.http_port}/api/stripe/webhook"})


class PowerIsGone(Exception):
    """A request got no answer."""


class Client:
    """One person's requests, each sent once."""

    def __init__(self, machine):
        self.machine, self.cookie = machine, None

    def send(self, method, path, data=b"", headers=None):
        headers = (headers or {}) | ({"Cookie": self.cookie} if self.cookie else {})
        request = urllib.request.Request(f"http://127.0.0.1:{self.machine.http_port}{path}", data=data or None, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.headers, refused.read().decode()
        except Exception as lost:  # no answer, or half of one
            raise PowerIsGone(str(lost)) from lost

    def post(self, path, body, expected):
        status, headers, text = self.send("POST", path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        if status != expected:
            raise RuntimeError(f"{path}: {status} {text}")
        return headers, text


def entry(address):
    return {
        "name": "Ada Sample", "email": address, "phone": "+1 201-555-0101", "businessName": "Sample Studio", "location": "Jersey City, NJ",
        "taxLocation": "new-york", "primaryCategory": "lash-extensions", "subCategory": "Volume", "additionalCategories": 0,
        "agreementTerms": True, "agreementMedia": True,
    }  # fmt: skip


def enter(client, outside, address, stays=True):
    """Pays an entry. Whoever does not stay closes the browser once the money has moved."""
    form = entry(address)
    asked = {"amount": PRICE, "competitionData": {}, "entry": form}
    intent = json.loads(client.post("/api/create-competition-payment-intent", asked, 200)[1])["clientSecret"].split("_secret_")[0]
    outside.control("pay", {"payment_intent": intent, "outcome": "succeed"})
    if not stays:
        return False
    saved = json.loads(client.post("/api/competition-entries", form | {"paymentAmount": PRICE, "stripePaymentIntentId": intent}, 201)[1])
    if saved["paymentStatus"] != "paid":
        raise RuntimeError(f"{address} is {saved['paymentStatus']}")
    return True


def sign_in(client, outside):
    """Signs the competitor in by the link in an email; returns the id of the nomination."""
    known = len(outside.emails())
    client.post("/api/artist/links", {"email": UPLOADER}, 202)
    end = time.monotonic() + 300
    while time.monotonic() < end:
        for _, recipient, text in outside.emails()[known:]:
            found = re.search(r"/artist-portal#([\w-]+)", text)
            if recipient == UPLOADER and found:
                headers, _ = client.post("/api/artist/session", {"token": found[1]}, 204)
                client.cookie = headers["set-cookie"].split(";")[0]
                return json.loads(client.send("GET", "/api/artist/nominations")[2])["items"][0]["id"]
        time.sleep(0.2)
    raise TimeoutError("no email with a link")


def picture(width, chance):
    """A PNG of two chunks, because noise cannot be compressed. Its width tells it from the others."""
    height = 700
    rows = b"".join(b"\0" + (chance.randbytes(3 * width) if row < 400 else bytes(3 * width)) for row in range(height))

    def part(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + part(b"IDAT", zlib.compress(rows, 1)) + part(b"IEND", b"")


def upload(client, nomination, width, chance):
    file = picture(width, chance)
    pairs = {"nomination": str(nomination), "slot": "left", "filename": "photo.png"}
    metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in pairs.items())
    tus = {"Tus-Resumable": "1.0.0"}
    status, headers, text = client.send("POST", "/api/artist/uploads", headers=tus | {"Upload-Length": str(len(file)), "Upload-Metadata": metadata})
    if status != 201:
        raise RuntimeError(f"an upload: {status} {text}")
    for offset in range(0, len(file), CHUNK):
        chunk = tus | {"Content-Type": "application/offset+octet-stream", "Upload-Offset": str(offset)}
        status, _, text = client.send("PATCH", headers["location"], file[offset : offset + CHUNK], chunk)
        if status != 204:
            raise RuntimeError(f"a chunk: {status} {text}")


class Load:
    """What people do until the power goes, and what they were told."""

    def __init__(self, machine, outside, session, cut, seed):
        self.machine, self.outside, self.session, self.cut, self.seed = machine, outside, session, cut, seed
        self.lock, self.ended, self.numbers = threading.Lock(), threading.Event(), 0
        self.registered, self.paid, self.photos, self.begun_photo = [], [], [], 0

    def work(self, what):
        try:
            while not self.ended.is_set():
                what()
        except PowerIsGone:
            pass

    def tasks(self):
        return [self.register] * 4 + [self.enter] * 2 + [self.upload]

    def number(self):
        with self.lock:
            self.numbers += 1
            return self.numbers

    def register(self):
        number = self.number()
        address, client = f"person-{self.cut}-{number}@example.com", Client(self.machine)
        if number % 4:
            client.post("/api/waitlist-signups", {"name": "Ada Sample", "email": address, "wantToCompete": False}, 201)
        else:
            client.post("/api/sponsor-inquiries", {"company": "Sample", "email": address, "interest": "booth"}, 201)
        self.registered.append(address)

    def enter(self):
        number = self.number()
        address = f"entrant-{self.cut}-{number}@example.com"
        if enter(Client(self.machine), self.outside, address, stays=number % 3 > 0):
            self.paid.append(address)

    def upload(self):
        # Different from the photos before, and narrower than what the server makes smaller.
        self.begun_photo = 901 + (20 * self.cut + len(self.photos)) % 1600
        client, nomination = self.session
        upload(client, nomination, self.begun_photo, random.Random(f"{self.seed}-{self.begun_photo}"))
        self.photos.append(self.begun_photo)

    def begun(self):
        return self.registered and self.paid and self.photos


class Books:
    """What all people were told in all cuts."""

    def __init__(self):
        self.registered, self.paid, self.photo, self.cuts = set(), {UPLOADER}, None, 0
        self.photos = self.doubled = 0

    def add(self, load):
        self.cuts += 1
        self.registered |= set(load.registered)
        self.paid |= set(load.paid)
        self.photos += len(load.photos)
        # The last one whose end was answered, or the one after it, which may have arrived without an answer.
        last = load.photos[-1] if load.photos else self.photo and self.photo[0]
        self.photo = (last, load.begun_photo)

    def settle(self, machine, outside):
        """Lets everything happen that waits: Stripe's events, what nobody heard of, and emails."""
        outside.control("redeliver", {})
        outside.control("idle", {})
        machine.run("cd /var/lib/showcase && showcase payments reconcile")
        end = time.monotonic() + 600
        while machine.sql("select count(*) from outbox where state = 'waiting'") != "0":
            if time.monotonic() > end:
                raise TimeoutError("emails are still waiting:\n" + machine.sql("select cause, attempts, last_error from outbox where state = 'waiting' limit 5"))
            time.sleep(1)

    def compare(self, machine, outside):
        """Everything that is not so; and what is there."""
        found = {name: [] for name in ("sound", "registration", "entry", "email", "photo", "finding")}
        for row in machine.sql(FOUND).splitlines():
            name, *cells = row.split("|")
            found[name].append(cells)
        wrong = []

        def expect(what, difference):
            if difference:
                wrong.append(f"{what}: {sorted(difference)[:10]}")

        def twice(values):
            values = list(values)
            return {value for value in values if values.count(value) > 1}

        if found["sound"] != [["ok"]]:
            wrong.append(f"the database: {found['sound'][:5]}")
        stored = [address for (address,) in found["registration"]]
        expect("answered with 201 and lost", self.registered - set(stored))
        expect("stored twice", twice(stored))

        paid = {intent: address for address, status, intent in found["entry"] if status == "paid"}
        expect("answered as paid and not paid", self.paid - set(paid.values()))
        expect("paid twice", twice(paid.values()))
        taken = {one["id"] for one in outside.control("state")["intents"] if one["status"] == "succeeded"}
        expect("paid at Stripe, without a paid entry", taken - set(paid))
        expect("a paid entry that is not paid at Stripe", set(paid) - taken)
        expect("a payment without an entry", {intent for (intent,) in found["finding"]})

        confirmed = [recipient for _, _, cause, recipient in found["email"] if cause.startswith("confirmation/")]
        expect("without a confirmation", {*stored, *paid.values()} - set(confirmed))
        expect("confirmed twice, or without a registration", twice(confirmed) | (set(confirmed) - {*stored, *paid.values()}))
        accepted = [identity for identity, _, _ in outside.emails()]
        expect("emails that are not sent", {cause for _, state, cause, _ in found["email"] if state != "sent"})
        expect("recorded as sent and never accepted", {identity for identity, *_ in found["email"]} - set(accepted))
        expect("sent and not recorded", set(accepted) - {identity for identity, *_ in found["email"]})
        # Whether an email was accepted when the power went, the server cannot know: it is sent again under the same id.
        self.doubled = len(accepted) - len(set(accepted))
        if self.doubled > CONNECTIONS * self.cuts:
            wrong.append(f"{self.doubled} emails were sent twice in {self.cuts} cuts")

        widths = [int(width) for (width,) in found["photo"]]
        if self.photo[0] and widths not in [[it] for it in self.photo]:
            wrong.append(f"the photo is {widths} wide instead of one of {self.photo}")
        return wrong, {"registered": len(stored), "paid": len(paid), "emails": len(set(accepted))}
