"""Runs wrk (https://github.com/wg/wrk) with load.lua."""

import json
import os
import pathlib
import subprocess

SCRIPT = pathlib.Path(__file__).with_name("load.lua")


def wrk(server, path, seconds, connections, headers=(), **settings):
    """Loads a path of a server with one thread, so that the server has the other core. Returns what load.lua prints, and
    the CPU microseconds a request of all the server's processes."""
    environment = os.environ | {f"BENCH_{key.upper()}": str(value) for key, value in settings.items()}
    options = ["-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "30s", "-s", SCRIPT]
    options += [part for header in headers for part in ("-H", header)]
    cpu = server.cpu()
    done = subprocess.run(["wrk", *options, f"http://127.0.0.1:{server.port}{path}"], env=environment, check=True, capture_output=True, text=True)
    cpu = server.cpu() - cpu
    figures = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
    figures["rate"] = figures["requests"] / figures["seconds"]
    figures["cpu"] = cpu / max(figures["requests"], 1) * 1e6
    return figures
