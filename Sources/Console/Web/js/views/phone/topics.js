// The FCM topics of the phone.

import { h, foreign, replace } from "../../core/dom.js";
import { all, put, remove } from "../../core/api.js";
import { attempt } from "../../core/notice.js";

const PAUSE = 150;
const KINDS = new Set(["subscribed", "unsubscribed", "registered", "unregistered"]);

export class Topics {
  constructor(id) {
    this.id = id;
    const field = h("input", { name: "topic", placeholder: "news", autocomplete: "off", spellcheck: "false", required: true });
    const form = h("form", { class: "row" }, h("label", { class: "field" }, "Topic", field), h("button", { type: "submit" }, "Subscribe"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const name = field.value.trim().replace(/^\/topics\//, "");
      if (name && (await attempt(() => put(this.pathOf(name)).then(() => true)))) field.value = "";
    });
    this.list = h("ul", { class: "device-topics" });
    this.element = h("div", { class: "stack" }, this.list, form);
  }

  pathOf(name) {
    return `/topics/${encodeURIComponent(name)}/devices/${encodeURIComponent(this.id)}`;
  }

  async open() {
    await this.read();
    return this.element;
  }

  heard(events) {
    if (!this.element.isConnected || !events.some(({ kind }) => KINDS.has(kind))) return;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.read();
    }, PAUSE);
  }

  async read() {
    const topics = await attempt(() => all(`/devices/${encodeURIComponent(this.id)}/topics`, "topics"));
    if (!topics) return;
    replace(this.list, topics.length === 0 ? h("li", { class: "muted" }, "No topics.") : topics.map(({ name }) => h("li", {},
      foreign(name, { class: "mono", limit: 200 }),
      h("button", { type: "button", class: "quiet", "aria-label": `Unsubscribe from ${name}`, on: { click: () => attempt(() => remove(this.pathOf(name))) } }, "Unsubscribe"))));
  }

  close() {
    clearTimeout(this.timer);
  }
}
