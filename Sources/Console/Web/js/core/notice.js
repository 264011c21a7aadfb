// Short sentences at the bottom of the window, which screen readers speak.

import { h, replace } from "./dom.js";

/** A problem takes longer to read. */
const LASTS = { bad: 6000 };
const SHORT = 2500;

export function notice(text, kind = "") {
  const element = h("div", { class: `notice ${kind}` }, text);
  // One takes the place of the other.
  replace(document.getElementById("notices"), element);
  setTimeout(() => element.remove(), LASTS[kind] ?? SHORT);
}

/** Runs something that may fail, and says why if it does. */
export async function attempt(action) {
  try {
    return await action();
  } catch (problem) {
    notice(problem.message, "bad");
    return undefined;
  }
}

/** Copies a text, and says so. */
export async function copy(text, what = "Copied") {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Over plain http to another host a browser has no clipboard for pages.
    const field = h("textarea", { value: text, class: "visually-hidden", "aria-hidden": "true" });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  notice(`${what}.`);
}

/** A button that copies a text; `text` may be a function, which may return a promise. */
export function copyButton(label, text, what = "Copied") {
  return h("button", {
    type: "button",
    on: { click: () => attempt(async () => copy(typeof text === "function" ? await text() : text, what)) },
  }, label);
}
