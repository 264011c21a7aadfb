"""Starts and stops the gateway for the measuring scripts, signs tokens for it, and reads what a process has used."""

import base64
import http.client
import json
import os
import re
import socket
import subprocess
import time
import urllib.parse
import urllib.request
from pathlib import Path

BINARY = Path(__file__).resolve().parent.parent / ".build/release/pushpit"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.01)
    raise SystemExit(f"nothing listens on port {port}")


# Under a profiler everything is slow. With longer turns, a turn does as much work as in a gateway without a profiler.
UNDER_A_PROFILER = {"SWIFT_DETERMINISTIC_HASHING": "1", "PUSHPIT_TURN_TIME": "10s"}


def start_gateway(
    binary: Path, directory: Path, port: int, *more: str | Path, under: tuple[str | Path, ...] = ()
) -> subprocess.Popen[bytes]:
    """Returns when it is ready. `under` is a program that runs it, with its options."""
    gateway = subprocess.Popen(
        [*under, binary, "--listen", f"127.0.0.1:{port}", "--certs", directory / "certs", "--log-level", "none",
         "--drain-timeout", "1s", *more],
        stdout=subprocess.DEVNULL, env=os.environ | UNDER_A_PROFILER if under else None)
    end = time.monotonic() + 60
    while time.monotonic() < end and gateway.poll() is None:
        if is_ready(port):
            return gateway
        time.sleep(0.01)
    gateway.kill()
    gateway.wait()
    raise SystemExit(f"the gateway did not start: {binary}")


def start_nghttpd(directory: Path, port: int) -> subprocess.Popen[bytes]:
    """One thread that answers from files in `www`, whatever the method is."""
    certs = directory / "certs"
    server = subprocess.Popen(
        ["nghttpd", "-n1", "-d", directory / "www", str(port), certs / "server-key.pem", certs / "server.pem"],
        stdout=subprocess.DEVNULL)
    wait_for(port)
    return server


def start_nginx(directory: Path, port: int) -> subprocess.Popen[bytes]:
    """One worker that answers 200 to everything."""
    (directory / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {directory}/nginx.pid; error_log stderr crit;\n"
        f"events {{ worker_connections 1024; }}\n"
        f"http {{ access_log off; keepalive_requests 1000000000; client_body_temp_path {directory}/temp;\n"
        f"server {{ listen 127.0.0.1:{port}; location / {{ default_type application/json; return 200 '{{}}'; }} }} }}\n")
    server = subprocess.Popen(
        ["nginx", "-p", directory, "-c", directory / "nginx.conf"], stdout=subprocess.DEVNULL)
    wait_for(port)
    return server


def is_ready(port: int) -> bool:
    """The gateway listens before it has its credentials, so an open port does not mean that it is ready."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def stop(server: subprocess.Popen) -> None:
    server.terminate()
    server.wait(60)


def cpu_seconds(pid: int) -> float:
    """The CPU time of all threads, from the scheduler's nanoseconds if the kernel has them, otherwise from ticks."""
    try:
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
    except FileNotFoundError:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) * 1024


def signed(head: dict, claims: dict, key: Path | str) -> str:
    def part(content: bytes) -> bytes:
        return base64.urlsafe_b64encode(content).rstrip(b"=")
    message = b".".join(part(json.dumps(content).encode()) for content in (head, claims))
    signature = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", key], input=message, capture_output=True, check=True).stdout
    return (message + b"." + part(signature)).decode()


def provider_token(certs: Path) -> str:
    """Signed with a key that the gateway knows, so it verifies the signature (once for each connection)."""
    apns = json.loads((certs / "pushpit.json").read_text())["apns"]
    return signed({"alg": "ES256", "kid": apns["keyId"]}, {"iss": apns["teamId"], "iat": int(time.time())}, apns["key"])


def bearer(certs: Path, port: int) -> str:
    """An access token that the gateway issued itself."""
    account = json.loads((certs / "service-account.json").read_text())
    key = certs / "account-key.pem"
    key.write_text(account["private_key"])
    now = int(time.time())
    claims = {"iss": account["client_email"], "scope": "https://www.googleapis.com/auth/firebase.messaging",
              "aud": "https://oauth2.googleapis.com/token", "iat": now, "exp": now + 3600}
    form = {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": signed({"alg": "RS256"}, claims, key)}
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/token", urllib.parse.urlencode(form).encode()) as answer:
        return json.load(answer)["access_token"]
