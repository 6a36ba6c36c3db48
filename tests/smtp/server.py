"""A real SMTP server for the tests (aiosmtpd): keeps each mail as a file, or answers with a given code.

Usage: server.py FOLDER [CODE]. Prints its port, then serves until it is ended.
"""

import pathlib
import sys
import time

from aiosmtpd.controller import Controller


class Keeper:
    def __init__(self, folder, code):
        self.folder, self.code, self.count = pathlib.Path(folder), code, 0

    async def handle_DATA(self, server, session, envelope):
        if self.code:
            return f"{self.code} as the test wishes"
        self.count += 1
        whole = self.folder / f"{self.count}.eml"
        partial = whole.with_suffix(".partial")
        partial.write_bytes(envelope.content)
        partial.rename(whole)
        return "250 kept"


class AnyPort(Controller):
    """Listens on a free port of the loopback address, which is then in `port`."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


controller = AnyPort(Keeper(sys.argv[1], "".join(sys.argv[2:3])), hostname="127.0.0.1", port=0, ready_timeout=60)
controller.start()
print(controller.port, flush=True)
while True:
    time.sleep(3600)
