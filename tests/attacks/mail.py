"""Mail bombs through the forms (findings F2 and F8): one victim from one address, from a network and from 600 networks;
a flood of different recipients; a stranger's words in a confirmation. About two minutes."""

import time

from lab import Lab, arguments, at_once

GIVEN = arguments(networks=600, network_requests=400, flood=1500)
VICTIM = "victim@example.net"
PROXY = "[proxy]\ntrusted = ['127.0.0.1']\n"


def sign_up(lab, address, email, **more):
    body = {"name": "Ada Sample", "email": email, **more}
    return lab.fetch("POST", "/api/waitlist-signups", body, {"x-forwarded-for": address}).status


def settle(lab, seconds=60):
    """Waits until the outbox stands still."""
    before = None
    for _ in range(seconds):
        now = lab.sql("select state, count(*) from outbox group by state")
        if now == before:
            return
        before = now
        time.sleep(1)


def to_victim(lab):
    settle(lab)
    return sum(recipient.split("+")[0].lower().startswith("victim") for _, recipient, _ in list(lab.sink.mails))


with Lab(PROXY, GIVEN.binary, mail=True) as lab:
    answers = [sign_up(lab, "198.51.100.1", VICTIM) for _ in range(60)]
    lab.tell("one address, 60 requests: taken", answers.count(201))
    lab.aim("mails to the victim", to_victim(lab), at_most=2)
    answers = at_once(GIVEN.network_requests, lambda index: sign_up(lab, f"203.0.113.{index % 250}", f"Victim+{index}@example.net"))
    lab.tell(f"one network, {GIVEN.network_requests} requests at once under other tags: taken", answers.count(201))
    answers = []
    for start in range(0, GIVEN.networks, 100):
        count = min(100, GIVEN.networks - start)
        answers += at_once(count, lambda index: sign_up(lab, f"10.{(start + index) // 250}.{(start + index) % 250}.1", VICTIM))
    lab.tell(f"{GIVEN.networks} networks, a request each: taken", answers.count(201))
    lab.aim("all of it answered alike", len({answer for answer in answers if answer != 201}), "other statuses", at_most=0)
    for kind, more in [
        ("sponsor-inquiries", {"company": "Sample Brand", "interest": "booth"}),
        ("judge-applications", {
            "name": "Ada Sample", "phone": "+1 201-555-0101", "company": "Sample Studio", "expertise": "makeup", "experience": "e" * 50,
            "availability": "both-days", "termsAccepted": True, "photographyConsent": True}),
    ]:
        for index in range(20):
            lab.fetch("POST", f"/api/{kind}", {"email": VICTIM, **more}, {"x-forwarded-for": f"192.0.{index}.1"})
    lab.aim("mails to the victim in all", to_victim(lab), at_most=5)
    held = lab.sql("select count(*) from waitlist_signups where set_aside_reason = 'repeated_address'")[0][0]
    lab.tell("sign-ups held for review", held)

# A stranger's words.
with Lab(PROXY + "[limits]\nconfirmations_per_day = 0\n", GIVEN.binary, mail=True) as lab:
    bait = "Your parcel is held! Pay the 2.99 fee now: https://evil.example/pay?id=1"
    sign_up(lab, "198.51.100.1", VICTIM, name=bait)
    sign_up(lab, "198.51.100.1", VICTIM, name="Your parcel is held, pay at evil.com")
    sign_up(lab, "198.51.100.1", VICTIM, categories="https://evil.example/pay")
    message = "Pay now. " * 1000 + "https://evil.example/1"
    for company in ["Lashes.com", "https://evil.example/", bait]:
        body = {"company": company, "email": VICTIM, "interest": "booth", "message": message}
        lab.fetch("POST", "/api/sponsor-inquiries", body, {"x-forwarded-for": "198.51.100.1"})
    settle(lab)
    import email

    parts = [
        part.get_payload(decode=True).decode()
        for _, _, text in lab.sink.mails
        for part in email.message_from_string(text).walk()
        if part.get_content_maintype() == "text"
    ]
    lab.aim("mails of six hostile forms", len(lab.sink.mails), at_most=2)
    lab.aim("mails with a stranger's link", sum("evil.example" in part or "evil.com" in part for part in parts), at_most=0)
    lab.aim("longest mail text", max(map(len, parts)), "characters", at_most=12_000)

# A flood of other people's addresses: the ceiling of an hour, the alarm, and a mail that must not wait.
with Lab("[limits]\nwrites_per_minute = 0\nmails_per_hour = 300\n[reports]\nrecipient = 'office@example.com'\n", GIVEN.binary, mail=True) as lab:
    lab.sink.delay = 0.02
    for start in range(0, GIVEN.flood, 100):
        at_once(100, lambda index: sign_up(lab, "127.0.0.1", f"p{start + index}@example.com"))
    deadline = time.monotonic() + 60
    while len(lab.sink.mails) < 301 and time.monotonic() < deadline:
        time.sleep(0.5)
    time.sleep(2)
    recipients = [recipient for _, recipient, _ in lab.sink.mails]
    lab.aim("mails of the flood that left", sum(recipient != "office@example.com" for recipient in recipients), at_most=300)
    lab.aim("alarms to the organiser", recipients.count("office@example.com"), at_least=1, at_most=1)
    lab.tell("connections to the mail server at once", lab.sink.most_at_once)
    seconds = lab.sink.mails[299][0] - lab.sink.mails[0][0]
    lab.tell("mails a second with 20 ms each at the mail server", 299 / seconds)
    lab.aim("mails sent twice", len(recipients) - len(set(recipients)), at_most=0)
    cookie = lab.sign_in()
    began = time.monotonic()
    status = lab.fetch("POST", "/api/export/send-daily-report", headers=cookie).status
    lab.aim(f"a report behind {GIVEN.flood - 300} held mails ({status})", time.monotonic() - began, "s", at_most=5)
