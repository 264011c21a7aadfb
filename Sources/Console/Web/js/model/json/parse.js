// Reads JSON with the position of each value, and says in words where and why a text is not JSON.

/** The gateway reads as many. */
const DEEPEST = 512;
const WORD = /[-+.\w]+/y;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

/** Why a text is not JSON, and where. */
export class JSONError extends Error {
  constructor(message, offset) {
    super(message);
    this.offset = offset;
  }
}

/**
 * `{root, error}`; one of them is null. A value is `{kind, start, end}`; an object also has `members`, each
 * `{key, start, value}`, and an array has `items`.
 */
export function parse(text) {
  try {
    const reader = new Reader(text);
    const root = reader.value(0);
    reader.space();
    if (reader.at < text.length) reader.fail(`Expected the end of the JSON, but found ${reader.shown()}.`);
    return { root, error: null };
  } catch (error) {
    if (error instanceof JSONError) return { root: null, error };
    throw error;
  }
}

class Reader {
  at = 0;

  constructor(text) {
    this.text = text;
  }

  fail(message, offset = this.at) {
    throw new JSONError(message, offset);
  }

  space() {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? "")) this.at++;
  }

  shown() {
    return this.at < this.text.length ? `'${this.text[this.at]}'` : "the end of the text";
  }

  value(depth) {
    this.space();
    if (depth > DEEPEST) this.fail(`Values are nested more than ${DEEPEST} levels deep.`);
    const first = this.text[this.at];
    if (first === "{") return this.object(depth);
    if (first === "[") return this.array(depth);
    if (first === '"') return this.string();
    if (first === "'") this.fail("Strings need double quotes: \" instead of '.");
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.text)?.[0];
    if (word === undefined) this.fail(`Expected a value, but found ${this.shown()}.`);
    const kind = { true: "bool", false: "bool", null: "null" }[word] ?? (NUMBER.test(word) ? "number" : null);
    if (!kind) this.fail(`'${word.slice(0, 40)}' is not a value. Strings need double quotes.`);
    const start = this.at;
    this.at += word.length;
    return { kind, start, end: this.at };
  }

  string() {
    const start = this.at++;
    for (;;) {
      const letter = this.text[this.at];
      if (letter === undefined || letter === "\n") this.fail("This string has no closing quote.", start);
      if (letter < " ") this.fail("Write control characters in strings as escapes, such as \\t.");
      if (letter === '"') break;
      if (letter === "\\") {
        const escape = /^(["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(this.text.slice(this.at + 1, this.at + 6));
        if (!escape) this.fail("After \\ comes one of \" \\ / b f n r t, or u with four hex digits.");
        this.at += escape[0].length;
      }
      this.at++;
    }
    return { kind: "string", start, end: ++this.at };
  }

  array(depth) {
    const node = { kind: "array", start: this.at++, end: 0, items: [] };
    this.list("]", () => node.items.push(this.value(depth + 1)));
    node.end = this.at;
    return node;
  }

  object(depth) {
    const node = { kind: "object", start: this.at++, end: 0, members: [] };
    this.list("}", () => {
      const start = this.at;
      if (this.text[start] !== '"') this.fail(`Expected a name in double quotes, but found ${this.shown()}.`);
      const { end } = this.string();
      const key = JSON.parse(this.text.slice(start, end));
      this.space();
      if (this.text[this.at] !== ":") this.fail(`A ':' is missing after the name "${key.slice(0, 40)}".`, end);
      this.at++;
      node.members.push({ key, start, value: this.value(depth + 1) });
    });
    node.end = this.at;
    return node;
  }

  /** The elements up to a closing bracket, with the commas between them. */
  list(closing, element) {
    this.space();
    if (this.text[this.at] === closing) return void this.at++;
    for (;;) {
      element();
      const end = this.at;
      this.space();
      if (this.text[this.at] === closing) return void this.at++;
      if (this.text[this.at] !== ",") {
        const isEnd = this.at >= this.text.length || "]}".includes(this.text[this.at]);
        this.fail(isEnd ? `Expected '${closing}', but found ${this.shown()}.` : "A comma is missing here.", isEnd ? this.at : end);
      }
      const comma = this.at++;
      this.space();
      if (this.text[this.at] === closing) this.fail(`Remove the comma before '${closing}'.`, comma);
    }
  }
}

/** Line and column of an offset, both from 1. */
export function place(text, offset) {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: before.at(-1).length + 1 };
}

/** The value of a node. */
export function valueOf(text, node) {
  return node ? JSON.parse(text.slice(node.start, node.end)) : undefined;
}

/** The tokens of a JSON pointer. */
export function tokens(pointer) {
  return pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const spelled = (key) => key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
/** Google takes each field by either of its names: `channel_id` and `channelId`. */
export const isSame = (one, other) => one === other || spelled(one) === spelled(other);

/** The member with this key; the last one counts. */
export function member(node, key) {
  if (node?.kind !== "object") return undefined;
  return node.members.findLast((row) => row.key === key) ?? node.members.findLast((row) => isSame(row.key, key));
}

/** The node at a path, and as much of the path as exists. `from` is the offset to show to a person. */
export function follow(root, path) {
  let node = root;
  let from = root?.start ?? 0;
  for (const [index, token] of path.entries()) {
    const next = node.kind === "array" ? node.items[Number(token)] : member(node, token)?.value;
    if (!next) return { node, from, found: index };
    from = node.kind === "object" ? member(node, token).start : next.start;
    node = next;
  }
  return { node, from, found: path.length };
}

/** The node at a path; undefined if there is none. */
export function find(root, path) {
  if (!root) return undefined;
  const { node, found } = follow(root, path);
  return found === path.length ? node : undefined;
}
