// A token as a QR code, for the camera of a real phone.

import { h, svg } from "../../core/dom.js";
import { copyButton } from "../../core/notice.js";
import { encode } from "../../core/qr.js";

/** The quiet zone around the code that readers need, in modules. */
const QUIET = 4;

export function codeImage(text, label) {
  const modules = encode(text);
  const size = modules.length + 2 * QUIET;
  let path = "";
  modules.forEach((row, y) => row.forEach((isDark, x) => {
    if (isDark) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`;
  }));
  return svg("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { width: size, height: size, fill: "#ffffff" }), svg("path", { d: path, fill: "#000000" }));
}

export function showCode(label, text) {
  const dialog = h("dialog", { class: "qr-dialog", "aria-label": `QR code: ${label}`, on: { close: () => dialog.remove() } },
    h("form", { method: "dialog", class: "stack" }, h("h2", {}, label), codeImage(text, `QR code: ${label}`),
      h("code", { class: "foreign" }, text),
      h("div", { class: "row" }, copyButton("Copy", text, `${label}: copied`), h("button", { class: "primary", autofocus: true }, "Close"))));
  document.body.append(dialog);
  dialog.showModal();
}
