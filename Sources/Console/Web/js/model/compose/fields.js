// A form field is a row of a table. Here its value is read from a JSON text, and written back into it.

import { set } from "../json/edit.js";
import { find, parse, valueOf } from "../json/parse.js";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

/** `alert` may be a text instead of an object. It is then the body. */
function textAlert(root, path) {
  const outer = path.slice(0, -1);
  const node = outer.at(-1) === "alert" ? find(root, outer) : undefined;
  return node?.kind === "string" ? { outer, node } : null;
}

function nodeAt(root, path) {
  const alert = textAlert(root, path);
  return alert && path.at(-1) === "body" ? alert.node : find(root, path);
}

/** What a field shows: a text, or for a check box whether it is on. `root` is the parsed text. */
export function read(text, root, field) {
  const node = field.paths.map((path) => nodeAt(root, path)).find(Boolean);
  const value = valueOf(text, node);
  if (field.type === "flag") return value === field.on || value === true;
  if (value === undefined) return "";
  if (field.type === "json") return JSON.stringify(value, null, 2);
  if (field.type === "list" && Array.isArray(value)) return value.join("\n");
  return typeof value === "string" ? value : text.slice(node.start, node.end);
}

/** The value for what a person has typed; undefined if the member is to go. Throws if it can't be one. */
export function valueFor(field, input) {
  if (field.type === "flag") return input ? field.on : undefined;
  if (input === "") return undefined;
  if (field.type === "json") return JSON.parse(input);
  if (field.type === "list") return input.split("\n");
  return field.type === "number" && NUMBER.test(input) ? Number(input) : input;
}

/** The text with what a person has typed into a field. */
export function write(text, field, input) {
  const value = valueFor(field, input);
  const { root } = parse(text);
  const present = field.paths.filter((path) => nodeAt(root, path));
  const targets = field.writesAll || value === undefined ? field.paths : [present[0] ?? field.paths[0]];
  return targets.reduce((result, path) => writeAt(result, path, value), text);
}

function writeAt(text, path, value) {
  const { root } = parse(text);
  const alert = textAlert(root, path);
  if (!alert) return set(text, path, value);
  if (path.at(-1) === "body") return set(text, alert.outer, value);
  return value === undefined ? text : set(text, alert.outer, { [path.at(-1)]: value, body: valueOf(text, alert.node) });
}

/** The members of an object that are shown as rows of names and values. Values that are not texts are shown as JSON. */
export function readMap(text, root, { path, except = [], onlyTexts }) {
  const node = find(root, path);
  if (node?.kind !== "object") return [];
  return node.members.filter((row) => !except.includes(row.key)).map((row) => {
    const value = valueOf(text, row.value);
    if (typeof value !== "string") return [row.key, text.slice(row.value.start, row.value.end)];
    return [row.key, !onlyTexts && isJSON(value) ? JSON.stringify(value) : value];
  });
}

const isJSON = (value) => parse(value).error === null;

function mapValue(input, onlyTexts) {
  return !onlyTexts && isJSON(input) ? JSON.parse(input) : input;
}

/** The text with these rows as the object's members. Rows without a name are not written yet. */
export function writeMap(text, { path, except = [], onlyTexts }, rows) {
  const { root } = parse(text);
  const before = new Map(readMap(text, root, { path, except, onlyTexts }));
  const after = new Map(rows.filter(([key]) => key !== "" && !except.includes(key)));
  let result = text;
  for (const key of before.keys()) if (!after.has(key)) result = set(result, [...path, key], undefined);
  for (const [key, input] of after) {
    if (before.get(key) !== input) result = set(result, [...path, key], mapValue(input, onlyTexts));
  }
  return result;
}
