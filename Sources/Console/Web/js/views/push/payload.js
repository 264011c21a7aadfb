// The decoded payload as a tree, with what was found in it, and its size.

import { h, foreign, replace } from "../../core/dom.js";
import { request } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { copyButton } from "../../core/notice.js";
import { parse } from "../../model/json/parse.js";
import { printed, visible } from "../../model/json/print.js";
import { placed } from "../../model/pointers.js";
import { bodyOf, cutOf, sizesOf } from "../../model/sizes.js";
import { findingElement, findingList } from "./findings.js";
import { jsonTree } from "./tree.js";

/** The request as it was received, as text. */
export async function rawOf(id) {
  const answer = await request(`api/v1/messages/${encodeURIComponent(id)}/raw`);
  if (!answer.ok) throw new Error(`The gateway answered ${answer.status} for the raw request.`);
  return answer.text();
}

export function payloadTab({ message }) {
  const { body } = message.request;
  const { places } = placed(message.findings, body);
  const isJSON = typeof body !== "string";
  const opens = (pointer) => [...places.keys()].some((place) => place.startsWith(`${pointer}/`));
  const isPlaced = (finding) => isJSON && [...places.values()].flat().includes(finding);
  const sizes = h("div", { class: "sizes" });
  const card = h("section", { class: "card", "aria-label": "Payload" }, isJSON ? "Loading…" : textBody(message));
  let text = isJSON ? JSON.stringify(body) : body;
  const tree = () => isJSON && replace(card, jsonTree(text, { note: (pointer) => findingList(places.get(pointer)), opens }));
  const reading = rawOf(message.id).then((raw) => {
    replace(sizes, sizesOf(message, raw).map(sizeBar));
    // The values of `body` have lost the digits of long numbers.
    if (parse(bodyOf(raw)).root) text = bodyOf(raw);
  }, () => {}).then(tree);
  const element = h("div", { class: "stack" },
    h("div", { class: "spread" }, sizes, copyButton("Copy JSON", () => reading.then(() => printed(text) ?? text), "Copied the payload")),
    message.findings.length > 0 && h("section", { class: "push-findings-all", "aria-label": "Findings" },
      h("div", { class: "row" }, h("h2", {}, plural(message.findings.length, "finding")), message.findings.filter(isPlaced).map((finding) =>
        h("button", { type: "button", class: "quiet small mono", title: "Show it in the payload", on: { click: () => showPlace(element, finding, places) } }, foreign(finding.path, { limit: 100 })))),
      message.findings.filter((finding) => !isPlaced(finding)).map((finding) => findingElement(finding))),
    card);
  return { element };
}

/** A body that is not JSON. */
function textBody(message) {
  const { body } = message.request;
  const cut = cutOf(message);
  const whole = cut?.length ? ` It has ${count(cut.length)} bytes.` : "";
  if (body === "") return h("p", { class: "muted" }, cut ? `The body was too long to be kept.${whole}` : "The request had no body.");
  const problem = cut ? `The body is too long: only the first ${count(cut.kept)} bytes were kept.${whole} This is its beginning:` : "The body is not JSON. This is its text:";
  return h("div", { class: "stack" }, h("p", { class: "problem" }, problem), foreign(visible(body), { tag: "pre", class: "code wrap", limit: 20_000 }));
}

/** Scrolls to the place of a finding in the tree. */
function showPlace(element, finding, places) {
  const place = [...places].find(([, findings]) => findings.includes(finding))?.[0];
  if (place === undefined) return;
  const node = element.querySelector(`.tree [data-path="${CSS.escape(place)}"]`);
  node?.scrollIntoView({ block: "center" });
  node?.querySelector("summary, button, a")?.focus({ preventScroll: true });
}

function sizeBar({ name, bytes, limit, isMore = false }) {
  const isOver = limit && (isMore || bytes > limit);
  return h("div", { class: `size-row ${isOver ? "over" : ""}` }, h("span", {}, `${name}: `, h("strong", {}, `${isMore ? "more than " : ""}${count(bytes)}`), limit ? ` of ${count(limit)} bytes` : " bytes"),
    limit && h("meter", { min: 0, max: limit, value: Math.min(bytes, limit), "aria-label": `${name}: ${bytes} of ${limit} bytes` }));
}
