// Writes JSON for people without changing what it says: long numbers keep their digits, and members their order.

import { parse } from "./parse.js";

const STEP = "  ";
/** Control, bidi and zero-width characters, which change how a text looks. A joiner inside an emoji is no such character. */
const UNSEEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d/gu;

/** A text in which such characters are seen, as escapes of JSON. */
export const visible = (text) => text.replace(UNSEEN, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A string as JSON that can be read. */
export const quoted = (string) => visible(JSON.stringify(string));

/** A JSON text with an indent for each level; null if the text is not JSON. */
export function printed(text) {
  const { root } = parse(text);
  return root && write(text, root, "\n");
}

function write(text, node, line) {
  const rows = node.members?.map(({ key, value }) => `${quoted(key)}: ${write(text, value, line + STEP)}`) ?? node.items?.map((item) => write(text, item, line + STEP));
  if (!rows) return scalar(text, node);
  const [open, close] = node.members ? "{}" : "[]";
  return rows.length === 0 ? open + close : `${open}${line}${STEP}${rows.join(`,${line}${STEP}`)}${line}${close}`;
}

/** A string, a number or another value that is not made of others. */
export function scalar(text, { kind, start, end }) {
  const written = text.slice(start, end);
  return kind === "string" ? quoted(JSON.parse(written)) : written;
}
