// JSON pointers, and which findings belong to which place of a payload.

/** The names in a pointer: "/a/b~1c" is ["a", "b/c"]. Null if it is not a pointer. */
export function parsePointer(pointer) {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return null;
  return pointer.slice(1).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export const joinPointer = (parent, name) => `${parent}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

const isContainer = (value) => typeof value === "object" && value !== null;

/** The longest beginning of a pointer that exists in a value. */
export function nearest(value, pointer) {
  let place = "";
  let present = value;
  for (const name of parsePointer(pointer) ?? []) {
    if (!isContainer(present) || !Object.hasOwn(present, name)) break;
    present = present[name];
    place = joinPointer(place, name);
  }
  return place;
}

/** Findings about the body by the place where they are shown, and findings about header fields by their names. */
export function placed(findings, body) {
  const [places, headers] = [new Map(), new Map()];
  const add = (map, key, finding) => map.set(key, [...(map.get(key) ?? []), finding]);
  for (const finding of findings) {
    const path = finding.path ?? "";
    const header = /^headers\/(.*)$/.exec(path)?.[1];
    if (header !== undefined) add(headers, header.toLowerCase(), finding);
    else add(places, nearest(body, path), finding);
  }
  return { places, headers };
}

/** The value in a text that is JSON itself (an object or a list); undefined if it is not. */
export function decoded(text) {
  if (typeof text !== "string" || text.length > 100_000 || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text);
    return isContainer(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
