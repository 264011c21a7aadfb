// Which notifications lie in one stack.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stacksOf } from "../../../../Sources/Console/Web/js/model/stacks.js";

const entry = (key, group) => ({ key, push: `p${key}`, group });
const keys = (stacks) => stacks.map(({ entries }) => entries.map(({ key }) => key).join(""));

test("an iPhone stacks a thread at its newest notification", () => {
  assert.deepEqual(keys(stacksOf("ios", [entry("a", "x"), entry("b"), entry("c", "y"), entry("d", "x"), entry("e"), entry("f", "")])), ["ad", "b", "c", "e", "f"]);
});

test("Android bundles an app with four notifications, whatever their channels", () => {
  const four = ["a", "b", "c", "d"].map((key) => entry(key, key));
  assert.deepEqual(keys(stacksOf("android", four)), ["abcd"]);
  assert.deepEqual(keys(stacksOf("android", four.slice(1))), ["b", "c", "d"]);
});

test("a browser stacks nothing", () => {
  assert.equal(stacksOf("web", ["a", "b", "c", "d", "e"].map((key) => entry(key, "x"))).length, 5);
  assert.deepEqual(stacksOf("ios", []), []);
});
