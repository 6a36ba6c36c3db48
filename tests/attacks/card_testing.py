"""Stolen cards are tested on payments that nobody wants to pay. Measures how many payments one address, one network and one
internet provider can start, how many requests to the payment provider that costs, and whether a paid entry is still found."""

import json
import sqlite3
import statistics
import time
import urllib.error
import urllib.parse
import urllib.request

import lab as shared
from lab import Lab

ENTRY = {
    "name": "Ada Sample", "phone": "+1 201-555-0101", "businessName": "Sample Studio", "location": "Jersey City, NJ",
    "taxLocation": "new-york", "primaryCategory": "lash-extensions", "subCategory": "Volume", "additionalCategories": 0,
    "agreementTerms": True, "agreementMedia": True,
}
PROXY = "[proxy]\ntrusted = ['127.0.0.1']\n"


def begin(lab, address, key, **more):
    entry = {**ENTRY, "email": f"{key}@example.com", **more}
    body = {"amount": 48492, "competitionData": {}, "entry": entry}
    headers = {"idempotency-key": key, "x-forwarded-for": address}
    return lab.fetch("POST", "/api/create-competition-payment-intent", body, headers)


def save(lab, address, key, intent):
    body = {**ENTRY, "email": f"{key}@example.com", "stripePaymentIntentId": intent}
    return lab.fetch("POST", "/api/competition-entries", body, {"x-forwarded-for": address})


def payment_status(lab, address, secret):
    return lab.fetch("POST", "/api/competition-payments/status", {"clientSecret": secret}, {"x-forwarded-for": address})


def intents(lab):
    return lab.stripe_control("state")["intents"]


def provider_requests(lab, method):
    return sum(request["method"] == method and request["path"].startswith("/v1/payment_intents") for request in lab.stripe_control("requests"))


def flood(lab, what, prefix, addresses, at_most):
    """Requests one intent from each address, as fast as possible. `prefix` distinguishes the keys of several floods."""
    before = len(intents(lab))
    answers = []
    for start in range(0, len(addresses), 50):
        part = addresses[start : start + 50]
        answers += shared.at_once(len(part), lambda n: begin(lab, part[n], f"{prefix}-{start + n}"))
    statuses = [getattr(answer, "status", 0) for answer in answers]
    lab.tell(f"{what}: answers", {status: statuses.count(status) for status in sorted(set(statuses))})
    lab.aim(f"{what}: payments begun", len(intents(lab)) - before, at_most=at_most)
    return [answer.json()["clientSecret"] for answer in answers if getattr(answer, "status", 0) == 200]


def many(given):
    with Lab(PROXY, binary=given.binary, stripe=True) as lab:
        # A whole minute's allowance at once, and the part of it that is refilled meanwhile.
        flood(lab, "1 address, 120 at once", "one", ["203.0.113.7"] * 120, at_most=75)
        flood(lab, "a /24, 400 at once", "ipv4", [f"198.51.100.{n % 250}" for n in range(400)], at_most=220)
        secrets = flood(lab, "a /48, 400 at once", "ipv6", [f"2001:db8:1:{n:x}::1" for n in range(400)], at_most=220)
        before = provider_requests(lab, "GET")
        statuses = [getattr(answer, "status", 0) for answer in shared.at_once(300, lambda n: payment_status(lab, f"2001:db8:1:{n:x}::1", secrets[0]))]
        lab.tell("300 questions of a /48 about one payment: answers", {status: statuses.count(status) for status in sorted(set(statuses))})
        lab.aim("300 questions about one payment: requests to the provider", provider_requests(lab, "GET") - before, at_most=25)
        before = provider_requests(lab, "GET")
        shared.at_once(300, lambda n: payment_status(lab, f"2001:db8:2:{n:x}::1", f"pi_guess{n}_secret_x"))
        lab.aim("300 questions of a /48 about unknown payments: requests to the provider", provider_requests(lab, "GET") - before, at_most=190)
        for name, value in (("referralNote", "x"), ("secondsSpent", 0.01)):
            before = len(intents(lab))
            status = begin(lab, "192.0.2.9", f"machine-{name}", **{name: value}).status
            lab.aim(f"a machine's form ({name}, answered {status}): payments begun", len(intents(lab)) - before, at_most=0)
        honest = begin(lab, "192.0.2.10", "honest")
        lab.aim("an honest payment from another network was refused", int(honest.status != 200), at_most=0)
        return lab_missed(lab)


def failing_cards(given):
    with Lab(PROXY, binary=given.binary, stripe=True) as lab:
        lab.stripe_control("target", {"url": f"http://{lab.host}:{lab.port}/api/stripe/webhook"})
        secret = begin(lab, "203.0.113.7", "tester").json()["clientSecret"]
        intent, tried = secret.split("_secret_")[0], 0
        for _ in range(50):
            try:
                lab.stripe_control("pay", {"payment_intent": intent, "outcome": "decline"})
            except urllib.error.HTTPError:
                break
            lab.stripe_control("idle", {})
            tried += 1
        lab.aim("cards tried on one payment", tried, at_most=5)
        again = begin(lab, "203.0.113.7", "tester").json()["clientSecret"]
        lab.aim("the same form begins no other payment", int(again == secret), at_most=0)
        return lab_missed(lab)


def silent_payment(given, pending=1500):
    with Lab("[limits]\nwrites_per_minute = 0\nsign_ins_per_minute = 0\n", binary=given.binary, stripe=True) as lab:
        begin(lab, "127.0.0.1", "first")
        shared.stop(lab.server)
        made = []
        for _ in range(pending):
            form = urllib.parse.urlencode({"amount": 48492, "currency": "usd"}).encode()
            call = urllib.request.Request(f"{lab.stripe_origin}/v1/payment_intents", form, {"authorization": "Bearer sk_test_51StandIn"})
            made.append(json.loads(urllib.request.urlopen(call, timeout=60).read())["id"])
        database = sqlite3.connect(lab.folder / "showcase.db", isolation_level=None)
        database.execute("begin")
        database.execute("update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-3 minutes')")
        database.execute("create temp table form as select * from competition_entries")
        for intent in made:
            database.execute("update temp.form set id = null, email = ?1, form_key = ?1, payment_token = ?1, stripe_payment_intent_id = ?1", (intent,))
            database.execute("insert into competition_entries select * from temp.form")
        database.execute("drop table temp.form")
        database.execute("commit")
        database.close()
        lab.stripe_control("pay", {"payment_intent": made[-1], "silent": True})
        before, began = provider_requests(lab, "GET"), time.monotonic()
        lab.start()
        found = None
        while time.monotonic() - began < 300 and found is None:
            time.sleep(0.5)
            if lab.sql(f"select 1 from competition_entries where stripe_payment_intent_id = '{made[-1]}' and payment_status = 'paid'"):
                found = time.monotonic() - began
        lab.aim(f"a silent payment behind {pending} unpaid entries: found after", found or 1e9, "s", at_most=300)
        lab.aim("requests to the provider for it", provider_requests(lab, "GET") - before, at_most=60)
        return lab_missed(lab)


def shared_address(given, people=60):
    """People behind one address who enter and pay, one after the other as fast as it goes: default limits, a minute's rate."""
    with Lab(PROXY, binary=given.binary, stripe=True) as lab:
        entered, times = 0, []
        for person in range(people):
            began = time.monotonic()
            answer = begin(lab, "192.0.2.1", f"person{person}")
            if answer.status != 200:
                lab.tell("refused", answer.body[:200])
                continue
            secret = answer.json()["clientSecret"]
            payment_status(lab, "192.0.2.1", secret)
            lab.stripe_control("pay", {"payment_intent": secret.split("_secret_")[0]})
            saved = save(lab, "192.0.2.1", f"person{person}", secret.split("_secret_")[0])
            payment_status(lab, "192.0.2.1", secret)
            entered += saved.status == 201 and saved.json()["paymentStatus"] == "paid"
            times.append(time.monotonic() - began)
        lab.tell("an entry with its payment takes", statistics.median(times) * 1000, "ms")
        lab.aim(f"of {people} people behind one address entered and paid at once", entered, at_least=people)
        return lab_missed(lab)


def lab_missed(lab):
    missed, lab.missed = lab.missed, 0
    return missed


if __name__ == "__main__":
    given = shared.arguments()
    raise SystemExit(1 if sum(part(given) for part in (many, failing_cards, silent_payment, shared_address)) else 0)
