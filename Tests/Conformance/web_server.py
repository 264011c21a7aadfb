"""A web server on loopback that the gateway asks: it serves what a test sets, and keeps the requests."""
from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

PNG = b"\x89PNG\r\n\x1a\n" + bytes(1000)


@dataclass
class Page:
    body: bytes = PNG
    status: int = 200
    type: str | None = "image/png"
    fields: dict[str, str] = field(default_factory=dict)
    # Whether the length of the body is announced.
    announced: bool = True


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    fields: dict[str, str]
    body: bytes


class WebServer:
    """Runs during its `with` block. `pages` are by path; a function is called for each request, and may block."""

    def __init__(self, tls: tuple[str, str] | None = None) -> None:
        """`tls` is a certificate and its key."""
        self.pages: dict[str, Page | Callable[[Request], Page]] = {}
        self.requests: list[Request] = []
        # Ends handlers that wait for it.
        self.over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.scheme = "http"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self.scheme = "https"

    def url(self, path: str, host: str = "localhost") -> str:
        return f"{self.scheme}://{host}:{self._server.server_port}{path}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()

    def hang(self, _: Request) -> Page:
        """Never answers."""
        self.over.wait()
        return Page()

    def _handler(server) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *arguments: object) -> None:
                """Says nothing."""

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                fields = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.command, self.path, fields, body)
                server.requests.append(request)
                page = server.pages.get(self.path.split("?")[0], Page(b"not found", 404, "text/html"))
                if callable(page):
                    page = page(request)
                try:
                    self.write(page)
                except OSError:
                    self.close_connection = True

            def write(self, page: Page) -> None:
                self.send_response(page.status)
                for name, value in page.fields.items():
                    self.send_header(name, value)
                if page.type:
                    self.send_header("content-type", page.type)
                if page.announced:
                    self.send_header("content-length", str(len(page.body)))
                else:
                    self.send_header("connection", "close")
                self.end_headers()
                self.wfile.write(page.body)

            do_GET = do_POST = answer

        return Handler
