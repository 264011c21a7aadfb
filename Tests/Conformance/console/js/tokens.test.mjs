import assert from "node:assert/strict";
import { test } from "node:test";

import { tokensOf } from "../../../../Sources/Console/Web/js/model/tokens.js";

test("a browser's subscription is copied as libraries of web push take it", () => {
  const subscription = { endpoint: "https://localhost/fcm/send/t", keys: { p256dh: "k", auth: "a" }, pushService: "google" };
  const [fcm, own] = tokensOf({ tokens: { fcm: { token: "f", fid: "i", senderId: "1" } }, subscription });
  assert.equal(fcm.token, "f");
  assert.deepEqual(JSON.parse(own.token), { endpoint: subscription.endpoint, keys: subscription.keys });
  assert.equal(own.change, null);
  assert.match(own.facts[0], /push service of Google/);
  assert.deepEqual(tokensOf({ tokens: {} }), []);
});
