// Code to copy.

import { h } from "../../core/dom.js";
import { copyButton } from "../../core/notice.js";

export function snippetList(snippets) {
  return h("div", { class: "stack snippets" }, snippets.map(({ title, code, note, tested }) =>
    h("section", { class: "stack" },
      h("div", { class: "spread" },
        h("div", { class: "row" }, h("h3", {}, title),
          tested && h("span", { class: "badge good", title: `Pushpit's tests run this client: ${tested}` }, "tested with Pushpit"),
          tested === false && h("span", { class: "badge", title: "Pushpit's tests do not cover this client." }, "not covered by Pushpit's tests")),
        copyButton("Copy", code)),
      note && h("p", { class: "small muted" }, note),
      h("pre", { class: "code", tabindex: "0", "aria-label": title }, h("code", {}, code)))));
}
