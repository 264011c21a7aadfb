// What happened to the phone, newest first: each step with the rule that decided.

import { h, foreign, replace } from "../../core/dom.js";
import { get, query } from "../../core/api.js";
import { time } from "../../core/format.js";
import { href } from "../../core/router.js";
import { happened } from "../../model/happened.js";
import { ruleLink } from "../../model/rulebook.js";

const KEPT = 400;
const SHOWN = 120;

export class Happened {
  events = [];

  constructor(id) {
    this.id = id;
    this.list = h("ol", { class: "happened" });
    this.element = h("div", { class: "stack" }, this.list);
    this.draw();
  }

  /** Reads the log of the device, from its beginning. */
  async load() {
    const events = [];
    let since = 0;
    while (since !== null) {
      const page = await get(`/events${query({ since, device: this.id, limit: 1000 })}`, { accept: "application/json" });
      events.push(...page.events);
      if (events.length > KEPT) events.splice(0, events.length - KEPT);
      since = page.next === null ? null : Number(page.next);
    }
    const last = events.at(-1)?.seq ?? 0;
    this.events = [...events, ...this.events.filter((event) => event.seq > last)].filter(isNoMissed);
    this.draw();
  }

  add(events) {
    const last = this.events.at(-1)?.seq ?? 0;
    this.events.push(...events.filter((event) => event.seq > last));
    if (this.events.length > KEPT) this.events.splice(0, this.events.length - KEPT);
    this.draw();
  }

  draw() {
    if (this.events.length === 0) {
      replace(this.list, h("li", { class: "muted" }, "Nothing has happened yet."));
      return;
    }
    const rows = new Map([...this.list.children].map((row) => [row.dataset.seq, row]));
    const wanted = this.events.slice(-SHOWN).reverse().map((event) => rows.get(String(event.seq)) ?? row(event));
    const isSame = wanted.length === this.list.childElementCount && wanted[0] === this.list.firstChild;
    if (isSame) return;
    // New rows are put before the old ones, so that a link among them keeps the focus.
    for (const old of [...this.list.children]) if (!wanted.includes(old)) old.remove();
    wanted.forEach((element, index) => {
      if (this.list.children[index] !== element) this.list.insertBefore(element, this.list.children[index] ?? null);
    });
  }
}

const isNoMissed = (event) => event.kind !== "missed";

const LOOKS = {
  presented: "good", refused: "bad", dropped: "warn", suppressed: "warn", stored: "note", collapsed: "warn", opened: "accent", dismissed: "accent", action: "accent",
};

function row(event) {
  return h("li", { "data-seq": event.seq },
    h("span", { class: "happened-when" }, time(event.time)),
    h("span", { class: "happened-what" }, h("span", { class: `badge ${LOOKS[event.kind] ?? ""}` }, event.kind),
      event.push && h("a", { class: "small", href: href(["pushes", event.push]) }, event.push),
      event.why && ruleLink(event.why)),
    foreign(happened(event), { class: "happened-about", limit: 240 }));
}
