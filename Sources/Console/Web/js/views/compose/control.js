// One field of the form: its label, the element that a person fills in, and how to show another value in it.

import { h, replace } from "../../core/dom.js";

let numbers = 0;

/**
 * @param field a row of the tables in model/compose: `label`, `key`, `type`, `hint`, `options`, `suggestions`, `wide`
 * @param onInput called with what the person has typed or chosen
 * @returns `{element, show(value), focus()}`; `show` leaves the value alone while it is the same
 */
export function control(field, onInput) {
  return field.type === "flag" ? checkBox(field, onInput) : textControl(field, onInput);
}

function checkBox({ label, key }, onInput) {
  const box = h("input", { type: "checkbox", on: { change: () => onInput(box.checked) } });
  const element = h("label", { class: "check flag" }, box, h("span", {}, label), h("code", { class: "key" }, key));
  return { element, focus: () => box.focus(), show: (value) => { box.checked = value; } };
}

function textControl(field, onInput) {
  const { label, key, type, hint, wide, suggestions } = field;
  const id = `field-${++numbers}`;
  const error = h("span", { class: "problem small", id: `${id}-error`, hidden: true });
  const common = { id, class: field.isCode ? "mono" : null, "aria-describedby": error.id, autocomplete: "off", spellcheck: type === "area" ? "true" : "false" };
  const input = type === "select" ? h("select", common)
    : type === "area" || type === "json" || type === "list" ? h("textarea", { ...common, rows: type === "json" ? 3 : 2, placeholder: hint })
    : h("input", { ...common, type: "text", inputmode: { number: "decimal", url: "url" }[type], placeholder: hint, list: suggestions ? `${id}-list` : null });
  const report = (message) => {
    error.textContent = message;
    error.hidden = message === "";
    input.setAttribute("aria-invalid", String(message !== ""));
  };
  input.addEventListener(type === "select" ? "change" : "input", () => {
    try {
      onInput(input.value);
      report("");
    } catch (problem) {
      report(`This is not JSON yet: ${problem.message}`);
    }
  });
  const element = h("div", { class: `field ${wide ? "wide" : ""}`.trim() },
    h("label", { for: id }, h("span", {}, label), key && h("code", { class: "key" }, key)),
    input, suggestions && h("datalist", { id: `${id}-list` }, suggestions.map((value) => h("option", { value }))), error);
  if (type === "select") fillOptions(input, field.options, field.empty);
  return {
    element, focus: () => input.focus(),
    setLabel: (text) => { element.querySelector("label span").textContent = text; },
    setOptions: (options) => fillOptions(input, options, field.empty),
    show(value) {
      if (input.value === value) return;
      // What is being typed may be written differently in the JSON.
      if (document.activeElement === input && type === "json" && isSameJSON(input.value, value)) return;
      if (type === "select" && ![...input.options].some((option) => option.value === value)) input.append(h("option", { value }, value));
      input.value = value;
      report("");
    },
  };
}

/** Options are texts, or pairs of a value and a label. */
function fillOptions(select, options, empty = "not set") {
  const { value } = select;
  const rows = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  replace(select, empty === null ? null : h("option", { value: "" }, empty), rows.map(([key, label]) => h("option", { value: key }, label)));
  select.value = value;
}

function isSameJSON(one, other) {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
  } catch {
    return one === other;
  }
}
