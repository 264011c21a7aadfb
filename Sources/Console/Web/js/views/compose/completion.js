// Completion under the cursor: a list of names or values, chosen by keyboard or mouse (the combobox pattern of ARIA).

import { h, replace } from "../../core/dom.js";
import { suggest } from "../../model/compose/suggestions.js";
import { contextAt } from "../../model/json/cursor.js";
import { typeInto } from "./editor.js";

export class Completion {
  #rows = [];
  #context = null;
  #active = 0;
  #measure = document.createElement("canvas").getContext("2d");

  constructor(area, box, fields) {
    Object.assign(this, { area, box, fields });
    this.list = h("ul", { class: "completion", role: "listbox", id: "completion", "aria-label": "Completions", hidden: true });
    this.status = h("span", { class: "visually-hidden", role: "status" });
    box.append(this.list, this.status);
    for (const [name, value] of Object.entries({ "aria-autocomplete": "list", "aria-haspopup": "listbox", "aria-controls": this.list.id })) area.setAttribute(name, value);
    area.addEventListener("input", (event) => {
      if (event.inputType === "insertText" || event.inputType === "deleteContentBackward") this.offer();
      else this.close();
    });
    area.addEventListener("keydown", (event) => this.#key(event), { capture: true });
    area.addEventListener("blur", () => this.close());
    area.addEventListener("click", () => this.close());
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option) this.#accept(Number(option.dataset.index));
    });
  }

  get isOpen() {
    return !this.list.hidden;
  }

  /** Offers what fits at the cursor. Unless it was asked for, only while something is being typed. */
  async offer({ isAsked = false } = {}) {
    const fields = await this.fields();
    const { value, selectionStart, selectionEnd } = this.area;
    const context = selectionStart === selectionEnd ? contextAt(value, selectionStart) : null;
    const isTyping = context !== null && (context.typed !== "" || value[context.start] === '"');
    const rows = isAsked || isTyping ? suggest(context, fields, value) : [];
    const isDone = rows.length === 1 && value.slice(context.start, context.end) === JSON.stringify(rows[0].label);
    if (rows.length === 0 || isDone || document.activeElement !== this.area) return this.close();
    this.#context = context;
    this.#rows = rows;
    replace(this.list, rows.map((row, index) => h("li", { role: "option", id: `completion-${index}`, "data-index": index },
      h("code", {}, row.label), h("span", { class: "muted clip" }, [row.type, row.about].filter(Boolean).join(" · ")))));
    this.list.hidden = false;
    this.status.textContent = rows.length === 1 ? "1 completion" : `${rows.length} completions`;
    this.#place(context.start);
    return this.#choose(0);
  }

  close() {
    if (!this.isOpen) return;
    this.list.hidden = true;
    this.status.textContent = "";
    this.area.removeAttribute("aria-activedescendant");
  }

  /** The line below the cursor, inside of the editor. */
  #place(start) {
    const style = getComputedStyle(this.area);
    this.#measure.font = style.font;
    const before = this.area.value.slice(0, start).split("\n");
    const height = parseFloat(style.lineHeight);
    const left = this.area.offsetLeft + parseFloat(style.paddingLeft) + this.#measure.measureText(before.at(-1)).width - this.area.scrollLeft;
    const top = this.area.offsetTop + parseFloat(style.paddingTop) + before.length * height - this.area.scrollTop;
    const isLow = top + this.list.offsetHeight > this.box.clientHeight && top - height > this.list.offsetHeight;
    this.list.style.top = `${isLow ? top - height - this.list.offsetHeight : top}px`;
    this.list.style.left = `${Math.max(0, Math.min(left, this.box.clientWidth - this.list.offsetWidth - 8))}px`;
  }

  #choose(index) {
    this.#active = (index + this.#rows.length) % this.#rows.length;
    [...this.list.children].forEach((option, other) => option.setAttribute("aria-selected", String(other === this.#active)));
    const option = this.list.children[this.#active];
    this.area.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  #accept(index) {
    const { insert, back } = this.#rows[index];
    const { start, end } = this.#context;
    this.close();
    typeInto(this.area, start, end, insert, back);
    this.close();
  }

  #key(event) {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      return this.offer({ isAsked: true });
    }
    if (!this.isOpen) return undefined;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key in steps) this.#choose(this.#active + steps[event.key]);
    else if (event.key === "Enter" || event.key === "Tab") this.#accept(this.#active);
    else if (event.key === "Escape") this.close();
    else return undefined;
    event.preventDefault();
    return event.stopPropagation();
  }
}
