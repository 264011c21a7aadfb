// The pushes that wait for the phone.

import { h, foreign, replace } from "../../core/dom.js";
import { all } from "../../core/api.js";
import { count, plural, time } from "../../core/format.js";
import { href } from "../../core/router.js";

const PAUSE = 300;
const MOST = 200;
const KINDS = new Set(["stored", "delivered", "dropped", "collapsed", "state", "unregistered"]);

export class Pending {
  constructor(id) {
    this.id = id;
    this.element = h("div", { class: "stack" });
    this.number = h("span", { class: "badge note", hidden: true });
    /** The label of the tab, with the number of pushes that wait. */
    this.label = h("span", { class: "row" }, "Waiting", this.number);
    this.read();
  }

  async open() {
    await this.read();
    return this.element;
  }

  heard(events) {
    if (!events.some(({ kind }) => KINDS.has(kind))) return;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.read();
    }, PAUSE);
  }

  async read() {
    let pending;
    try {
      pending = await all(`/devices/${encodeURIComponent(this.id)}/pending`, "pending");
    } catch (problem) {
      return replace(this.element, h("p", { class: "problem" }, problem.message));
    }
    this.number.textContent = count(pending.length);
    this.number.hidden = pending.length === 0;
    if (pending.length === 0) return replace(this.element, h("p", { class: "muted" }, "No push waits for this phone. While it is offline, or saves power, pushes wait here until they expire."));
    replace(this.element,
      h("p", { class: "muted" }, `${plural(pending.length, "push", "pushes")} ${pending.length === 1 ? "waits" : "wait"} for this phone.`),
      h("table", { class: "plain-table" },
        h("thead", {}, h("tr", {}, ["Push", "Since", "Expires", "Collapse id"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, pending.slice(0, MOST).map((push) => h("tr", {},
          h("td", {}, h("a", { href: href(["pushes", push.id]) }, push.id)), h("td", {}, time(push.since)),
          h("td", {}, push.expires ? time(push.expires) : "never"), h("td", {}, foreign(push.collapseId ?? "–", { limit: 60 })))))),
      pending.length > MOST && h("p", { class: "muted" }, `The oldest ${MOST} are listed.`));
  }

  close() {
    clearTimeout(this.timer);
  }
}
