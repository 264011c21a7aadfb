// JSON with positions: errors with their place, changes of one value, and what is being typed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { printed, visible } from "../../../../Sources/Console/Web/js/model/json/print.js";
import { contextAt } from "../../../../Sources/Console/Web/js/model/json/cursor.js";
import { set } from "../../../../Sources/Console/Web/js/model/json/edit.js";
import { find, follow, parse, place, tokens, valueOf } from "../../../../Sources/Console/Web/js/model/json/parse.js";

test("what JSON.parse accepts is accepted, and nothing else", () => {
  const texts = [
    "{}", "[]", " 1.5e3 ", '"a\\u00e9\\n"', "null", '{"a":[1,{"b":true}]}', "[1,]", "{'a':1}", "{a:1}", '{"a":1,}', '{"a" 1}', "01", "+1", "1.", "nul",
    '{"a":1}x', '"a\nb"', '"\\x"', "", "[1 2]", '{"a":1 "b":2}', '{"a":', "[", "{", '"abc', "-", '"\t"', "[1}", "NaN", "\u00a01",
  ];
  for (const text of texts) {
    let accepted = true;
    try {
      JSON.parse(text);
    } catch {
      accepted = false;
    }
    assert.equal(parse(text).error === null, accepted, text);
  }
});

test("an error has a place and a remedy", () => {
  const cases = [
    ['{\n  "a": 1,\n}', 2, /Remove the comma before '}'/], ['{\n  "a": 1\n  "b": 2\n}', 2, /comma is missing/], ["{\n a: 1}", 2, /double quotes/],
    ['{\n\n"a": \'b\'}', 3, /double quotes/], ['{"a": "b\n}', 1, /closing quote/], ['{"a": tru}', 1, /'tru' is not a value/], ['{"a": 1', 1, /Expected '}'/],
  ];
  for (const [text, line, words] of cases) {
    const { error } = parse(text);
    assert.equal(place(text, error.offset).line, line, text);
    assert.match(error.message, words);
  }
});

test("deep nesting is an error, not a crash", () => {
  assert.match(parse("[".repeat(100_000)).error.message, /512 levels/);
});

test("a path leads to a value and its line, also by Google's other name", () => {
  const text = '{\n  "message": {\n    "android": {"collapseKey": "k", "notification": {}}\n  }\n}';
  const { root } = parse(text);
  assert.equal(valueOf(text, find(root, ["message", "android", "collapse_key"])), "k");
  assert.equal(place(text, follow(root, tokens("/message/android/ttl")).from).line, 3);
  assert.deepEqual(tokens("/a~1b/c~0d"), ["a/b", "c~d"]);
  assert.equal(find(root, ["message", "x", "y"]), undefined);
});

test("a change leaves everything else as it is written", () => {
  const text = '{\n  "aps": {\n    "badge": 12345678901234567890,\n    "alert": { "title": "A" }\n  }\n}\n';
  assert.equal(set(text, ["aps", "alert", "title"], "B"), text.replace('"A"', '"B"'));
  assert.equal(set(text, ["aps", "alert", "body"], "C"), text.replace('"A" }', '"A", "body": "C" }'));
  assert.equal(set(text, ["aps", "sound"], "x"), text.replace('"A" }\n', '"A" },\n    "sound": "x"\n'));
  assert.equal(set(text, ["aps", "badge"]), text.replace('"badge": 12345678901234567890,\n    ', ""));
  assert.equal(set('{"a":1}', ["b", "c"], "x"), '{"a":1,"b":{"c":"x"}}');
  assert.equal(set("{}", ["a", "b"], 1), '{\n  "a": {\n    "b": 1\n  }\n}');
  assert.equal(set('{"alert":"hi"}', ["alert", "title"], "x"), '{"alert":{"title":"x"}}');
});

test("empty objects go with their last member, but aps and message stay", () => {
  assert.equal(set('{"message":{"android":{"notification":{"tag":"x"}}}}', ["message", "android", "notification", "tag"]), '{"message":{}}');
  assert.equal(set('{"aps":{"badge":1}}', ["aps", "badge"]), '{"aps":{}}');
  assert.equal(set('{"aps":{},"fcm_options":{"image":"x"}}', ["fcm_options", "image"]), '{"aps":{}}');
  assert.equal(set("{}", ["a", "b"]), "{}");
});

test("every change gives valid JSON with the value at its path", () => {
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const names = ["aps", "alert", "a", 'q"\\', "é"];
  let text = "{}";
  for (let turn = 0; turn < 3000; turn++) {
    const path = Array.from({ length: 1 + random(4) }, () => names[random(names.length)]);
    const value = [undefined, 1, "t\n", true, { x: [1, { y: null }] }, {}][random(6)];
    text = set(text, path, value);
    const { root, error } = parse(text);
    assert.equal(error, null, `turn ${turn}: ${text}`);
    assert.deepEqual(valueOf(text, find(root, path)), value, `turn ${turn}: ${path} in ${text}`);
    if (text.length > 4000) text = turn % 2 ? "{}" : '{"a":1}';
  }
});

test("the cursor knows whether a name or a value is typed, and where", () => {
  const at = (text) => contextAt(text.replace("|", ""), text.indexOf("|"));
  const cases = [
    ['{"aps":{"al|"}}', "key", ["aps"], "al"], ['{"aps":{"alert":{"|', "key", ["aps", "alert"], ""], ['{"aps":{"badge": |}}', "value", ["aps", "badge"], ""],
    ['{"aps":{"interruption-level":"pa|"', "value", ["aps", "interruption-level"], "pa"], ["{|}", "key", [], ""], ['{"a":[{"b":1,"c|', "key", ["a", "*"], "c"],
    ['{"a":1,|}', "key", [], ""], ['{"a":tr|', "value", ["a"], "tr"],
  ];
  for (const [text, kind, path, typed] of cases) {
    const { kind: k, path: p, typed: t } = at(text);
    assert.deepEqual([k, p, t], [kind, path, typed], text);
  }
  assert.equal(at('{"a":1|}')?.kind, "value");
  assert.equal(at('{"a":1 |}'), null);
  assert.equal(at('|{"a":1}'), null);
  assert.deepEqual(at('{"a":1,"|","b":2}').others, ["a", "b"]);
});

test("characters that hide or turn a text are seen, and an emoji stays whole", () => {
  assert.equal(visible("a\u202eb\u200b\u0007\u2066\ufeff\u200d"), "a\\u202eb\\u200b\\u0007\\u2066\\ufeff\\u200d");
  for (const text of ["👩‍🚀 👩🏽‍🚀 ❤️‍🔥", "ü\n\t\r\n", "שלום"]) assert.equal(visible(text), text);
  assert.equal(printed('{"a\u202e":"\u202e"}'), '{\n  "a\\u202e": "\\u202e"\n}');
  assert.equal(printed("{no"), null);
  assert.equal(printed('[{"a":1,"a":1e400},-0,[],{}]').replace(/\s/g, ""), '[{"a":1,"a":1e400},-0,[],{}]');
});
