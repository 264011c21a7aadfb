// The JSON as text: a text area with line numbers, marks at lines with findings, and completion.

import { h, replace } from "../../core/dom.js";
import { place } from "../../model/json/parse.js";
import { Completion } from "./completion.js";

/** More lines than any payload that can be sent has. */
const MOST_LINES = 20_000;

/** Types a text over a part of the text area, so that the browser's "undo" knows it. */
export function typeInto(area, start, end, text, back = 0) {
  area.focus();
  area.setSelectionRange(start, end);
  const isDone = document.execCommand(text === "" ? "delete" : "insertText", false, text);
  if (!isDone) {
    area.setRangeText(text, start, end, "end");
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  if (back) area.setSelectionRange(area.selectionStart - back, area.selectionStart - back);
}

export class Editor {
  #lines = 0;

  /** @param onInput called with the text; @param onPaste with the text that a paste has made; @param fields returns the fields of the payload */
  constructor({ onInput, onPaste, fields }) {
    this.error = h("p", { class: "json-error", id: "json-error", role: "status" });
    this.numbers = h("pre", { class: "numbers" });
    this.marks = h("div", { class: "marks" });
    this.area = h("textarea", {
      class: "source", "aria-label": "JSON", "aria-describedby": this.error.id, wrap: "off", spellcheck: "false", autocomplete: "off",
      autocapitalize: "off", autocorrect: "off",
      on: {
        input: () => { this.#count(); onInput(this.area.value); }, scroll: () => this.#scroll(), keydown: (event) => this.#key(event),
        paste: () => setTimeout(() => onPaste(this.area.value)),
      },
    });
    this.box = h("div", { class: "editor" }, h("div", { class: "gutter", "aria-hidden": "true" }, h("div", { class: "moved" }, this.numbers, this.marks)), this.area);
    this.completion = new Completion(this.area, this.box, fields);
    this.element = h("div", { class: "editor-part" }, this.box, this.error);
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    if (this.area.value === text) return;
    const { scrollTop, selectionStart } = this.area;
    this.area.value = text;
    this.area.setSelectionRange(selectionStart, selectionStart);
    this.area.scrollTop = scrollTop;
    this.completion.close();
    this.#count();
  }

  /** Marks lines: `[{line, severity, text}]`. */
  mark(rows) {
    replace(this.marks, rows.map(({ line, severity, text }) => {
      const mark = h("span", { class: `mark ${severity}`, title: text });
      mark.style.top = `calc(var(--code-line) * ${line - 1})`;
      return mark;
    }));
  }

  /** Says why the text is not JSON; null if it is. */
  report(error) {
    const at = error && place(this.text, error.offset);
    this.error.textContent = error ? `Line ${at.line}, column ${at.column}: ${error.message}` : "";
    this.area.setAttribute("aria-invalid", String(error !== null));
  }

  /** Puts the cursor at an offset, in the middle of what can be seen. */
  goTo(offset) {
    const { line } = place(this.text, offset);
    this.area.focus();
    this.area.setSelectionRange(offset, offset);
    this.area.scrollTop = Math.max(0, (line - 1) * this.lineHeight - this.area.clientHeight / 2);
  }

  get lineHeight() {
    return parseFloat(getComputedStyle(this.area).lineHeight);
  }

  #count() {
    const lines = Math.min(this.text.split("\n").length, MOST_LINES);
    if (lines === this.#lines) return;
    this.#lines = lines;
    this.numbers.textContent = Array.from({ length: lines }, (_, index) => index + 1).join("\n");
  }

  #scroll() {
    this.numbers.parentElement.style.transform = `translateY(${-this.area.scrollTop}px)`;
    this.completion.close();
  }

  /** A new line keeps the indentation, and a quote brings its closing one. */
  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { selectionStart: start, selectionEnd: end, value } = this.area;
    if (event.key === "Enter") {
      event.preventDefault();
      const indent = /^[ \t]*/.exec(value.slice(value.lastIndexOf("\n", start - 1) + 1))[0];
      const isOpen = "{[".includes(value[start - 1] ?? " ");
      const isPair = isOpen && "}]".includes(value[end] ?? " ");
      const closing = isPair ? `\n${indent}` : "";
      typeInto(this.area, start, end, `\n${indent}${isOpen ? "  " : ""}${closing}`, closing.length);
    } else if (event.key === '"' && start === end) {
      if (value[start] === '"' && value[start - 1] !== "\\") {
        event.preventDefault();
        this.area.setSelectionRange(start + 1, start + 1);
      } else if (/[\s,}\]]/.test(value[start] ?? " ") && /[\s,{[:]/.test(value[start - 1] ?? " ")) {
        event.preventDefault();
        typeInto(this.area, start, end, '""', 1);
        this.completion.offer();
      }
    }
  }
}
