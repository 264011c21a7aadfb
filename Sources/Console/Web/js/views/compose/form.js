// The part of the form that stands for the JSON: groups of fields, and rows of names and values.

import { h, replace } from "../../core/dom.js";
import { read, readMap } from "../../model/compose/fields.js";
import { control } from "./control.js";

export class Form {
  #groups = null;
  #parts = [];

  /** @param onField called with a field and its new value; @param onMap with a map and its new rows */
  constructor({ onField, onMap }) {
    Object.assign(this, { onField, onMap });
    this.fields = h("fieldset", { class: "groups" }, h("legend", { class: "visually-hidden" }, "Payload"));
    this.note = h("p", { class: "paused", hidden: true });
    this.element = h("div", { class: "stack" }, this.note, this.fields);
  }

  /** Shows these groups with the values of the text. `root` is null while the text is not JSON: then the form waits. */
  show(groups, text, root, reason = "") {
    this.fields.disabled = root === null;
    this.note.hidden = root !== null;
    this.note.textContent = root === null ? `The form works again when the JSON is valid. ${reason}` : "";
    const isNew = groups.some((group, index) => group !== this.#groups?.[index]) || groups.length !== this.#groups.length;
    if (isNew) this.#build(groups);
    if (root === null) return;
    for (const part of this.#parts) part.show(text, root, isNew);
  }

  #build(groups) {
    this.#groups = groups;
    this.#parts = groups.map((group) => (group.map ? this.#mapPart(group) : this.#fieldPart(group)));
    replace(this.fields, h("legend", { class: "visually-hidden" }, "Payload"), this.#parts.map((part) => part.element));
  }

  #fieldPart(group) {
    const controls = group.fields.map((field) => ({ field, ...control(field, (input) => this.onField(field, input)) }));
    const count = h("span", { class: "badge accent" });
    const body = h("div", { class: "fields" }, controls.map((row) => row.element));
    const element = group.isOptional
      ? h("details", { class: "group" }, h("summary", {}, h("h2", {}, group.title), count), body)
      : h("section", { class: "group" }, h("h2", {}, group.title), body);
    return { element, show(text, root, isNew) {
      let used = 0;
      for (const { field, show } of controls) {
        const value = read(text, root, field);
        if (value !== "" && value !== false) used++;
        show(value);
      }
      count.textContent = `${used} set`;
      count.hidden = used === 0;
      if (isNew && group.isOptional && used > 0) element.open = true;
    } };
  }

  #mapPart({ title, map }) {
    const list = h("div", { class: "map" });
    let rows = [];
    const changed = () => this.onMap(map, rows);
    const draw = () => replace(list, rows.map((row, index) => h("div", { class: "pair" },
      h("input", { type: "text", class: "mono", value: row[0], placeholder: "name", "aria-label": `Name ${index + 1}`, autocomplete: "off", spellcheck: "false", on: { input: (event) => { row[0] = event.target.value; changed(); } } }),
      h("input", { type: "text", value: row[1], placeholder: "value", "aria-label": `Value ${index + 1}`, autocomplete: "off", spellcheck: "false", on: { input: (event) => { row[1] = event.target.value; changed(); } } }),
      h("button", { type: "button", class: "quiet icon", "aria-label": `Remove ${row[0] || `row ${index + 1}`}`, on: { click: () => { rows.splice(index, 1); draw(); changed(); add.focus(); } } }, "×"))));
    const add = h("button", { type: "button", class: "quiet", on: { click: () => { rows.push(["", ""]); draw(); list.querySelector(".pair:last-child input").focus(); } } }, "+ Add a value");
    const written = () => JSON.stringify([...new Map(rows.filter(([key]) => key !== ""))]);
    return {
      element: h("section", { class: "group" }, h("h2", {}, title), list, add),
      show(text, root) {
        const next = readMap(text, root, map);
        if (JSON.stringify(next) === written()) return;
        rows = next;
        draw();
      },
    };
  }
}
