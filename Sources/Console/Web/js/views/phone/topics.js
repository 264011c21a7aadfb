// The FCM topics of the phone. The API has no list of them, so they come from the log of the device.

import { h, foreign, replace } from "../../core/dom.js";
import { call, put } from "../../core/api.js";
import { attempt } from "../../core/notice.js";
import { topicsOf } from "../../model/happened.js";

export class Topics {
  constructor(device, happened) {
    Object.assign(this, { id: device.id, happened });
    happened.onLoad = () => this.update();
    const field = h("input", { name: "topic", placeholder: "news", autocomplete: "off", spellcheck: "false", required: true });
    const form = h("form", { class: "row" }, h("label", { class: "field" }, "Topic", field), h("button", { type: "submit" }, "Subscribe"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const name = field.value.trim().replace(/^\/topics\//, "");
      if (name && (await attempt(() => put(this.pathOf(name)).then(() => true)))) field.value = "";
    });
    this.list = h("ul", { class: "device-topics" });
    this.element = h("div", { class: "stack" }, this.list, form,
      h("p", { class: "muted small" }, "Listed are the subscriptions that the event log still knows."));
    this.update();
  }

  pathOf(name) {
    return `/topics/${encodeURIComponent(name)}/devices/${encodeURIComponent(this.id)}`;
  }

  update() {
    const topics = topicsOf(this.happened.events);
    const looks = topics.join("\n");
    if (looks === this.looks) return;
    this.looks = looks;
    replace(this.list, topics.length === 0 ? h("li", { class: "muted" }, "No topics.") : topics.map((name) => h("li", {},
      foreign(name, { class: "mono", limit: 200 }),
      h("button", { type: "button", class: "quiet", "aria-label": `Unsubscribe from ${name}`, on: { click: () => attempt(() => call("DELETE", this.pathOf(name))) } }, "Unsubscribe"))));
  }
}
