// What the inbox keeps: read marks, the selection, and which spans of pushes a deletion names.

import assert from "node:assert/strict";
import { test } from "node:test";

const { ReadMarks } = await import("../../../../Sources/Console/Web/js/model/marks.js");
const { Selection } = await import("../../../../Sources/Console/Web/js/model/selection.js");

const push = (seq, time = `2026-01-01T00:00:${String(seq % 60).padStart(2, "0")}Z`) => ({ id: `p${seq}`, seq, time });

function storage(text = null) {
  return { text, writes: 0, getItem() { return this.text; }, setItem(_, value) { this.text = value; this.writes++; } };
}

test("a read push stays read on the next visit", () => {
  const kept = storage();
  const marks = new ReadMarks(kept, "read");
  assert.equal(marks.has(push(7)), false);
  assert.equal(marks.add([push(7)]), true);
  assert.equal(marks.add([push(7)]), false);
  const later = new ReadMarks(storage(kept.text), "read");
  assert.equal(later.has(push(7)), true);
  assert.equal(later.has(push(8)), false);
});

test("a gateway that was started again has unread pushes with the same numbers", () => {
  const marks = new ReadMarks(storage(), "read");
  marks.addUpTo(push(50, "2026-01-01T00:10:00Z"));
  marks.add([push(60, "2026-01-01T00:11:00Z")]);
  assert.equal(marks.has(push(3, "2026-01-01T00:01:00Z")), true);
  assert.equal(marks.has(push(3, "2026-01-02T00:00:00Z")), false);
  assert.equal(marks.has(push(60, "2026-01-02T00:00:00Z")), false);
});

test("the storage does not grow without end, and forgets the oldest marks", () => {
  const kept = storage();
  const marks = new ReadMarks(kept, "read");
  for (let seq = 1; seq <= 5000; seq++) marks.add([push(seq)]);
  assert.equal(marks.has(push(1)), false);
  assert.equal(marks.has(push(5000)), true);
  assert.ok(kept.text.length < 50_000, `${kept.text.length}`);
});

test("a storage that is broken or full is no error", () => {
  for (const text of ["", "{", "null", "{\"upTo\":1,\"keys\":2}"]) assert.equal(new ReadMarks(storage(text), "read").has(push(1)), false);
  const full = { getItem: () => null, setItem() { throw new Error("full"); } };
  const marks = new ReadMarks(full, "read");
  marks.add([push(1)]);
  assert.equal(marks.has(push(1)), true);
});

test("Shift selects from the row that was chosen last, in both directions", () => {
  const rows = [9, 8, 7, 6, 5].map((seq) => push(seq));
  const selection = new Selection();
  selection.toggle(rows[2]);
  selection.extend(rows, 4);
  assert.deepEqual([...selection.ids].sort(), ["p5", "p6", "p7"]);
  selection.clear();
  assert.equal(selection.isEmpty, true);
  selection.extend(rows, 0, 1);
  assert.deepEqual([...selection.ids].sort(), ["p8", "p9"]);
  selection.toggle(rows[0]);
  assert.deepEqual([...selection.ids], ["p8"]);
});

test("a deletion names each run of neighbours once, and nothing between the runs", async () => {
  globalThis.document = { baseURI: "http://localhost/", addEventListener() {} };
  const { spansOf } = await import("../../../../Sources/Console/Web/js/model/pushes.js");
  const rows = [90, 80, 70, 60, 50].map((seq) => push(seq));
  assert.deepEqual(spansOf(rows, new Set(["p90", "p80", "p60"])), [{ until: 90, since: 79 }, { until: 60, since: 59 }]);
  assert.deepEqual(spansOf(rows, new Set(["p50"])), [{ until: 50, since: 49 }]);
  assert.deepEqual(spansOf(rows, new Set()), []);
});
