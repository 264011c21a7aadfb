// What to do when there is nothing to see yet.

import { h } from "../core/dom.js";

export const title = "Start";

export function open() {
  return { element: h("div", { class: "scroll" }, startPage()) };
}

export function startPage() {
  return h("div", { class: "page" }, h("h1", {}, "Send a first push"));
}
