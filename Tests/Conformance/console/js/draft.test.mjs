// Drafts: push types, devices, targets, and texts that say themselves what they are.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { appOf, startingPayload, tokenFor, topicFor, TYPES } from "../../../../Sources/Console/Web/js/model/compose/apns.js";
import { adopt, checkCall, deviceOf, emptyDraft, fromMessage, hasTarget, sendBody, setTarget, withDevice, withHeader, withPart, withPushType, withText } from "../../../../Sources/Console/Web/js/model/compose/draft.js";
import { placesIn, targetOf } from "../../../../Sources/Console/Web/js/model/compose/fcm.js";
import { suggest } from "../../../../Sources/Console/Web/js/model/compose/suggestions.js";
import { TEMPLATES } from "../../../../Sources/Console/Web/js/model/compose/templates.js";

const phone = {
  id: "ann", app: "com.example.app", platform: "ios",
  tokens: {
    apns: { token: "aa", environment: "sandbox" }, voip: { token: "bb" }, fcm: { token: "ff", project: "shop" },
    liveActivity: { start: "cc", updates: { Trip: "dd" } },
  },
};

test("topics have the suffix of the push type, and lose it again", () => {
  for (const [type, { suffix }] of Object.entries(TYPES)) {
    assert.equal(topicFor("com.example.app", type), `com.example.app${suffix}`);
    assert.equal(appOf(`com.example.app${suffix}`), "com.example.app");
  }
  assert.equal(topicFor("", "voip"), "");
  assert.equal(appOf(".voip"), "");
});

test("a device gives its token, topic and environment, and another push type another token", () => {
  const draft = withDevice(emptyDraft(), phone);
  assert.deepEqual([draft.apns.token, draft.apns.environment, draft.apns.headers["apns-topic"]], ["aa", "sandbox", "com.example.app"]);
  const voip = withPushType(draft, "voip", phone);
  assert.deepEqual([voip.apns.token, voip.apns.headers["apns-topic"]], ["bb", "com.example.app.voip"]);
  assert.equal(JSON.parse(voip.apns.text).caller, "Ann");
  assert.equal(tokenFor(phone, "controls"), "");
});

test("a Live Activity starts with one token and goes on with another", () => {
  const draft = withPushType(withDevice(emptyDraft(), phone), "liveactivity", phone);
  assert.equal(draft.apns.token, "cc");
  const update = withText(draft, draft.apns.text.replace('"start"', '"update"'), phone);
  assert.equal(update.apns.token, "dd");
  assert.equal(withText(update, `${update.apns.text} `, phone).apns.token, "dd");
});

test("a payload or a priority that was changed survives another push type", () => {
  const draft = withPart(emptyDraft(), { text: '{"aps":{"alert":"mine"}}' });
  assert.equal(withPushType(draft, "background", null).apns.text, '{"aps":{"alert":"mine"}}');
  assert.equal(withPushType(withHeader(draft, "apns-priority", "1"), "background", null).apns.headers["apns-priority"], "1");
  assert.equal(withPushType(draft, "background", null).apns.headers["apns-priority"], "5");
});

test("a message has one target", () => {
  const text = setTarget('{"message":{"token":"x","data":{"topic":"y"}}}', "topic", "news");
  assert.deepEqual(JSON.parse(text), { message: { data: { topic: "y" }, topic: "news" } });
  assert.deepEqual(targetOf(JSON.parse(text).message), { kind: "topic", value: "news" });
  const fcm = { ...emptyDraft(), provider: "fcm" };
  assert.equal(hasTarget(fcm), false);
  assert.equal(hasTarget(withPart(fcm, { text })), true);
  assert.equal(hasTarget(withPart(fcm, { text: "[]" })), false);
});

test("texts say themselves what they are", () => {
  const draft = emptyDraft();
  assert.equal(adopt(draft, '{"to":"x"}').kind, "legacy");
  assert.equal(adopt(draft, '{"message":{"topic":"x"}}').draft.provider, "fcm");
  const file = adopt({ ...draft, provider: "fcm" }, '{"Simulator Target Bundle":"com.example.bakery","aps":{}}');
  assert.equal(file.draft.provider, "apns");
  assert.equal(file.draft.apns.headers["apns-topic"], "com.example.bakery");
  assert.equal(file.draft.apns.text, '{"aps":{}}');
  for (const text of ["", "[1]", "null", '{"a":1}', '{"to":']) assert.equal(adopt(draft, text), null, text);
});

test("texts are sent as they are written", () => {
  const draft = withPart(emptyDraft(), { text: '{"a":12345678901234567890,"a":1.0}' });
  assert.ok(checkCall(draft)[1].endsWith('"body":{"a":12345678901234567890,"a":1.0}}'));
  assert.ok(sendBody(draft).endsWith('"body":{"a":12345678901234567890,"a":1.0}}'));
  assert.deepEqual(JSON.parse(sendBody({ ...emptyDraft(), provider: "fcm" }, { isDryRun: true })).body.validate_only, true);
  assert.equal(JSON.parse(checkCall(withPart(emptyDraft(), { token: "ab" }))[1]).headers[":path"], "/3/device/ab");
});

test("a push that was sent opens again", () => {
  const message = {
    provider: "apns", environment: "sandbox", devices: ["ann"], target: { token: "aa" }, project: null,
    request: { headers: [["apns-topic", "com.example.app"], ["apns-id", "1"], ["authorization", "sha256:1"]], body: { aps: { badge: 1 } } },
  };
  const draft = fromMessage(message, "");
  assert.deepEqual(draft.apns.headers, { "apns-topic": "com.example.app" });
  assert.deepEqual(JSON.parse(draft.apns.text), { aps: { badge: 1 } });
  assert.equal(fromMessage({ ...message, request: { headers: [], body: "not JSON" } }, "POST / HTTP/2\r\n\r\nnot JSON").apns.text, "not JSON");
});

test("a push that was sent opens with the numbers and the order that it had", () => {
  const sent = '{"aps":{"alert":"ü\\u202e"},"10":9007199254740993,"2":1.10,"e":[],"o":{}}';
  const message = { provider: "apns", devices: [], target: {}, request: { headers: [], body: JSON.parse(sent) } };
  const { text } = fromMessage(message, `POST / HTTP/2\r\na: b\r\n\r\n${sent}`).apns;
  assert.equal(text.replace(/\s/g, ""), sent);
  assert.match(text, /^\{\n  "aps": \{\n    "alert": "ü\\u202e"\n  \},\n  "10": 9007199254740993,\n  "2": 1\.10,\n  "e": \[\],/);
});

test("Google's sentences name places", () => {
  const answer = `Invalid JSON payload received. Unknown name "titel" at 'message.notification': Cannot find field.\nInvalid value at 'message.data[0].value' (TYPE_STRING), 5`;
  assert.deepEqual(placesIn(answer).map(({ path }) => path), [["message", "notification", "titel"], ["message", "data", "0"]]);
  assert.deepEqual(placesIn("The registration token is not valid"), []);
  assert.deepEqual(placesIn(undefined), []);
});

test("each template is a draft with its own name", () => {
  assert.equal(new Set(TEMPLATES.map(({ name }) => name)).size, TEMPLATES.length);
  for (const { make } of TEMPLATES) {
    const draft = make();
    assert.ok(JSON.parse(draft[draft.provider].text));
  }
  const samples = new URL("../../fixtures/samples/", import.meta.url);
  const sample = JSON.parse(readFileSync(new URL("adobe-ios.json", samples)));
  const template = JSON.parse(TEMPLATES.find(({ name }) => name === "adobe-ios").make().apns.text);
  for (const key of ["media-attachment-url", "uri", "_mId", "_dId"]) assert.equal(typeof template[key], typeof sample[key], key);
  for (const type of Object.keys(TYPES)) assert.ok(JSON.parse(startingPayload(type, 1)));
});

test("completion offers what the place can have", () => {
  const fields = [
    { path: ["aps", "alert", "title"], type: "string" }, { path: ["aps", "badge"], type: "number", about: "The number" },
    { path: ["aps", "level"], type: "string", values: ["low", "high"] }, { path: ["map", "*", "x"], type: "bool" },
  ];
  const at = (kind, path, typed = "", others = []) => suggest({ kind, path, typed, others, start: 0, end: 0 }, fields, "").map(({ label }) => label);
  assert.deepEqual(at("key", ["aps"]), ["alert", "badge", "level"]);
  assert.deepEqual(at("key", ["aps"], "b"), ["badge"]);
  assert.deepEqual(at("key", ["aps"], "e"), ["alert", "badge", "level"]);
  assert.deepEqual(at("key", ["aps"], "", ["badge"]), ["alert", "level"]);
  assert.deepEqual(at("value", ["aps", "level"]), ["low", "high"]);
  assert.deepEqual(at("value", ["map", "any", "x"]), ["true", "false"]);
  assert.deepEqual(at("key", ["aps", "badge"]), []);
  assert.deepEqual(suggest(null, fields, ""), []);
  const [row] = suggest({ kind: "key", path: ["aps"], typed: "al", others: [], start: 0, end: 3 }, fields, '"al');
  assert.deepEqual([row.insert, row.back], ['"alert": {}', 1]);
});

test("the chosen device counts only as long as the draft goes to it", () => {
  const draft = { ...emptyDraft(), provider: "fcm" };
  const to = (message) => deviceOf({ ...draft, fcm: { ...draft.fcm, text: JSON.stringify({ message }) } }, phone);
  assert.equal(to({ token: "ff" }), phone);
  assert.equal(to({ topic: "news" }), null);
  assert.equal(to({ token: "other" }), null);
  assert.equal(deviceOf({ ...draft, provider: "apns" }, phone), phone);
  assert.equal(deviceOf(draft, null), null);
});
