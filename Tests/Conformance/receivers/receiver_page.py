"""Pages that subscribe to pushes, and the service worker that shows them, on a web server of this machine.

Each path, like /1/, is a page with its own worker.
"""
from __future__ import annotations

import collections
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = """<!doctype html><title>Receiver</title><script>
const decode = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
async function subscribe(key) {
  await navigator.serviceWorker.register("worker.js");
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decode(key) });
  return JSON.stringify(subscription);
}
async function unsubscribe() {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.pushManager.getSubscription()).unsubscribe();
}
// Chromium forgets a notification if it is asked for them while it shows one: ask when the worker has told the server.
async function shown() {
  const worker = await navigator.serviceWorker.ready;
  return JSON.stringify((await worker.getNotifications()).map(({ title, body }) => body ? `${title}\\n${body}` : title).sort());
}
</script>"""
WORKER = """
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => {
  const text = event.data ? event.data.text() : "(no data)";
  const [title, body] = text.split("\\n");
  event.waitUntil((async () => {
    await self.registration.showNotification(title, { body });
    await fetch("shown", { method: "POST", body: text });
  })());
});
"""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.endswith("/worker.js"):
            self.answer(200, "text/javascript", self.server.worker)
        elif path.endswith("/"):
            self.answer(200, "text/html", self.server.page)
        else:
            self.answer(404, "text/plain", "")

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["content-length"])).decode()
        self.server.pushes[self.path.removesuffix("shown")].append(text)
        self.answer(200, "text/plain", "")

    def answer(self, status: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing."""


class ReceiverPage:
    """Serves the pages during its `with` block, always at the same origin."""

    def __init__(self, page: str = PAGE, worker: str = WORKER) -> None:
        self.texts = page, worker

    def __enter__(self) -> ReceiverPage:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.page, self.server.worker = self.texts
        # What the worker of each page has shown.
        self.pushes = self.server.pushes = collections.defaultdict(list)
        self.origin = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
