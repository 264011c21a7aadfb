"""Serves the console from its source files, below a path, and passes everything else on to a gateway.

To work on the console without building: start a gateway, then
`python3 Tests/Conformance/console/dev_server.py --gateway http://127.0.0.1:2197`, and open the address that it prints.
The tests use it as a reverse proxy (`--built` takes the console from the gateway too).
"""
from __future__ import annotations

import argparse
import http.client
import http.server
import mimetypes
from pathlib import Path
from urllib.parse import urlsplit

WEB = Path(__file__).resolve().parents[3] / "Sources/Console/Web"
VERSION = "console/dev"
# Fields of one connection are not passed on (RFC 9110 §7.6.1), and neither are the fields that the server writes itself.
NOT_PASSED = {"connection", "keep-alive", "transfer-encoding", "te", "upgrade", "content-length", "date", "server"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    gateway = "http://127.0.0.1:2197"
    prefix = "/"
    built = False

    def handle_any(self) -> None:
        if not self.path.startswith(self.prefix):
            return self.answer(404, "text/plain", b"The console is at " + self.prefix.encode() + b"\n")
        path = "/" + self.path.removeprefix(self.prefix)
        if not self.built:
            if path == "/":
                return self.answer(200, "text/html; charset=utf-8", self.page())
            if path.startswith(f"/{VERSION}/"):
                return self.file(path.removeprefix(f"/{VERSION}/"))
        self.forward(path)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = handle_any

    def page(self) -> bytes:
        return (WEB / "index.html").read_text().replace("{{base}}", VERSION).replace("{{preloads}}", "").encode()

    def file(self, name: str) -> None:
        path = (WEB / name.split("?")[0]).resolve()
        if not path.is_relative_to(WEB) or not path.is_file():
            return self.answer(404, "text/plain", b"no such file\n")
        kind = "text/javascript" if path.suffix == ".js" else mimetypes.guess_type(path.name)[0] or "text/plain"
        self.answer(200, kind, path.read_bytes())

    def answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in [("content-type", kind), ("content-length", str(len(body))), ("cache-control", "no-store")]:
            self.send_header(name, value)
        try:
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            # The page was loaded again meanwhile.
            self.close_connection = True

    def forward(self, path: str) -> None:
        address = urlsplit(self.gateway)
        connection = http.client.HTTPConnection(address.hostname or "127.0.0.1", address.port)
        body = self.rfile.read(int(self.headers.get("content-length") or 0)) or None
        fields = {name: value for name, value in self.headers.items() if name.lower() not in NOT_PASSED | {"host", "origin"}}
        fields["host"] = address.netloc
        if "origin" in self.headers:
            fields["origin"] = self.gateway
        try:
            connection.request(self.command, path, body, fields)
            answer = connection.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in NOT_PASSED:
                    self.send_header(name, value)
            self.send_header("connection", "close")
            self.end_headers()
            while piece := answer.read1(65536):
                self.wfile.write(piece)
        except (BrokenPipeError, ConnectionError):
            pass
        finally:
            connection.close()
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


def serve(gateway: str, port: int = 0, prefix: str = "/pushpit/", built: bool = False) -> http.server.ThreadingHTTPServer:
    kind = type("ConsoleHandler", (Handler,), {"gateway": gateway, "prefix": prefix, "built": built})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), kind)
    server.daemon_threads = True
    return server


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gateway", default=Handler.gateway)
    parser.add_argument("--port", type=int, default=8025)
    parser.add_argument("--prefix", default="/pushpit/")
    parser.add_argument("--built", action="store_true", help="take the console from the gateway too")
    given = parser.parse_args()
    server = serve(given.gateway, given.port, given.prefix, given.built)
    print(f"http://127.0.0.1:{server.server_port}{given.prefix}", flush=True)
    server.serve_forever()
