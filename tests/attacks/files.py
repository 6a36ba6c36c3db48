"""Deceptive text and expensive files at the sizes of the attack: formulas behind other separators (F11), hidden
characters and user names in addresses (F15), a picture and a backup that unpack to far more than they are (F16)."""

import csv
import io
import os
import struct
import subprocess
import threading
import zipfile
import zlib

from lab import Lab, arguments, find_binary, stop

options = arguments()
MB = 1_000_000
CONFIG = "[limits]\nwrites_per_minute = 0\n"
PERSON = {"phone": "201-555-0100", "company": "Brow Studio", "expertise": "education", "speakingExperience": "experienced",
          "experience": "e" * 60, "topicProposal": "t" * 110, "termsAccepted": True, "photographyConsent": True}
SIGNS = "=+-@＝＋－＠"


def speaker(lab, number, **change):
    body = {**PERSON, "name": "Ana Example", "email": f"ana{number}@example.com", **change}
    return lab.fetch("POST", "/api/speaker-applications", body).status


def formulas(lab):
    hostile = [f"{start}{sign}HYPERLINK(1)" for start in ("", "a;", "a|", 'a";"', 'a"|"') for sign in SIGNS]
    taken = sum(speaker(lab, number, name=name) == 201 for number, name in enumerate(hostile))
    lines = "Days:\n=HYPERLINK(1)\n-cmd|' /C calc'!A0\n" + "e" * 60
    taken += speaker(lab, 999, experience=lines) == 201
    lab.aim("texts with formulas stored", taken, at_least=len(hostile) + 1)
    cookie = lab.sign_in()
    text = lab.fetch("GET", "/api/export/csv?kind=speaker-applications", headers=cookie).body.decode("utf-8-sig")
    rows = text.split("\n", 1)[1]
    for separator in ",;|\t":
        cells = [cell for row in csv.reader(io.StringIO(rows, newline=""), delimiter=separator) for cell in row]
        # A minus sign alone begins a line of a list; with a call or a reference it is a formula.
        found = [cell for cell in cells if cell and cell[0] in SIGNS and ("(" in cell or "!" in cell)]
        lab.aim(f"cells that are formulas where {separator!r} separates, of {len(cells)}", len(found), at_most=0)
    unquoted = sum(not cell.startswith('"') for cell in text.removeprefix("\ufeff").split("\r\n", 1)[0].split(","))
    lab.aim("header cells without quotes", unquoted, at_most=0)
    book = lab.fetch("GET", "/api/export/xlsx?kind=speaker-applications", headers=cookie).body
    sheets = zipfile.ZipFile(io.BytesIO(book))
    found = sum(sheets.read(name).count(b"<f>") for name in sheets.namelist() if "/sheet" in name)
    lab.aim("formula cells of the workbook", found, at_most=0)


def deceptions(lab):
    # The marks U+061C, U+200E and U+200F are dropped, not refused: phones put them into copied text.
    codes = [0xAD, 0x115F, 0x180E, 0x200B, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2060, 0x2070),
             0x2800, 0x3164, 0xFEFF, 0xFFA0, 0xE0001, *range(0xE0020, 0xE0080)]
    taken = sum(speaker(lab, 2000 + code, name=f"Ana{chr(code)}Example") == 201 for code in codes)
    lab.aim(f"names with a hidden character taken, of {len(codes)}", taken, at_most=0)
    invisible = [0x200B, 0x200C, 0x200D, 0x2060, 0x2800, 0x3164, 0xFE0F, 0x180B, 0xE0100]
    taken = sum(speaker(lab, 3000 + code, name=chr(code) * 3) == 201 for code in invisible)
    lab.aim(f"names that nobody sees taken, of {len(invisible)}", taken, at_most=0)
    honest = ["علی\u200cرضا", "ක්\u200dරිෂාන්", "葛\U000e0100城", "Zoë 👩🏽\u200d🎨", "דוד כהן", "José Ñandú", "O’Brien–Łuk"]
    taken = sum(speaker(lab, 4000 + number, name=name) == 201 for number, name in enumerate(honest))
    lab.aim("honest names taken", taken, at_least=len(honest))
    hosts = ["https://user:pw@evil.example", "https://shop.example@evil.example", "http:////u@evil.example", "https://:p@evil.example"]
    taken = sum(speaker(lab, 5000 + number, portfolio=url) == 201 for number, url in enumerate(hosts))
    lab.aim("addresses with a user name taken", taken, at_most=0)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def zeros(length):
    packer = zlib.compressobj(9)
    part = bytes(MB)
    packed = [packer.compress(part) for _ in range(length // MB)]
    return b"".join(packed) + packer.flush()


def png(width, height, depth, colour, bytes_a_row, profile=b""):
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    rows = zlib.compressobj(9)
    pixels = b"".join(rows.compress(bytes(1 + bytes_a_row)) for _ in range(height)) + rows.flush()
    extra = chunk(b"iCCP", b"p\0\0" + profile) if profile else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def measured(folder, *command, watched=None):
    """Exit code, peak resident megabytes, largest megabytes of `watched`, and what it said."""
    log = folder / "command.log"
    largest = 0
    with open(log, "wb") as out:
        process = subprocess.Popen([find_binary(options.binary), *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        done = threading.Event()

        def watch():
            nonlocal largest
            while not done.wait(0.005):
                try:
                    largest = max(largest, watched.stat().st_size)
                except OSError:
                    pass

        if watched is not None:
            threading.Thread(target=watch, daemon=True).start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        done.set()
    return process.returncode, usage.ru_maxrss / 1024, largest / MB, log.read_text(errors="replace").strip()


def pictures(lab):
    def add(name, picture):
        (lab.folder / "picture.png").write_bytes(picture)
        code, memory, _, said = measured(lab.folder, "content", "image", "add", name, "picture.png")
        lab.tell(f"{name}, {len(picture) / MB:.1f} MB", memory, f"MB of memory, exit {code}: {said[:110]}")
        return code, memory

    add("plain", png(64, 64, 8, 2, 64 * 3))
    code, memory = add("profile-of-800-mb", png(64, 64, 8, 2, 64 * 3, zeros(800 * MB)))
    lab.aim("memory for the profile", memory, "MB", at_most=120)
    lab.aim("exit code: taken without its profile", code, at_most=0)
    code, memory = add("sixteen-bits-7000-x-6000", png(7000, 6000, 16, 6, 7000 * 8))
    lab.aim("memory for pixels of 336 MB", memory, "MB", at_most=120)
    add("eight-bits-8000-x-7900", png(8000, 7900, 8, 2, 8000 * 3))


def backups(lab):
    stop(lab.server)
    database = (lab.folder / "showcase.db").read_bytes()
    huge = database[:28] + b"\xff" * 4 + database[32:]
    for name, start in (("of nothing but zeros", b""), ("of a database and then zeros", database), ("of a header that promises 17 TB", huge)):
        (lab.folder / "bomb.db.gz").write_bytes(bomb(start))
        size = (lab.folder / "bomb.db.gz").stat().st_size
        code, memory, written, said = measured(
            lab.folder, "restore", "bomb.db.gz", "--yes", watched=lab.folder / "showcase.db.restoring"
        )
        lab.tell(f"a backup {name}, {size / MB:.1f} MB", memory, f"MB of memory, exit {code}: {said[-120:]}")
        lab.aim("refused", code, at_least=1)
        lab.aim("written before it was refused", written, "MB", at_most=len(database) / MB + 1)


def bomb(start):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = [packer.compress(start)] + [packer.compress(bytes(MB)) for _ in range(2_000)]
    return b"".join(packed) + packer.flush()


with Lab(CONFIG, options.binary) as lab:
    formulas(lab)
    deceptions(lab)
    pictures(lab)
    backups(lab)
