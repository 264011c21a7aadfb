// Messages of the old API become requests for messages:send.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { convert, isLegacy, maybeLegacy } from "../../../../Sources/Console/Web/js/model/legacy.js";

const sample = (name) => JSON.parse(readFileSync(new URL(`../../fixtures/samples/${name}`, import.meta.url)));
const changeOf = ({ changes }, from) => changes.find((change) => change.from === from);

test("only messages of the old API are recognised", () => {
  for (const value of [{ to: "x" }, { registration_ids: ["x"] }, { priority: "high", data: {} }, { data: {}, collapseKey: "1" }]) {
    assert.equal(isLegacy(value), true, JSON.stringify(value));
  }
  for (const value of [{ message: { token: "x" }, to: "x" }, { aps: {}, to: "x" }, { token: "x", notification: {} }, { data: {} }, [], null, "to", 7]) {
    assert.equal(isLegacy(value), false, JSON.stringify(value));
    assert.equal(convert(value), null);
  }
});

test("every documented member has its place", () => {
  const { request, changes } = convert({
    to: "/topics/news", priority: "high", time_to_live: 60, collapse_key: "k", restricted_package_name: "com.example.app",
    content_available: true, mutable_content: true, dry_run: true,
    notification: {
      title: "T", body: "B", image: "https://example.com/a.png", sound: "default", badge: "3", subtitle: "S", android_channel_id: "news",
      icon: "i", tag: "t", color: "#112233", click_action: "OPEN", body_loc_key: "B1", body_loc_args: '["a","b"]', title_loc_key: "T1", title_loc_args: ["c"],
    },
    data: { a: "1" },
  });
  assert.deepEqual(request, {
    message: {
      topic: "news",
      android: {
        priority: "HIGH", ttl: "60s", collapse_key: "k", restricted_package_name: "com.example.app",
        notification: {
          sound: "default", channel_id: "news", icon: "i", tag: "t", color: "#112233", click_action: "OPEN",
          body_loc_key: "B1", body_loc_args: ["a", "b"], title_loc_key: "T1", title_loc_args: ["c"],
        },
      },
      apns: { payload: { aps: { "content-available": 1, "mutable-content": 1, sound: "default", badge: 3, alert: { subtitle: "S", "loc-key": "B1", "loc-args": ["a", "b"], "title-loc-key": "T1", "title-loc-args": ["c"] } } } },
      notification: { title: "T", body: "B", image: "https://example.com/a.png" },
      data: { a: "1" },
    },
    validate_only: true,
  });
  assert.equal(changes.length, 24);
  assert.ok(changes.every(({ from, to, text }) => from && to && text));
});

test("Adobe's message for Android keeps its keys, and its numbers become texts", () => {
  const result = convert(sample("adobe-android.json"));
  assert.equal(result.request.message.data.badge, "1817");
  assert.equal(result.request.message.data["custom key 1"], "value 1");
  assert.equal(result.request.message.android.collapse_key, "1476005");
  assert.match(changeOf(result, "collapseKey").text, /documented name was 'collapse_key'/);
  assert.match(changeOf(result, "data.badge").text, /1817 becomes a string/);
});

test("a token with several receivers says that one request has one target", () => {
  const result = convert({ registration_ids: ["a", "b", "c"], data: { x: { y: 1 } } });
  assert.equal(result.request.message.token, "a");
  assert.match(changeOf(result, "registration_ids").text, /3 tokens/);
  assert.equal(result.request.message.data.x, '{"y":1}');
});

test("what has no place or no meaning is left out, and said", () => {
  const result = convert({ to: "x", delay_while_idle: true, priority: "urgent", time_to_live: "soon", android_channel_id: "z", content_available: false, notification: { sticky: 1 } });
  for (const from of ["delay_while_idle", "priority", "time_to_live", "android_channel_id", "content_available", "notification.sticky"]) {
    assert.equal(changeOf(result, from).to, "", from);
  }
  assert.deepEqual(result.request, { message: { token: "x" } });
  assert.match(changeOf(result, "android_channel_id").text, /'notification'/);
});

test("data keys with dots or named like parts of an object stay keys", () => {
  const { request } = convert(JSON.parse('{"to":"x","data":{"a.b":"1","__proto__":"2","constructor":"3"}}'));
  assert.equal(request.message.data["a.b"], "1");
  assert.equal(Object.hasOwn(request.message.data, "__proto__"), true);
});

test("a conversion is offered for what may be a message of the old API", () => {
  for (const value of [{ to: "x" }, { notification: { title: "a" } }, { data: { a: 1 }, notification: {} }]) assert.equal(maybeLegacy(value), true, JSON.stringify(value));
  for (const value of [{ message: { notification: {} } }, { aps: {}, data: {} }, { token: "x", notification: {} }, { data: 7 }, [], null, "to", undefined]) {
    assert.equal(maybeLegacy(value), false, JSON.stringify(value));
  }
  assert.deepEqual(convert({ notification: { title: "a" }, data: { n: 1 } }, true).request, { message: { notification: { title: "a" }, data: { n: "1" } } });
});
