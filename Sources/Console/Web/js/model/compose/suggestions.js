// What can be completed at a place in the JSON, from the fields of a payload.

import { isSame } from "../json/parse.js";
import { allFields as appleFields } from "./apns.js";
import { allFields as googleFields } from "./fcm.js";

const MOST = 50;

/** The fields that the form has, for a gateway without GET /schemas. */
export function formFields(provider) {
  const kinds = { text: "string", area: "string", url: "string", select: "string", flag: "bool", json: "object", list: "array" };
  return (provider === "fcm" ? googleFields() : appleFields()).flatMap(({ paths, label, type, options, on }) =>
    paths.map((path) => ({ path, about: label, type: on === 1 ? "number" : kinds[type] ?? type, values: options ?? (on === undefined ? undefined : [on]) })));
}

const matches = (pattern, path) => pattern.every((token, index) => token === "*" || isSame(token, path[index]));

/** The words that begin with the typed text, then the words that contain it elsewhere. */
function ranked(rows, typed) {
  const wanted = typed.toLowerCase();
  const begins = rows.filter((row) => row.label.toLowerCase().startsWith(wanted));
  const contains = rows.filter((row) => row.label.toLowerCase().indexOf(wanted) > 0);
  return [...begins, ...contains].slice(0, MOST);
}

/** `{label, insert, back, about, type}` for a context of `contextAt`; `back` is how far the cursor goes back into it. */
export function suggest(context, fields, text) {
  if (!context) return [];
  return ranked(context.kind === "key" ? keys(context, fields, text) : values(context, fields), context.typed);
}

function keys({ path, others, end }, fields, text) {
  const rows = new Map();
  for (const field of fields) {
    const depth = path.length;
    if (field.path.length <= depth || !matches(field.path.slice(0, depth), path)) continue;
    const label = field.path[depth];
    if (label === "*" || others.some((other) => isSame(other, label))) continue;
    const isWhole = field.path.length === depth + 1;
    if (isWhole || !rows.has(label)) rows.set(label, isWhole ? { label, type: field.type, about: field.about } : { label, type: "object", about: "" });
  }
  const hasColon = /^\s*:/.test(text.slice(end));
  return [...rows.values()].map((row) => ({ ...row, ...(hasColon ? { insert: JSON.stringify(row.label), back: 0 } : keyWithValue(row)) }));
}

function keyWithValue({ label, type }) {
  const empty = { string: '""', object: "{}", array: "[]", map: "{}" }[type] ?? "";
  return { insert: `${JSON.stringify(label)}: ${empty}`, back: empty ? 1 : 0 };
}

function values({ path }, fields) {
  const field = fields.find((row) => row.path.length === path.length && matches(row.path, path));
  const all = field?.values ?? { bool: [true, false], boolean: [true, false] }[field?.type] ?? [];
  return all.map((value) => ({ label: String(value), insert: JSON.stringify(value), back: 0, about: "", type: "" }));
}
