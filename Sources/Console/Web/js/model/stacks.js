// Which notifications lie in one stack: on an iPhone those of a thread, on Android those of an app with many. Pure.

/** Android bundles the notifications of an app from this number on, if the app has not grouped them itself. */
const BUNDLE = 4;

/** `[{key, entries}]` in the order of the screen, the newest first; a notification that is alone has a stack of its own. */
export function stacksOf(platform, entries) {
  const isBundle = platform === "android" && entries.length >= BUNDLE;
  const stacks = new Map();
  for (const entry of entries) {
    const key = isBundle ? "app" : platform === "ios" && entry.group ? `thread ${entry.group}` : `alone ${entry.push} ${entry.key}`;
    if (!stacks.has(key)) stacks.set(key, { key, entries: [] });
    stacks.get(key).entries.push(entry);
  }
  return [...stacks.values()];
}
