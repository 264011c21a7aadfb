// Changes one value in a JSON text, and leaves the rest as the person has written it.

import { find, follow, member, parse } from "./parse.js";

const STEP = "  ";
/** Outer objects that stay, even if they are empty: both services want them. */
const KEPT = ["aps", "message"];

/** The white space before the line that an offset is in. */
function indentAt(text, offset) {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))[0];
}

function written(value, indent, isCompact) {
  return isCompact ? JSON.stringify(value) : JSON.stringify(value, null, STEP).replaceAll("\n", `\n${indent}`);
}

const splice = (text, start, end, piece) => text.slice(0, start) + piece + text.slice(end);

/**
 * The text with `value` at `path`; objects on the way are made. A text that is not an object becomes one. A value that
 * is undefined removes the member, and objects that have become empty, but not the outermost.
 */
export function set(text, path, value) {
  const { root } = parse(text);
  if (root?.kind !== "object") return value === undefined ? text : set("{}", path, value);
  return value === undefined ? remove(text, root, path) : insert(text, root, path, value);
}

function insert(text, root, path, value) {
  const { node, found } = follow(root, path);
  const isOneLine = !text.slice(root.start, root.end).includes("\n") && root.members.length > 0;
  if (found === path.length) {
    return splice(text, node.start, node.end, written(value, indentAt(text, node.start), isOneLine));
  }
  const [key, ...rest] = path.slice(found);
  const inner = rest.reduceRight((content, name) => ({ [name]: content }), value);
  // Something that is not an object is in the way.
  if (node.kind !== "object") {
    return splice(text, node.start, node.end, written({ [key]: inner }, indentAt(text, node.start), isOneLine));
  }
  const outer = indentAt(text, node.start);
  const last = node.members.at(-1);
  if (!last) {
    if (isOneLine) return splice(text, node.start, node.end, `{${JSON.stringify(key)}:${written(inner, "", true)}}`);
    return splice(text, node.start, node.end, `{\n${outer + STEP}${JSON.stringify(key)}: ${written(inner, outer + STEP, false)}\n${outer}}`);
  }
  const gap = text.slice(node.start + 1, node.members[0].start);
  const isCompact = !gap.includes("\n");
  const between = isCompact ? (isOneLine && gap === "" ? "" : " ") : gap;
  const piece = `,${between}${JSON.stringify(key)}:${isOneLine ? "" : " "}${written(inner, indentAt(text, last.start), isCompact)}`;
  return splice(text, last.value.end, last.value.end, piece);
}

function remove(text, root, path) {
  if (!find(root, path)) return text;
  const parent = find(root, path.slice(0, -1));
  if (parent.kind !== "object") return text;
  if (parent.members.length === 1) {
    const isKept = path.length === 1 || (path.length === 2 && KEPT.includes(path[0]));
    return isKept ? splice(text, parent.start, parent.end, "{}") : remove(text, root, path.slice(0, -1));
  }
  const index = parent.members.indexOf(member(parent, path.at(-1)));
  const row = parent.members[index];
  return index === 0 ? splice(text, row.start, parent.members[1].start, "") : splice(text, parent.members[index - 1].value.end, row.value.end, "");
}
