// What a person saw of a push, from the events about it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { saidOf, seenOn } from "../../../../Sources/Console/Web/js/model/seen.js";

const event = (device, kind, why, data = {}) => ({ device, kind, why, data });

test("each device has its newest notification, and devices that did nothing are left out", () => {
  const seen = seenOn([
    event("a", "presented", "ios.shown", { key: "n1", title: "old" }), event("b", "dropped", "apns.discarded-disabled"),
    event("a", "presented", "ios.shown", { key: "n1", title: "new" }), event("c", "suppressed", "android.not-allowed"), event("", "accepted"),
  ]);
  assert.deepEqual(seen.map(({ id, entry }) => [id, entry.title]), [["a", "new"]]);
});

test("an app in the foreground", () => {
  const front = (platform, ...events) => {
    const [seen] = seenOn(events);
    return [seen.isInFront, saidOf(seen, platform)];
  };
  const got = "The app was open and got the push. No notification was shown.";
  assert.deepEqual(front("ios", event("a", "callback", "ios.foreground", { name: "willPresent" }), event("a", "suppressed", "ios.foreground-silent")), [true, got]);
  assert.deepEqual(front("ios", event("a", "callback", "ios.woken", { name: "x", state: "active" })), [true, got]);
  assert.deepEqual(front("android", event("a", "callback", "android.foreground", { name: "onMessageReceived" })), [true, got]);
  assert.deepEqual(front("web", event("a", "callback", "web.visible", { name: "onMessage" })), [true, "The page was visible and got the push. No notification was shown."]);
  assert.deepEqual(front("ios", event("a", "presented", "ios.foreground", { key: "n1", surfaces: ["banner", "list"] })), [true, null]);
  assert.match(front("ios", event("a", "presented", "ios.foreground", { key: "n1", surfaces: ["list"] }))[1], /^No banner was shown/);
});

test("an app that is not on the screen", () => {
  const said = (platform, ...events) => saidOf(seenOn(events)[0], platform);
  assert.equal(said("ios", event("a", "presented", "ios.shown", { key: "n1", surfaces: ["banner"] })), null);
  assert.equal(said("ios", event("a", "callback", "ios.woken", { name: "x", state: "background" })), "The app's code got the push. No notification was shown.");
  assert.equal(said("ios", event("a", "badge", "ios.badge", { badge: 0 })), "The badge is now 0. No notification was shown.");
  assert.equal(said("ios", event("a", "presented", "ios.shown", { sound: "default" })), "A sound was played. No notification was shown.");
  assert.equal(said("ios", event("a", "callback", "ios.call", { name: "x" }), event("a", "presented", "ios.call", { call: "incoming" })), "The app's code got the push. The phone rang.");
  assert.match(said("web", event("a", "callback", "web.push", { name: "push" })), /up to the site's code/);
  assert.match(said("ios", event("a", "callback", undefined, { name: "ack", code: 100 })), /Only the browser knows/);
  assert.equal(said("web", event("a", "callback", "web.nothing-to-show", { name: "onBackgroundMessage" })), "The service worker got the push. No notification was shown.");
});
