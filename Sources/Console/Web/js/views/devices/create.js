// The form for new devices: one, or a thousand.

import { h, replace } from "../../core/dom.js";
import { post } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { notice } from "../../core/notice.js";
import { PLATFORMS, choicesOf } from "../../model/states.js";
import { FIELDS, fieldAt, isFor, specOf } from "./fields.js";

/**
 * @param given values to begin with, such as `{platform, app}`
 * @param onCreated called with the new devices
 */
export function createDialog(given, onCreated) {
  const problem = h("p", { class: "problem", role: "alert" });
  const fields = new Map(FIELDS.map((field) => [field.name, make(field, given)]));
  const platform = h("fieldset", { class: "row platforms" }, h("legend", { class: "visually-hidden" }, "Platform"),
    PLATFORMS.map(([value, label]) => h("label", { class: "check" },
      h("input", { type: "radio", name: "platform", value, checked: value === (given.platform || "ios"), on: { change: () => adapt() } }), label)));
  const submit = h("button", { type: "submit", class: "primary" }, "Create");
  const form = h("form", { class: "stack", novalidate: true },
    h("h2", {}, "New devices"), platform, h("div", { class: "create-fields" }, [...fields.values()].map(({ element }) => element)), problem,
    h("div", { class: "row" }, submit, h("button", { type: "button", on: { click: () => dialog.close() } }, "Cancel")));
  const dialog = h("dialog", { class: "create-dialog", "aria-label": "New devices", on: { close: () => dialog.remove() } }, form);

  const chosen = () => form.querySelector("[name=platform]:checked").value;

  /** Shows the fields that the platform has. */
  function adapt() {
    for (const field of FIELDS) fields.get(field.name).element.hidden = !isFor(field, chosen());
    const app = fields.get("app").input;
    const examples = { web: "https://example.com" };
    if (Object.values({ ...examples, other: "com.example.app" }).includes(app.value)) app.value = examples[chosen()] ?? "com.example.app";
    const { options } = choicesOf(chosen()).find((choice) => choice.name === "permission");
    replace(fields.get("permission").input, options.map(([value, text]) => h("option", { value }, text)));
  }

  function show(pointer, message) {
    const found = fields.get(fieldAt(pointer));
    if (!found || found.element.hidden) return replace(problem, message);
    replace(found.problem, message);
    found.input.setAttribute("aria-invalid", "true");
    found.input.focus();
  }

  function clear() {
    replace(problem);
    for (const { problem: text, input } of fields.values()) {
      replace(text);
      input.removeAttribute("aria-invalid");
    }
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clear();
    submit.disabled = true;
    try {
      const values = Object.fromEntries([...fields].map(([name, { input }]) => [name, input.value.trim()]));
      const { devices } = await post("/devices", specOf(chosen(), values));
      dialog.close();
      notice(`Created ${plural(devices.length, "device")}.`);
      onCreated(devices);
    } catch (failure) {
      show(failure.pointer, failure.message);
    } finally {
      submit.disabled = false;
    }
  });
  adapt();
  document.body.append(dialog);
  dialog.showModal();
  fields.get("app").input.focus();
}

function make({ name, label, options, area, hint, ...attributes }, given) {
  const id = `create-${name}`;
  const common = { id, name, "aria-describedby": `${id}-problem`, ...attributes, platforms: null, wide: null };
  const input = options ? h("select", common, options.map(([value, text]) => h("option", { value }, text)))
    : h(area ? "textarea" : "input", { autocomplete: "off", spellcheck: "false", ...common, value: given[name] ?? attributes.value ?? "" });
  const problem = h("span", { class: "problem", id: `${id}-problem`, role: "alert" });
  const element = h("div", { class: `create-field ${area ? "wide" : ""}` },
    h("label", { class: "field", for: id }, h("span", {}, label, hint && h("span", { class: "create-hint" }, ` (${hint})`)), input), problem);
  return { element, input, problem };
}
