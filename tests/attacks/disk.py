"""Filling the disk (finding F5): what a submission of 60 KB takes, what one address and one network may store in a day,
and what honest people behind the same address notice. About a minute."""

import json
import time

from lab import Lab, arguments, at_once

GIVEN = arguments(requests=600)
MEGABYTE = 1_000_000


def application(index, text):
    return {
        "company": "Sample Brand", "contactName": "Ada Sample", "email": f"p{index}@example.com", "phone": "+1 201-555-0101",
        "businessType": "equipment", "yearsFounded": "2014", "employeeCount": "11-50", "sponsorshipTier": "gold", "budgetRange": "5k-15k",
        "previousSponsorship": "no", "marketingGoals": text, "targetAudience": text, "specialRequests": text,
        "productCategories": ["Lash Extensions"], "agreementTerms": True, "agreementMarketing": True,
    }


def size(lab):
    return lab.sql("select page_count * page_size from pragma_page_count, pragma_page_size")[0][0]


def send(lab, index, address, size=20_000):
    # Two bytes each: 10,000 characters in each of three texts are the largest body that is taken.
    body = json.dumps(application(index, "\u00e9" * (size // 2)), ensure_ascii=False).encode()
    headers = {"x-forwarded-for": address, "content-type": "application/json"}
    return lab.fetch("POST", "/api/sponsor-applications", body, headers).status


def emptied(lab):
    deadline = time.monotonic() + 60
    while lab.sql("select count(*) from outbox where state = 'waiting'")[0][0] and time.monotonic() < deadline:
        time.sleep(0.5)


# The attack as it was measured: 60 applications of the default rate, their mails sent.
with Lab("[proxy]\ntrusted = ['127.0.0.1']\n", GIVEN.binary, mail=True) as lab:
    before = size(lab)
    answers = [send(lab, index, "198.51.100.1") for index in range(60)]
    emptied(lab)
    grown = size(lab) - before
    lab.aim("60 large applications with their mails: bytes each", grown / answers.count(201), "bytes", at_most=90_000)

# A day of one address and of one network, without the minute's rate.
with Lab("[proxy]\ntrusted = ['127.0.0.1']\n[limits]\nwrites_per_minute = 0\nmails_per_hour = 0\n", GIVEN.binary, mail=True) as lab:
    before = size(lab)
    answers = at_once(GIVEN.requests, lambda index: send(lab, index, "198.51.100.1"))
    emptied(lab)
    taken = answers.count(201)
    lab.tell(f"one address, {GIVEN.requests} large applications: taken", taken)
    lab.aim("grown by one address in a day", (size(lab) - before) / MEGABYTE, "MB", at_most=40)
    lab.aim("refused with 429", answers.count(429), at_least=1)
    for host in range(2, 12):
        at_once(GIVEN.requests, lambda index: send(lab, host * 10_000 + index, f"198.51.100.{host}"))
        if size(lab) - before > 300 * MEGABYTE:
            break
    emptied(lab)
    lab.aim("grown by one network in a day", (size(lab) - before) / MEGABYTE, "MB", at_most=200)
    began = time.monotonic()
    lab.aim("an honest sign-up from elsewhere", lab.fetch(
        "POST", "/api/waitlist-signups", {"name": "Bea Sample", "email": "bea@example.com"}, {"x-forwarded-for": "203.0.113.9"}).status,
        at_most=201)
    lab.tell("answered in", (time.monotonic() - began) * 1000, "ms")
    cookie = lab.sign_in()
    answer = lab.fetch("GET", "/api/storage", headers=cookie)
    lab.tell("the organiser sees", answer.body.decode())
    lab.aim("counting what takes the room", answer.seconds * 1000, "ms", at_most=1500)

# 500 people in one hall behind one address, thorough applications, default limits but for the minute's rate.
with Lab("[proxy]\ntrusted = ['127.0.0.1']\n[limits]\nwrites_per_minute = 0\n", GIVEN.binary, mail=True) as lab:
    answers = []
    for start in range(0, 500, 50):
        answers += at_once(50, lambda index: send(lab, start + index, "198.51.100.1", 4_000))
    lab.aim("500 people in one hall: taken", answers.count(201), at_least=500)
