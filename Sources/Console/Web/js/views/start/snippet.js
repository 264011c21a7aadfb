// Code to copy.

import { h } from "../../core/dom.js";
import { copyButton } from "../../core/notice.js";

export function snippetList(snippets) {
  return h("div", { class: "stack snippets" }, snippets.map(({ title, code, note }) =>
    h("section", { class: "stack" },
      h("h3", {}, title), note && h("p", { class: "small muted" }, note),
      h("div", { class: "copied" }, h("pre", { class: "code", tabindex: "0", "aria-label": title }, h("code", {}, code)), copyButton("Copy", code)))));
}
