// The tokens of a phone: to copy, to scan, to rotate and to delete.

import { h, foreign, replace } from "../../core/dom.js";
import { copyButton } from "../../core/notice.js";
import { icon } from "../../core/icons.js";
import { tokensOf } from "../../model/tokens.js";
import { showCode } from "./code.js";

export class Tokens {
  /** @param onChange called with the body of POST /devices/{id}/tokens */
  constructor(device, onChange) {
    this.onChange = onChange;
    this.element = h("div", { class: "tokens" });
    this.update(device);
  }

  update(device) {
    const tokens = tokensOf(device);
    const looks = JSON.stringify(tokens);
    if (looks === this.looks) return;
    this.looks = looks;
    const focused = document.activeElement?.dataset?.focus;
    replace(this.element, tokens.length === 0 ? h("p", { class: "muted" }, device.installed ? "The app has no token. Rotating or installing makes one." : "The app is not installed, so it has no token.")
      : tokens.map((token) => this.row(token)));
    // The button that was clicked is a new one now.
    if (focused) this.element.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  row({ id, label, token, facts, change }) {
    const button = (op, text) => h("button", { type: "button", class: "quiet", "data-focus": `${id} ${op}`, "aria-label": `${text}: ${label}`, on: { click: () => this.onChange({ op, ...change }) } }, text);
    return h("section", { class: "device-token", "aria-label": label, "data-token": id },
      h("div", { class: "spread" }, h("h3", {}, label), h("span", { class: "row" },
        copyButton("Copy", token, `${label}: copied`),
        h("button", { type: "button", class: "icon", "aria-label": `QR code: ${label}`, title: "QR code", on: { click: () => showCode(label, token) } }, icon("qr", 16)),
        change && button("rotate", "Rotate"), change && button("delete", "Delete"))),
      foreign(token, { tag: "code", limit: 400 }),
      facts.length > 0 && h("p", { class: "muted small" }, facts.map((fact, index) => [index > 0 && " · ", foreign(fact, { limit: 200 })])));
  }
}
