// The badge of a push, from the events about it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Outcomes } from "../../../../Sources/Console/Web/js/model/outcomes.js";

const badge = (...events) => {
  const outcomes = new Outcomes();
  for (const [device, kind] of events) outcomes.add({ push: "p1", device, kind });
  return outcomes.badge("p1");
};

test("a badge says the most important that happened", () => {
  assert.equal(badge(), null);
  assert.equal(badge(["a", "accepted"]), null);
  assert.deepEqual(badge(["a", "stored"]), { text: "waiting", kind: "note" });
  assert.deepEqual(badge(["a", "delivered"], ["a", "presented"]), { text: "shown", kind: "good" });
  assert.deepEqual(badge(["a", "delivered"], ["b", "presented"], ["c", "presented"]), { text: "shown on 2 of 3", kind: "good" });
});

test("a push that waited is delivered, replaced or dropped in the end", () => {
  assert.equal(badge(["a", "stored"], ["a", "delivered"]).text, "delivered");
  assert.deepEqual(badge(["a", "stored"], ["a", "collapsed"]), { text: "replaced", kind: "warn" });
  assert.equal(badge(["a", "stored"], ["a", "dropped"]).text, "dropped");
});
