"""What the tests of CTrace and CPreload share: a gateway, and real clients that connect to it as to a push host."""
from __future__ import annotations

import socketserver
import ssl
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from threading import Thread
from typing import Any

SOURCES = Path(__file__).resolve().parents[3] / "Sources"
PATIENCE = 30
ADDRESS = "127.80.80.72"
HOST = "api.push.apple.com"
HOSTS = f"127.0.0.1 localhost\n{ADDRESS} {HOST}\n::ffff:{ADDRESS} {HOST}\n"
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
PRELUDE = f"""import asyncio, ctypes, fcntl, os, signal, socket, threading
from concurrent.futures import ThreadPoolExecutor
HOST, ADDRESS, BUNDLE = {HOST!r}, {ADDRESS!r}, {BUNDLE!r}
read = lambda path, **more: open(path, **more).read()
libc = ctypes.CDLL(None, use_errno=True)
"""
# What a Python command does with the gateway, and what it prints.
CLIENTS = {
    "threads": ("""
greeting = lambda _: socket.create_connection((HOST, 443)).makefile().readline()
with ThreadPoolExecutor(50) as pool: print(set(pool.map(greeting, range(500))))""", "{'gateway\\n'}"),
    "asyncio": ("""
async def greeting(_):
    reader, writer = await asyncio.open_connection(HOST, 2197)
    return await reader.readline()
async def main(): print(set(await asyncio.gather(*map(greeting, range(50)))))
asyncio.run(main())""", "{b'gateway\\n'}"),
    "mapped address": ("""
(s := socket.socket(socket.AF_INET6)).connect(("::ffff:" + ADDRESS, 443))
print(s.recv(9), s.getblocking(), s.getpeername()[0])""", "b'gateway\\n' True ::ffff:127.0.0.1"),
    "other ports and addresses": ("""
for a in (ADDRESS, 443), (ADDRESS, 444), ("127.80.80.73", 443): print(socket.socket().connect_ex(a))""", "0\n111\n111"),
    "other kinds of sockets": ("""
(s := socket.socket(socket.AF_INET, socket.SOCK_DGRAM)).connect((ADDRESS, 443)), print(s.getpeername()[1])""", "443"),
    "signals": ("""
signal.signal(signal.SIGALRM, lambda *_: None), signal.siginterrupt(signal.SIGALRM, False)
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
print({socket.socket().connect_ex((ADDRESS, 443)) for _ in range(300)}, signal.setitimer(0, 0)[1])""", "{0} 0.0005"),
    "fast open": ("""
def greeting(send):
    (s := socket.socket()).setsockopt(socket.IPPROTO_TCP, 30, send is option)
    return send(s) and s.recv(9)
to, fast = (ADDRESS, 443), socket.MSG_FASTOPEN
sendto, sendmsg = lambda s: s.sendto(b"hi", fast, to), lambda s: s.sendmsg([b"hi"], [], fast, to)
option = lambda s: s.connect(to) or s.send(b"hi")
print({greeting(send) for send in (sendto, sendmsg, option)})""", "{b'gateway\\n'}"),
    "a thread with its own descriptors": ("""
def connect():
    libc.unshare(0x400), unshared.set(), opened.wait()
    print((s := socket.socket()).fileno() == other.fileno(), s.connect_ex((ADDRESS, 443)), s.recv(9))
unshared, opened = threading.Event(), threading.Event()
(t := threading.Thread(target=connect)).start(), unshared.wait()
other = socket.socket()
opened.set(), t.join()""", "True 0 b'gateway\\n'"),
    "look-ups": ("""
for family in socket.AF_INET, socket.AF_INET6:
    print({to[4][:2] for to in socket.getaddrinfo(HOST, 443, family)})
print(set(socket.gethostbyname_ex(HOST)[2]), socket.gethostbyname(HOST))""",
                 f"{{('{ADDRESS}', 443)}}\n{{('::ffff:{ADDRESS}', 443)}}\n{{'{ADDRESS}'}} {ADDRESS}"),
}
# More clients, for what only the supervisor can do.
TRACED_CLIENTS = {
    "caches of names": ("""
paths = "/var/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve", "/nowhere"
print([socket.socket(socket.AF_UNIX).connect_ex(path) for path in paths])""", "[111, 111, 2]"),
    "io_uring": ("print(libc.syscall(425, 1, ctypes.create_string_buffer(256)), ctypes.get_errno())", "-1 1"),
}
# Ways to open the hosts file.
HOSTS_FILES = [
    "open('/etc/hosts')", "open('//etc/./ssl/../hosts')", "ThreadPoolExecutor(1).submit(open, '/etc/hosts').result()",
    "(os.chdir('/etc'), open('hosts'))[1]", "(os.chdir('/'), open('etc/hosts'))[1]",
    "open('hosts', opener=lambda path, flags: os.open(path, flags, dir_fd=os.open('/etc', os.O_RDONLY)))",
]
# More ways to open the hosts file: the system calls themselves.
TRACED_HOSTS_FILES = [
    "os.fdopen(libc.syscall(2, b'/etc/hosts', 0)) if os.uname().machine == 'x86_64' else open('/etc/hosts')",
    "os.fdopen(libc.syscall(437, -100, b'/etc/hosts', (ctypes.c_uint64 * 3)(), 24))",
]
# Other files, and what a Python command prints about descriptors of them.
FILES = {
    "not for reading": ("print(os.read(os.open('/etc/hosts', os.O_CREAT), 999).count(b'push'))", "0"),
    "descriptors": ("""
for flags in 0, os.O_CLOEXEC: print(fcntl.fcntl(libc.open(b"/etc/hosts", flags), fcntl.F_GETFD))
one, other = (os.open(BUNDLE, os.O_RDONLY) for _ in range(2))
print(os.read(one, 9) == os.read(other, 9), fcntl.fcntl(one, fcntl.F_GETFL) & os.O_ACCMODE)""", "0\n1\nTrue 0"),
}


def make_bundles(work: Path) -> dict[str, str]:
    """Paths of bundles and other files in the directory, and what commands read there."""
    authority = (work / "ca.pem").read_text()
    for name in "certifi", "other/certifi", "other/deep":
        (work / name).mkdir(parents=True)
    (work / "link").symlink_to("other/deep")
    for name in "certifi", ".", "other/certifi":
        (work / name / "cacert.pem").write_text(name)
    return {
        BUNDLE: f"{Path(BUNDLE).read_text()}\n{authority}\n", "cacert.pem": ".",
        "certifi/cacert.pem": f"certifi\n{authority}\n",
        "link/../certifi/cacert.pem": f"other/certifi\n{authority}\n"}


def make_files() -> Path:
    """A directory with an authority, which is removed after the module's tests."""
    work = Path(unittest.enterModuleContext(tempfile.TemporaryDirectory(prefix="pushpit-exec-")))
    work.chmod(0o755)
    subprocess.run(["openssl", *"req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1".split(), "-subj",
                    f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", "ca.key", "-out", "ca.pem"],
                   cwd=work, check=True, capture_output=True)
    return work


class Gateway(socketserver.ThreadingTCPServer):
    """Greets each connection, over TLS with a page."""
    daemon_threads = True
    request_queue_size = 128
    tls: ssl.SSLContext | None = None

    def finish_request(self, request: Any, client_address: Any) -> None:
        if self.tls is None:
            return request.sendall(b"gateway\n")
        with self.tls.wrap_socket(request, server_side=True) as secure:
            secure.recv(4096)
            secure.sendall(b"HTTP/1.0 200 OK\r\n\r\ngateway\n")

    def use_tls(self, work: Path) -> None:
        self.tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.tls.load_cert_chain(work / "ca.pem", work / "ca.key")


class ExecCase(unittest.TestCase):
    """Runs commands in the way that `arguments` and `environment` of a subclass say."""

    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway(("127.0.0.1", 0), socketserver.BaseRequestHandler))
        self.addCleanup(self.gateway.shutdown)
        Thread(target=self.gateway.serve_forever, args=(0.05,), daemon=True).start()
        self.port = self.gateway.server_address[1]

    def arguments(self, *command: object) -> list[object]:
        return [*command]

    def environment(self) -> dict[str, str] | None:
        return None

    def start(self, *command: object, **settings: Any) -> subprocess.Popen[str]:
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": self.environment(),
                    **settings}
        process = subprocess.Popen([str(argument) for argument in self.arguments(*command)], **settings)
        self.enterContext(process)
        self.addCleanup(process.kill)
        return process

    def python(self, code: str, **settings: Any) -> subprocess.Popen[str]:
        return self.start(sys.executable, "-c", PRELUDE + code, **settings)

    def assert_says(self, process: subprocess.Popen[str], output: str, status: int = 0, errors: str = "") -> None:
        said = process.communicate(timeout=PATIENCE)
        with self.subTest(str(process.args[-1]).removeprefix(PRELUDE)):
            self.assertEqual((*said, process.returncode), (output, errors, status))
