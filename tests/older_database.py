"""Makes a database as the version before the newest migration left it, with one signup for the waitlist.

    older_database.py CURRENT OLDER     CURRENT: a database of this version; its history names the migrations
"""

import pathlib
import re
import sqlite3
import sys

MIGRATIONS = pathlib.Path(__file__).parents[1] / "src/migrations"


def number(file):
    return int(re.match(r"V(\d+)__", file.name)[1])


def make(current, older):
    files = sorted(MIGRATIONS.glob("V*__*.sql"), key=number)[:-1]
    newest = number(files[-1])
    made = sqlite3.connect(older)
    made.execute("pragma foreign_keys = off")
    for file in files:
        made.executescript(file.read_text())
    with sqlite3.connect(current) as source:
        table = source.execute("select sql from sqlite_schema where name = 'refinery_schema_history'").fetchone()[0]
        rows = source.execute("select version, name, applied_on, checksum from refinery_schema_history where version <= ?", [newest])
        made.execute(table)
        made.executemany("insert into refinery_schema_history (version, name, applied_on, checksum) values (?, ?, ?, ?)", rows.fetchall())
    made.execute("insert into waitlist_signups (created_at, name, email, want_to_compete, additional_nominations) values ('2026-01-01T00:00:00.000Z', 'Ada Sample', 'ada@example.com', 0, '')")
    made.commit()
    made.close()
    return newest


if __name__ == "__main__":
    print(make(sys.argv[1], sys.argv[2]))
