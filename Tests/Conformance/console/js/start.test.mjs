// The code of the start page: one name for the gateway, and true words about what was tested.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { valuesOf } from "../../../../Sources/Console/Web/js/model/values.js";
import { LANGUAGES } from "../../../../Sources/Console/Web/js/views/start/snippets.js";

const CREDENTIALS = { directory: "/c", ca: "/c/ca.pem", apnsKeys: [], serviceAccounts: [] };
const snippetsAt = (address) => LANGUAGES.flatMap(({ snippets }) => snippets(valuesOf(CREDENTIALS, address)));

test("all code uses the name that the page was opened with", () => {
  for (const name of ["127.0.0.1", "localhost", "[::1]", "gateway.example"]) {
    const code = snippetsAt(`${name}:2197`).map((snippet) => snippet.code + (snippet.note ?? "")).join("\n");
    const others = ["127.0.0.1", "localhost", "::1"].filter((other) => !name.includes(other));
    for (const other of others) assert.ok(!code.includes(other), `${other} in code for ${name}`);
    assert.ok(code.includes(`https://${name}:2197/`), name);
  }
});

test("a client that is called tested has a row in docs/clients.md, and the others have none", () => {
  const text = readFileSync(new URL("../../../../docs/clients.md", import.meta.url), "utf8");
  const clients = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name);
  const snippets = snippetsAt("localhost:2197");
  for (const { tested } of snippets.filter((snippet) => snippet.tested)) assert.ok(clients.includes(tested), tested);
  const untested = snippets.filter((snippet) => snippet.tested === false).map(({ title }) => title);
  assert.deepEqual(untested, ["firebase-admin", "sideshow/apns2", "APNSwift"]);
  for (const name of ["sideshow/apns2", "APNSwift", "firebase-admin for Node"]) assert.ok(!clients.includes(name), name);
});
