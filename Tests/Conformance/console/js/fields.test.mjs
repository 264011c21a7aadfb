// The form and its JSON: each field is read from the text and written back, and the rest of the text stays.

import assert from "node:assert/strict";
import { test } from "node:test";
import { groupsFor, TYPES } from "../../../../Sources/Console/Web/js/model/compose/apns.js";
import { GROUPS } from "../../../../Sources/Console/Web/js/model/compose/fcm.js";
import { read, readMap, write, writeMap } from "../../../../Sources/Console/Web/js/model/compose/fields.js";
import { parse } from "../../../../Sources/Console/Web/js/model/json/parse.js";

const show = (text, field) => read(text, parse(text).root, field);
const apple = (key, type = "alert") => groupsFor(type).flatMap((group) => group.fields ?? []).find((field) => field.key === key);
const google = (path) => GROUPS.flatMap((group) => group.fields ?? []).find((field) => field.paths.some((names) => names.join(".") === path));

/** Something that can be typed into each kind of field. */
const SAMPLES = { text: "abc", area: "two\nlines", url: "https://example.com/a.png", number: "7", flag: true, json: '{\n  "a": [\n    1\n  ]\n}', list: "one\ntwo" };

test("what is typed into any field is shown again, and taken away again", () => {
  const all = [...Object.keys(TYPES).flatMap((type) => groupsFor(type)), ...GROUPS].flatMap((group) => group.fields ?? []);
  assert.ok(all.length > 60);
  for (const field of all) {
    const input = field.options?.[1] ?? SAMPLES[field.type];
    const text = write("{}", field, input);
    assert.equal(show(text, field), input, `${field.id} in ${text}`);
    assert.equal(show(write(text, field, field.type === "flag" ? false : ""), field), field.type === "flag" ? false : "", field.id);
  }
});

test("a text as alert is the body, and becomes an object when a title is added", () => {
  const text = '{"aps":{"alert":"Hi","badge":1}}';
  assert.equal(show(text, apple("body")), "Hi");
  assert.equal(show(text, apple("title")), "");
  assert.equal(write(text, apple("body"), "Ho"), '{"aps":{"alert":"Ho","badge":1}}');
  assert.equal(write(text, apple("title"), "T"), '{"aps":{"alert":{"title":"T","body":"Hi"},"badge":1}}');
  assert.equal(write(text, apple("title"), ""), text);
  assert.equal(write(text, apple("body"), ""), '{"aps":{"badge":1}}');
});

test("numbers are numbers, and anything else is written as it is for the check to find", () => {
  assert.equal(write('{"aps":{"badge":1}}', apple("badge"), "0"), '{"aps":{"badge":0}}');
  assert.equal(write('{"aps":{"badge":1}}', apple("badge"), "many"), '{"aps":{"badge":"many"}}');
  assert.equal(show('{"aps":{"badge":"5"}}', apple("badge")), "5");
  assert.equal(show('{"aps":{"badge":{"a":1}}}', apple("badge")), '{"a":1}');
});

test("an image stays under the key that the payload has", () => {
  assert.equal(write('{"media-attachment-url":"x"}', apple("fcm_options.image"), "y"), '{"media-attachment-url":"y"}');
  assert.equal(write('{"a":1}', apple("fcm_options.image"), "y"), '{"a":1,"fcm_options":{"image":"y"}}');
});

test("a field of FCM is found by either of Google's names, and keeps it", () => {
  const channel = google("message.android.notification.channel_id");
  const text = '{"message":{"android":{"notification":{"channelId":"news"}}}}';
  assert.equal(show(text, channel), "news");
  assert.equal(write(text, channel, "orders"), text.replace("news", "orders"));
});

test("the sound is written for both platforms, and taken from both", () => {
  const sound = google("message.android.notification.sound");
  const text = write('{"message":{"topic":"x"}}', sound, "bell");
  assert.equal(text, '{"message":{"topic":"x","android":{"notification":{"sound":"bell"}},"apns":{"payload":{"aps":{"sound":"bell"}}}}}');
  assert.equal(write(text, sound, ""), '{"message":{"topic":"x"}}');
});

test("JSON that is not complete is not written", () => {
  assert.throws(() => write("{}", apple("content-state", "liveactivity"), '{"a":'), SyntaxError);
});

test("custom data keeps its types, and texts that look like numbers stay texts", () => {
  const map = { path: [], except: ["aps"], onlyTexts: false };
  const text = '{"aps":{"badge":1},"n":7,"t":"7","o":{"a":1},"s":"x"}';
  const rows = readMap(text, parse(text).root, map);
  assert.deepEqual(rows, [["n", "7"], ["t", '"7"'], ["o", '{"a":1}'], ["s", "x"]]);
  assert.equal(writeMap(text, map, rows), text);
  assert.equal(writeMap(text, map, [["n", "8"], ["t", '"7"'], ["new", "true"], ["", "x"], ["aps", "no"]]), '{"aps":{"badge":1},"n":8,"t":"7","new":true}');
});

test("data of FCM is always texts", () => {
  const map = { path: ["message", "data"], onlyTexts: true };
  assert.equal(writeMap('{"message":{}}', map, [["order", "7"]]), '{"message":{"data":{"order":"7"}}}');
  assert.deepEqual(readMap('{"message":{"data":{"a_b":"1","aB":"2"}}}', parse('{"message":{"data":{"a_b":"1","aB":"2"}}}').root, map), [["a_b", "1"], ["aB", "2"]]);
});
