// Asks for the value of --api-token.

import { h } from "./dom.js";

/** Shows a dialog until a token is given. It can't be closed, because nothing works without the token. */
export function askForToken(wasWrong) {
  return new Promise((done) => {
    const field = h("input", { type: "password", name: "token", autocomplete: "off", required: true, pattern: "[!-~]+", title: "A token contains only ASCII characters and no spaces." });
    const form = h(
      "form", { method: "dialog", class: "stack" },
      h("h2", {}, "This gateway needs a token"),
      h("p", { class: "muted" }, "It is the value of --api-token or PUSHPIT_API_TOKEN. This tab keeps it until you close it."),
      wasWrong && h("p", { class: "problem", role: "alert" }, "The gateway did not accept that token."),
      h("label", { class: "field" }, "Token", field),
      h("div", { class: "row" }, h("button", { class: "primary", type: "submit" }, "Open the console")));
    const dialog = h("dialog", { "aria-label": "Token", on: { cancel: (event) => event.preventDefault() } }, form);
    form.addEventListener("submit", () => {
      dialog.remove();
      done(field.value.trim());
    });
    document.body.append(dialog);
    dialog.showModal();
    field.focus();
  });
}
