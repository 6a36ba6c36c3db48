"""Guessing at the organiser's password until nobody can sign in, sessions that outlive a password, and signing out
with thousands of cookies.

120 guesses a second for 20 seconds come from a proxy that is trusted, each from an IPv6 /64 of its own: of one /48, then
of 300, then each from a /48 of its own. The organiser signs in meanwhile with the right password.
"""

import statistics
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from lab import Lab, arguments, at_once, spread

PATH = "/api/admin/session"
KNOWN = "198.51.100.7"


def sign_in(lab, address, password, source="127.0.9.1"):
    return lab.fetch("POST", PATH, {"password": password}, {"x-forwarded-for": address}, source)


def flood(lab, name, address_of, seconds, rate, aim):
    """Guesses from `address_of(index)`; meanwhile sign-ins from a known address and from fresh ones, and pages."""
    checked, refused = [], []

    def guess(index):
        # Many loopback addresses, so that no limit of connections hides the limits of sign-ins.
        answer = sign_in(lab, address_of(index), f"guess-{index}", f"127.0.{1 + index % 8}.{1 + index % 200}")
        (checked if answer.status == 401 else refused).append(answer.seconds)

    def guesses():
        with ThreadPoolExecutor(512) as pool:
            for index in range(seconds * rate):
                pool.submit(guess, index)
                time.sleep(max(0, began + (index + 1) / rate - time.monotonic()))

    cpu, began = lab.cpu(), time.monotonic()
    attacker = threading.Thread(target=guesses)
    attacker.start()
    known, fresh, pages = [], [], []
    # The line of strangers is full before the first honest one comes.
    time.sleep(2)
    for turn in range((seconds - 4) // 2):
        if not attacker.is_alive():
            break
        known.append(sign_in(lab, KNOWN, lab.password))
        fresh.append(sign_in(lab, f"2001:db8:{0xf000 + turn:x}::1", lab.password))
        pages.append(lab.fetch("GET", "/", source="127.0.9.2"))
        time.sleep(max(0, began + 4 + 2 * turn - time.monotonic()))
    attacker.join()
    took = time.monotonic() - began
    in_time = [answer.status == 204 for answer in known].count(True)
    admitted = [answer.status == 204 for answer in fresh].count(True)
    print(f"\n{name}: {len(checked)} guesses checked ({len(checked) / took:.1f}/s), {len(refused)} refused, {took:.0f} s")
    lab.tell("processor time", lab.cpu() - cpu, "s")
    lab.tell("a page meanwhile", spread([answer.seconds * 1000 for answer in pages]), "ms")
    lab.aim("known address signed in", 100 * in_time / len(known), "%", at_least=100)
    lab.aim("slowest sign-in from it", max(answer.seconds for answer in known), "s", at_most=2)
    statuses = [answer.status for answer in fresh]
    if aim is None:
        lab.tell("unknown addresses signed in", f"{admitted} of {len(fresh)} at the first try {statuses}")
    else:
        lab.aim("unknown addresses signed in at the first try", 100 * admitted / len(fresh), "%", at_least=aim)
    lab.tell("their sign-ins", spread([answer.seconds for answer in fresh]), "s")


# What it is called, the address of a guess, and how many percent of the unknown addresses should be let in at once.
FLOODS = [
    ("one /48", lambda index: f"2001:db8:1:{index:x}::1", 80),
    ("300 networks", lambda index: f"2001:db9:{index % 300:x}:{index:x}::1", 80),
    ("each guess from a network of its own", lambda index: f"2001:{0x1000 + index:x}:1::1", None),
]


def guessing(options, name, address_of, aim):
    with Lab("[proxy]\ntrusted = ['127.0.0.0/8']\n", binary=options.binary) as lab:
        assert sign_in(lab, KNOWN, lab.password).status == 204
        flood(lab, name, address_of, options.seconds, options.rate, aim)


def behind_one_address(options):
    print("\nGuests behind the organiser's own address")
    with Lab("[proxy]\ntrusted = ['127.0.0.0/8']\n", binary=options.binary) as lab:
        first = sign_in(lab, KNOWN, lab.password)
        cookies = [value.split(";")[0] for name, value in first.headers if name.lower() == "set-cookie"]
        browser = next(cookie for cookie in cookies if "showcase_browser=" in cookie)
        at_once(40, lambda index: sign_in(lab, KNOWN, f"guess-{index}"))
        other = sign_in(lab, KNOWN, lab.password)
        lab.tell("another browser there, with the right password", other.status)
        headers = {"x-forwarded-for": KNOWN, "cookie": browser}
        known = lab.fetch("POST", PATH, {"password": lab.password}, headers)
        lab.aim("a browser that has signed in before", known.status, at_least=204, at_most=204)


def outliving(options):
    print("\nA changed password in the settings")
    with Lab("", binary=options.binary) as lab:
        cookie = lab.sign_in()
        lab.restart()
        lab.aim("the session after a restart with the same password", lab.fetch("GET", "/api/outbox", headers=cookie).status, at_least=200, at_most=200)
        lab.password = "another-lab-password"
        lab.restart()
        lab.aim("the session after a restart with another", lab.fetch("GET", "/api/outbox", headers=cookie).status, at_least=401, at_most=401)


def signing_out(options):
    print("\nSigning out with 2,700 cookies")
    cookies = {"cookie": "; ".join(f"showcase_session={index:x}" for index in range(2_700))}
    with Lab("[limits]\nwrites_per_minute = 0\n", binary=options.binary) as lab:
        lab.fetch("DELETE", PATH, headers=cookies)
        cpu = lab.cpu()
        once = [lab.fetch("DELETE", PATH, headers=cookies) for _ in range(10)]
        assert {answer.status for answer in once} == {204}
        lab.aim("processor time of one", (lab.cpu() - cpu) / 10 * 1000, "ms", at_most=20)
        until, honest, done = time.monotonic() + 10, [], []

        def attacker(_):
            while time.monotonic() < until:
                done.append(lab.fetch("DELETE", PATH, headers=cookies).status)

        attack = threading.Thread(target=at_once, args=(32, attacker))
        attack.start()
        while time.monotonic() < until:
            body = {"name": "Bea Example", "email": f"bea{len(honest)}@example.com", "wantToCompete": True}
            honest.append(lab.fetch("POST", "/api/waitlist-signups", body).seconds * 1000)
            time.sleep(0.05)
        attack.join()
        lab.tell("32 clients for 10 s", f"{len(done)} sign-outs")
        lab.tell("a registration meanwhile", f"median {statistics.median(honest):.1f}", "ms")


def run(attacks):
    """Each attack to its end, whether or not the one before has missed an aim."""
    missed = False
    for attack, *given in attacks:
        try:
            attack(*given)
        except SystemExit:
            missed = True
    sys.exit(missed)


if __name__ == "__main__":
    options = arguments(seconds=20, rate=120)
    run([*((guessing, options, *attack) for attack in FLOODS), (behind_one_address, options), (outliving, options), (signing_out, options)])
