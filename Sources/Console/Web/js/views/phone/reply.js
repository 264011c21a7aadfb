// The field for the text of a reply, below a notification.

import { h } from "../../core/dom.js";

/** @param onSend called with the text */
export function replyForm({ onSend, onCancel }) {
  const field = h("input", { name: "reply", placeholder: "Reply", "aria-label": "Text of the reply", autocomplete: "off", maxlength: 4000, required: true });
  const form = h("form", { class: "phone-reply" }, field, h("button", { type: "submit" }, "Send"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onSend(field.value);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onCancel();
  });
  return form;
}
