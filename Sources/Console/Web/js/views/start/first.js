// The button that sends a first push: one to an iPhone, one to an Android phone.

import { h } from "../../core/dom.js";
import { get, post } from "../../core/api.js";
import { attempt } from "../../core/notice.js";
import { icon } from "../../core/icons.js";
import { go } from "../../core/router.js";

const APP = "com.example.app";
const TITLE = "Breakfast is ready";
const BODY = "The bread is out of the oven.";

/** Whether a phone with this state shows a notification at once. */
const isReady = ({ state }) => state.online && state.permission === "authorized";

/** A phone that can be pushed to: the newest of this kind, or a new one. */
async function phone(platform, spec) {
  const { devices } = await get("/devices?limit=1000");
  const provider = platform === "ios" ? "apns" : "fcm";
  const found = devices.findLast((device) => device.platform === platform && device.installed !== false && isReady(device) && device.tokens[provider]?.token);
  if (found) return found;
  const taken = devices.some((device) => device.id === spec.id);
  const made = await post("/devices", { platform, app: APP, ...spec, id: taken ? undefined : spec.id });
  return made.devices[0];
}

async function send() {
  const iphone = await phone("ios", { id: "demo-iphone", name: "Demo iPhone" });
  const android = await phone("android", { id: "demo-android", name: "Demo Android phone" });
  const { token, environment, topic } = iphone.tokens.apns;
  const first = await post("/messages", {
    provider: "apns", token, environment,
    headers: { "apns-topic": topic ?? iphone.app, "apns-push-type": "alert" },
    body: { aps: { alert: { title: TITLE, body: BODY }, sound: "default", badge: 1 } },
  });
  await post("/messages", {
    provider: "fcm", project: android.tokens.fcm.project ?? "pushpit-local",
    body: { message: { token: android.tokens.fcm.token, notification: { title: TITLE, body: BODY } } },
  });
  go(["pushes", first.id]);
}

export function firstPush() {
  const button = h("button", { type: "button", class: "primary" }, icon("send", 16), "Send a first push");
  button.addEventListener("click", async () => {
    button.disabled = true;
    await attempt(send);
    button.disabled = false;
  });
  return h("section", { class: "card stack first", "aria-labelledby": "first-title" },
    h("h1", { id: "first-title" }, "Send a first push"),
    h("p", {}, "This sends one push to an iPhone and one to an Android phone, and opens the first. If none is online and allows notifications, it makes one: ", h("code", {}, "demo-iphone"), " or ", h("code", {}, "demo-android"), "."),
    h("div", { class: "row" }, button, h("a", { class: "button", href: "#/compose" }, "Write one yourself")));
}
