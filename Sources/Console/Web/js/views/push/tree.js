// JSON as a tree that can be folded. Parts are made when they are opened, so a large payload costs little.

import { h, foreign } from "../../core/dom.js";
import { count, plural } from "../../core/format.js";
import { copyButton } from "../../core/notice.js";
import { parse, valueOf } from "../../model/json/parse.js";
import { scalar, visible } from "../../model/json/print.js";
import { decoded, joinPointer } from "../../model/pointers.js";

const OPEN_DEPTH = 4;
const OPEN_CHILDREN = 60;
const PART = 200;
const SHORT = 300;
const LONG = 20_000;
const DEEPEST = 5;

/**
 * @param text JSON, whose numbers are shown as they are written
 * @param note `note(pointer)` gives an element that belongs below the value there, or null
 * @param opens `opens(pointer)` says whether the value has to be open from the start
 */
export function jsonTree(text, { note = () => null, opens = () => false } = {}) {
  return h("div", { class: "tree mono" }, node(null, parse(text).root, "", 0, { text, note, opens }));
}

function node(name, value, pointer, depth, context) {
  const label = name === null ? null : [foreign(visible(String(name)), { class: "key", limit: 200 }), h("span", { class: "colon" }, ": ")];
  const below = context.note(pointer);
  const mark = below ? ` marked ${below.dataset.severity ?? ""}` : "";
  const attributes = { class: `node${mark}`, "data-path": pointer };
  if (value.members || value.items) return h("div", attributes, branch(label, value, pointer, depth, context, below));
  return h("div", attributes, h("div", { class: "leaf" }, label, leaf(value, context)), below, value.kind === "string" && inner(value, context));
}

function branch(label, value, pointer, depth, context, below) {
  const isList = value.kind === "array";
  const entries = isList ? value.items.map((item, index) => [index, item]) : value.members.map((member) => [member.key, member.value]);
  if (entries.length === 0) return [h("div", { class: "leaf" }, label, isList ? "[]" : "{}"), below];
  const children = h("div", { class: "children" });
  let shown = 0;
  const more = h("button", { type: "button", class: "quiet small", on: { click: () => extend() } });
  const extend = () => {
    more.remove();
    const part = entries.slice(shown, shown + PART).map(([name, item]) => node(name, item, joinPointer(pointer, name), depth + 1, context));
    shown += part.length;
    children.append(...part);
    if (shown < entries.length) {
      more.textContent = `${count(entries.length - shown)} more`;
      children.append(more);
    }
  };
  const isOpen = context.opens(pointer) || (depth < OPEN_DEPTH && entries.length <= OPEN_CHILDREN);
  const size = isList ? plural(entries.length, "item") : plural(entries.length, "member");
  const details = h("details", { open: isOpen, on: { toggle: () => details.open && shown === 0 && extend() } },
    h("summary", {}, label, h("span", { class: "brackets" }, isList ? "[…]" : "{…}"), h("span", { class: "size" }, size)), children);
  if (isOpen) extend();
  return [details, below];
}

function leaf(node, context) {
  const written = scalar(context.text, node);
  if (node.kind !== "string") return h("span", { class: `value ${node.kind}` }, foreign(written, { limit: SHORT }));
  const value = valueOf(context.text, node);
  const text = h("span", { class: "value string" }, foreign(written, { limit: SHORT }));
  if (written.length <= SHORT) return text;
  const all = h("button", { type: "button", class: "quiet small", on: { click: () => {
    text.replaceChildren(foreign(written, { limit: LONG }));
    all.remove();
  } } }, `Show ${written.length > LONG ? `the first ${count(LONG)} of ` : "all "}${count(value.length)} characters`);
  return [text, " ", all, copyButton("Copy", value)];
}

/** A text that is JSON itself, decoded. Nothing is found in it, since services see only a text. */
function inner(string, { text: outer, nesting = 0 }) {
  const text = valueOf(outer, string);
  const { root } = nesting < DEEPEST && decoded(text) ? parse(text) : {};
  if (!root) return null;
  return h("div", { class: "decoded" }, h("span", { class: "badge" }, "JSON in this string"),
    node(null, root, "", 1, { text, note: () => null, opens: () => false, nesting: nesting + 1 }));
}
