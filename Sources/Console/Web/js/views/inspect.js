import { h } from "../core/dom.js";

export const title = "Inspect";

export function open() {
  return { element: h("div", { class: "scroll" }, h("div", { class: "page" }, h("h1", {}, title))) };
}
