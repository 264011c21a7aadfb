// What the reading pane makes of a push: places of findings, sizes, sentences about events, and what it would look like.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decoded, joinPointer, nearest, parsePointer, placed } from "../../../../Sources/Console/Web/js/model/pointers.js";
import { bodyOf, sizesOf } from "../../../../Sources/Console/Web/js/model/sizes.js";
import { isDryRun, nothingToShow, summaryOf } from "../../../../Sources/Console/Web/js/model/summary.js";
import { didWords, inConsole, surfaceWords, told } from "../../../../Sources/Console/Web/js/model/words.js";
import { activityOf, appleFacts, beforeSending, whyHidden, wouldShow } from "../../../../Sources/Console/Web/js/model/would.js";

const apns = (body, more = {}) => ({ id: "p1", time: "2026-01-01T00:00:00Z", provider: "apns", target: { token: "x" }, pushType: null, request: { body }, ...more });
const fcm = (message) => ({ ...apns({ message }), provider: "fcm" });

test("pointers are read and written with their escapes", () => {
  assert.deepEqual(parsePointer("/a/b~1c/d~0e/0"), ["a", "b/c", "d~e", "0"]);
  assert.deepEqual(parsePointer(""), []);
  assert.equal(parsePointer("headers/apns-topic"), null);
  assert.equal(joinPointer("/a", "b/c~"), "/a/b~1c~0");
});

test("a finding is placed at its value, or at the nearest value that exists", () => {
  const body = { aps: { badge: "1", "a/b": [1] } };
  for (const [path, place] of [["/aps/badge", "/aps/badge"], ["/aps/sound", "/aps"], ["/aps/badge/deep", "/aps/badge"], ["/aps/a~1b/0", "/aps/a~1b/0"], ["/aps/toString", "/aps"], ["", ""], ["nonsense", ""]]) {
    assert.equal(nearest(body, path), place, path);
  }
  const findings = [{ path: "/aps/badge" }, { path: "headers/Apns-Priority" }, { path: null }];
  const { places, headers } = placed(findings, body);
  assert.deepEqual([...places], [["/aps/badge", [findings[0]]], ["", [findings[2]]]]);
  assert.deepEqual([...headers], [["apns-priority", [findings[1]]]]);
  assert.equal(placed([{ path: "/a" }], "no JSON").places.size, 1);
});

test("only objects and lists in strings are decoded", () => {
  assert.deepEqual(decoded(' {"a":1}'), { a: 1 });
  assert.deepEqual(decoded("[1]"), [1]);
  for (const text of ["7", '"a"', "{no", "null", "", 7, null, `[${"1,".repeat(60_000)}1]`]) assert.equal(decoded(text), undefined);
});

test("sizes are in bytes and have the limits of the services", () => {
  const raw = 'POST /3/device/x HTTP/2\r\napns-topic: a\r\n\r\n{"aps":{"alert":"ü"}}';
  assert.equal(bodyOf(raw), '{"aps":{"alert":"ü"}}');
  assert.deepEqual(sizesOf(apns({}), raw), [{ name: "payload", bytes: 22, limit: 4096 }]);
  assert.equal(sizesOf(apns({}, { pushType: "voip" }), raw)[0].limit, 5120);
  assert.equal(sizesOf(apns({}, { target: { channel: "c" } }), raw)[0].limit, 5120);
  const sizes = sizesOf(fcm({ data: { ab: "cde" }, notification: { title: "ü", body: "x" }, apns: { payload: { a: 1 } } }), raw);
  assert.deepEqual(sizes.map(({ bytes }) => bytes), [8, 22, 7]);
  for (const body of [null, "text", [], { message: 7 }]) assert.equal(sizesOf({ ...fcm({}), request: { body } }, "").length, 2);
});

test("a body that is broken, empty or too long is called so", () => {
  const length = (bytes) => [["Content-Length", String(bytes)]];
  const start = `{"aps":{"alert":"${"x".repeat(4079)}é`;
  const cases = [
    [start.slice(0, 4096), length(1_000_000), "too long: only the first 4,096 bytes were kept", 1_000_000, "too long to be kept"],
    [`${start.slice(0, 4095)}\ufffd`, [], "too long: only the first 4,096 bytes were kept", 4098, "too long to be kept"],
    ["", length(2_000_000), "too long: it was not kept", 2_000_000, "too long to be kept"],
    ["", [], "no body", 0, "had no body"],
    ["", length(0), "no body", 0, "had no body"],
    ["{no", length(3), "not JSON", 3, "not JSON"],
    ["x".repeat(5000), length(5000), "not JSON", 5000, "not JSON"],
    [[1], length(3), "not an object", 3, "not an object"],
    [{}, length(2), "empty push", 2, "no title and no text"],
  ];
  for (const [body, headers, title, bytes, reason] of cases) {
    const message = apns(body, { request: { body, headers } });
    assert.equal(summaryOf(message).title, title);
    assert.match(nothingToShow(message), new RegExp(reason));
    const [size] = sizesOf(message, `POST / HTTP/2\r\n\r\n${typeof body === "string" ? body : JSON.stringify(body)}`);
    assert.equal(size.bytes, bytes);
    assert.equal(size.isMore ?? false, bytes === 4098);
  }
});

test("each kind of event has a sentence", () => {
  const cases = [
    ["refused", { status: 400, reason: "BadTopic" }, "The gateway refused the push: 400 BadTopic."],
    ["presented", { key: "n1", surfaces: ["banner", "list", "sound"] }, "The notification was shown as a banner, in the list and with a sound."],
    ["presented", { sound: "default" }, "Only a sound was played: default."],
    ["presented", { activity: "Trip", event: "end" }, "The Live Activity ended."],
    ["presented", { call: "incoming" }, "The phone rings: the app reported a call."],
    ["tracking", { action: "7" }, "The app reported 7 (impression) to Adobe Campaign."],
    ["delivered", { outcome: "Delivered (From Storage)", storedFor: 5000 }, "The push reached the device after 5 s (Delivered (From Storage))."],
  ];
  for (const [kind, data, sentence] of cases) assert.equal(told({ kind, data }), sentence);
  const kinds = `accepted refused stored collapsed dropped delivered callback extension attachment presented suppressed replaced removed badge opened
    dismissed action tracking state token fault`.split(/\s+/);
  for (const kind of kinds) assert.match(told({ kind }), /^[A-Z].*\.$/, kind);
  assert.equal(told({ kind: "unknown" }), "unknown");
  assert.equal(surfaceWords([]), "");
});

test("what a push would look like is read from the block of each platform", () => {
  const [ios] = wouldShow(apns({ aps: { alert: { title: "T", body: "B" }, "thread-id": "t" }, "media-attachment-url": "https://e/i.png" }));
  assert.deepEqual([ios.platform, ios.entry.title, ios.entry.body, ios.entry.group, ios.entry.image], ["ios", "T", "B", "t", "https://e/i.png"]);
  const all = wouldShow(fcm({ notification: { title: "T", image: "i" }, android: { notification: { body: "A", channelId: "c" } }, webpush: { notification: { title: "W" } },
    apns: { fcmOptions: { image: "j" }, payload: { aps: { alert: { title: "I" } } } } }));
  assert.deepEqual(all.map(({ platform, entry }) => [platform, entry.title, entry.image]), [["ios", "I", "j"], ["android", "T", "i"], ["web", "W", "i"]]);
  assert.equal(all[1].entry.group, "c");
  assert.deepEqual(wouldShow(fcm({ data: { title: "D" } })).map(({ platform }) => platform), ["android"]);
  assert.equal(wouldShow(fcm({ data: { title: "D" } }))[0].entry.isByApp, true);
  assert.deepEqual(wouldShow(fcm({ data: { title: "D" } }), false), []);
  assert.match(nothingToShow(fcm({ data: { title: "D" } })), /only data/);
  assert.equal(wouldShow(fcm({ notification: { title: "T" }, data: { title: "D", body: "B" } }))[1].entry.isByApp, false);
  assert.equal(wouldShow(fcm({ notification: { title: "T" }, data: { body: "B" } }))[1].entry.body, "");
  assert.deepEqual(wouldShow(fcm({ webpush: { notification: { title: "W" } } })).map(({ platform }) => platform), ["web"]);
  assert.deepEqual(wouldShow(apns({ aps: { "content-available": 1 } })), []);
});

test("a payload of any shape is no error", () => {
  for (const value of [null, 7, "text", [], [[]], { message: [] }, { aps: [] }, { aps: { alert: 7, sound: [], badge: {} } }, { aps: { alert: { title: {} } }, fcm_options: 7 },
    { message: { notification: 7, android: "x", webpush: { notification: { actions: [null, 7] } }, apns: { payload: [] } } }]) {
    for (const message of [apns(value), { ...fcm({}), request: { body: value } }]) {
      assert.ok(Array.isArray(wouldShow(message)));
      assert.equal(typeof appleFacts(message).sound, "string");
      activityOf(message);
    }
  }
});

test("a Live Activity is known by its event or its state", () => {
  assert.equal(activityOf(apns({ aps: { alert: "x" } })), null);
  const activity = activityOf(apns({ aps: { event: "start", "attributes-type": "Trip", "content-state": { gate: "A1" }, alert: { title: "T" } } }));
  assert.deepEqual([activity.event, activity.type, activity.state, activity.alert.title], ["start", "Trip", { gate: "A1" }, "T"]);
});

test("a remedy for a person names the switches of this console, and no call of the API", () => {
  const call = " ('state' on the device socket, or PATCH /api/v1/devices/ID)";
  assert.equal(inConsole(`Set permission to authorized${call}.`), "Set Notifications to Allowed on the device's page.");
  assert.equal(inConsole(`Bring the device online${call}, or wait.`), "Bring the device online on the device's page, or wait.");
  assert.equal(inConsole("Open the app: 'launch' on the device socket, or POST /api/v1/devices/ID/act."), "Open the app on the device's page.");
  assert.equal(inConsole("Retry later (soon)."), "Retry later (soon).");
});

test("a device has shown a push, in the words of this console", () => {
  assert.equal(didWords("presented on the lock screen"), "shown on the lock screen");
  assert.equal(didWords("dropped: it was not presented"), "dropped: it was not presented");
});

test("a message that FCM only validates is known by either spelling", () => {
  const dry = (body) => isDryRun({ provider: "fcm", request: { body } });
  assert.ok(dry({ validate_only: true }) && dry({ validateOnly: true }));
  assert.ok(!dry({ validate_only: false }) && !dry("text") && !isDryRun(apns({ validate_only: true })));
});

test("a device that can't show a notification says why", () => {
  const device = (state, more = {}) => ({ platform: "android", installed: true, state: { permission: "authorized", online: true, forceStopped: false, ...state }, ...more });
  assert.equal(whyHidden(device({})), null);
  assert.equal(whyHidden({ ...device({ permission: "provisional" }), platform: "ios" }), null);
  assert.match(whyHidden(device({ permission: "denied" })), /“Denied”/);
  assert.match(whyHidden(device({ forceStopped: true })), /force-stopped/);
  assert.match(whyHidden(device({ online: false })), /waits/);
  assert.match(whyHidden(device({}, { installed: false })), /removed/);
});

test("an image that no push has named yet is fetched when it is sent", () => {
  const reason = "The media table has no entry for 'https://e/i.png', and no push names it. Only URLs that a push names are fetched.";
  assert.deepEqual(beforeSending({ reason }), { reason: "the image is fetched when you send" });
  for (const picture of [{ src: "blob:1" }, { reason: "and this gateway fetches nothing" }]) assert.equal(beforeSending(picture), picture);
});

test("a web push that was decrypted shows its text", () => {
  const push = (body) => ({ ...apns(body), provider: "webpush", encryption: { encoding: "aes128gcm", bytes: 1234 } });
  const shown = (body) => { const { title, body: text } = summaryOf(push(body)); return [title, text]; };
  assert.deepEqual(shown({ title: "T", body: "B" }), ["T", "B"]);
  assert.deepEqual(shown({ web_push: 8030, notification: { title: "N" } }), ["N", ""]);
  assert.deepEqual(shown("plain text"), ["Web push", "plain text"]);
  assert.deepEqual(shown({ title: 7, notification: null }), ["Web push", ""]);
  assert.match(nothingToShow(push({})), /service worker/);
  assert.deepEqual(sizesOf(push({}), ""), [{ name: "encrypted body", bytes: 1234, limit: 4096 }]);
});

test("a web push says how large it is, and that only the browser can read it", () => {
  const push = { ...apns({ encoding: "aes128gcm", bytes: 1234 }), provider: "webpush" };
  assert.deepEqual([summaryOf(push).title, summaryOf(push).body], ["Web push", "1,234 bytes, encrypted"]);
  assert.equal(summaryOf({ ...push, request: { body: { bytes: 0 } } }).body, "without a body");
  assert.match(nothingToShow(push), /encrypted for the browser/);
  assert.deepEqual(wouldShow(push), []);
  assert.deepEqual(sizesOf(push, ""), [{ name: "encrypted body", bytes: 1234, limit: 4096 }]);
});
