// The filters of the wall. They stand in the address, so a link keeps them.

import { h, replace } from "../../core/dom.js";
import { count } from "../../core/format.js";
import { PLATFORMS } from "../../model/states.js";

const PAUSE = 200;
const MOST_APPS = 200;

export const readFilters = (query) => ({ app: query.get("app") ?? "", platform: query.get("platform") ?? "", text: query.get("text") ?? "" });

export class Bar {
  /** @param onChange called with the filters that the person wants */
  constructor(onChange) {
    this.field = h("input", { type: "search", name: "text", placeholder: "Name, id, app or token", "aria-label": "Search devices", autocomplete: "off", spellcheck: "false" });
    this.app = h("select", { name: "app", "aria-label": "App" });
    this.platform = h("select", { name: "platform", "aria-label": "Platform" },
      h("option", { value: "" }, "All platforms"), PLATFORMS.map(([value, label]) => h("option", { value }, label)));
    const change = () => {
      clearTimeout(this.timer);
      onChange({ app: this.app.value, platform: this.platform.value, text: this.field.value.trim() });
    };
    this.app.addEventListener("change", change);
    this.platform.addEventListener("change", change);
    for (const event of ["change", "search"]) this.field.addEventListener(event, change);
    this.field.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(change, PAUSE);
    });
    this.element = h("div", { class: "row wall-filters", role: "search", "aria-label": "Devices" }, this.field, this.app, this.platform);
  }

  update(filters, rows) {
    const apps = new Map();
    for (const row of rows) apps.set(row.app, (apps.get(row.app) ?? 0) + 1);
    if (filters.app && !apps.has(filters.app)) apps.set(filters.app, 0);
    const options = JSON.stringify([...apps].slice(0, MOST_APPS));
    if (options !== this.options) {
      this.options = options;
      replace(this.app, h("option", { value: "" }, "All apps"),
        [...apps].slice(0, MOST_APPS).map(([app, number]) => h("option", { value: app }, `${app.slice(0, 80)} (${count(number)})`)));
    }
    this.app.value = filters.app;
    this.platform.value = filters.platform;
    if (document.activeElement !== this.field) this.field.value = filters.text;
  }

  close() {
    clearTimeout(this.timer);
  }
}
