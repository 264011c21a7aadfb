"""A web app that receives FCM messages, without Firebase's JavaScript SDK.

No package that the tests can install has the SDK. So the page makes the same calls as the SDK, with the same header
fields (docs/evidence/receivers.md §5), and its worker does with a message what the SDK's worker does. What the SDK itself
does is not tested with it.
"""
from __future__ import annotations

PAGE = """<!doctype html><title>Web app</title><script>
const installations = "https://firebaseinstallations.googleapis.com/v1/projects/shop/installations";
const registrations = "https://fcmregistrations.googleapis.com/v1/projects/shop/registrations";
const appId = "1:900000000000:web:a1b2c3", sdkVersion = "w:0.6.17";
// The key of FCM, for apps that have none of their own.
const key = "BDOU99-h67HcA6JeFXHbSNMu7e2yNNu3RzoMj8TM4W88jITfq7ZmPvIM1Iv-4_l2LxQcYwhqby2xGpWwzjfAnG4";
const encode = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const decode = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

async function call(method, url, fields, body) {
  const headers = { "content-type": "application/json", accept: "application/json", "x-goog-api-key": "key", ...fields };
  const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${said.error.code} ${said.error.status}`);
  return said;
}
let installation, worker, vapidKey;
async function install() {
  const bytes = crypto.getRandomValues(new Uint8Array(17));
  bytes[0] = 0b01110000 | bytes[0] & 0b1111;
  const heartbeats = encode(new TextEncoder().encode('{"version":2,"heartbeats":[]}'));
  const fid = encode(bytes).slice(0, 22);
  installation = await call("POST", installations, { "x-firebase-client": heartbeats },
    { fid, authVersion: "FIS_v2", appId, sdkVersion });
}
async function web() {
  await navigator.serviceWorker.register("worker.js");
  worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decode(vapidKey) });
  const { endpoint, keys: { auth, p256dh } } = subscription.toJSON();
  return { web: { endpoint, auth, p256dh, ...(vapidKey === key ? {} : { applicationPubKey: vapidKey }) } };
}
const signed = () => ({ "x-goog-firebase-installations-auth": `FIS ${installation.authToken.token}` });
async function getToken(own = key) {
  vapidKey = own;
  await install();
  return (await call("POST", registrations, signed(), await web())).token;
}
async function refresh(token) {
  installation.authToken = await call("POST", `${installations}/${installation.fid}/authTokens:generate`,
    { authorization: `FIS_v2 ${installation.refreshToken}` }, { installation: { sdkVersion, appId } });
  return (await call("PATCH", `${registrations}/${token}`, signed(), await web())).token;
}
async function deleteToken(token) {
  await call("DELETE", `${registrations}/${token}`, signed());
  await (await worker.pushManager.getSubscription()).unsubscribe();
  await call("DELETE", `${installations}/${installation.fid}`, { authorization: `FIS_v2 ${installation.refreshToken}` });
}
// What a visible page is told instead of a notification.
const messages = [];
navigator.serviceWorker.addEventListener("message", (event) => messages.push(event.data));
async function shown() {
  const worker = await navigator.serviceWorker.ready;
  return JSON.stringify((await worker.getNotifications()).map(({ title, body, data }) => ({ title, body, data })));
}
</script>"""
WORKER = """
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => event.waitUntil((async () => {
  const message = event.data.json();
  const pages = (await self.clients.matchAll({ type: "window" })).filter((page) => page.visibilityState === "visible");
  for (const page of pages) page.postMessage(message);
  if (message.notification && !pages.length) {
    const { title, ...options } = message.notification;
    await self.registration.showNotification(title, { ...options, data: { FCM_MSG: message } });
  }
  await fetch("shown", { method: "POST", body: JSON.stringify(message) });
})()));
"""
