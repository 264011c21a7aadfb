// What a person is typing at a place in a JSON text that need not be complete: a name or a value, and below which path.

const TOKEN = /"(?:[^"\\\n]|\\.)*(?:"|(?=\n)|$)|[{}[\]:,]|[^\s"{}[\]:,]+/g;

function keyOf(word) {
  try {
    return JSON.parse(word);
  } catch {
    return word.slice(1);
  }
}

/**
 * `{kind, path, typed, start, end, others}`: `kind` is `key` or `value`; `path` leads to the object or to the value;
 * `typed` is the beginning of the word; `start` and `end` are what a completion replaces; `others` are the names that
 * the object has already. Null if nothing can be typed there.
 */
export function contextAt(text, offset) {
  const frames = [];
  const top = () => frames.at(-1);
  let result = null;
  let frame = null;

  const here = (start, end, word) => {
    const inside = top();
    if (!inside) return;
    const isKey = inside.isObject && inside.wants === "key";
    if (!isKey && inside.wants !== "value") return;
    frame = inside;
    const path = frames.map((row) => row.key);
    result = {
      kind: isKey ? "key" : "value", start, end, typed: word.slice(0, offset - start).replace(/^"/, ""),
      path: isKey ? path.slice(0, -1) : path,
    };
  };

  const step = (word, isCursorIn) => {
    if (word === "{" || word === "[") {
      frames.push(word === "{" ? { isObject: true, wants: "key", key: "", keys: [] } : { isObject: false, wants: "value", key: "*", keys: [] });
    } else if (word === "}" || word === "]") {
      frames.pop();
      if (top()) top().wants = "comma";
    } else if (word === ",") {
      if (top()) top().wants = top().isObject ? "key" : "value";
    } else if (word === ":") {
      if (top()) top().wants = "value";
    } else if (top()?.isObject && top().wants === "key") {
      top().key = keyOf(word);
      top().wants = "colon";
      if (!isCursorIn) top().keys.push(top().key);
    } else if (top()) {
      top().wants = "comma";
    }
  };

  let isPast = false;
  for (const { 0: word, index: start } of text.matchAll(TOKEN)) {
    const end = start + word.length;
    const isWord = !/^[{}[\]:,]$/.test(word);
    const isClosed = word.length > 1 && word.startsWith('"') && word.endsWith('"');
    const isIn = isWord && start < offset && (isClosed ? offset < end : offset <= end);
    if (!isPast && (isIn || start >= offset)) {
      // A text without its closing quote seems to go on to the end of the line.
      here(isIn ? start : offset, isIn && (isClosed || !word.startsWith('"')) ? end : offset, isIn ? word : "");
      isPast = true;
    }
    step(word, isIn);
  }
  if (!isPast) here(offset, offset, "");
  return result && { ...result, others: frame.keys };
}
