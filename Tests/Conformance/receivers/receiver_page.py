"""A page that subscribes to pushes, and the service worker that shows them, on a web server of this machine."""
from __future__ import annotations

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
// Chromium forgets a notification if it is asked for them while it shows one, so the worker says when it is done.
const pushes = [];
navigator.serviceWorker.addEventListener("message", (event) => pushes.push(event.data));
async function shown() {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map((one) => one.title).sort().join("|");
}
</script>"""
WORKER = """
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => {
  const text = event.data ? event.data.text() : "(no data)";
  event.waitUntil((async () => {
    await self.registration.showNotification(text);
    for (const page of await self.clients.matchAll()) page.postMessage(text);
  })());
});
"""
FILES = {"/": ("text/html", PAGE), "/worker.js": ("text/javascript", WORKER)}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, text = FILES.get(self.path.partition("?")[0], ("text/plain", ""))
        body = text.encode()
        self.send_response(200 if text else 404)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing."""


class ReceiverPage:
    """Serves the page during its `with` block, always at the same origin."""

    def __enter__(self) -> ReceiverPage:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
