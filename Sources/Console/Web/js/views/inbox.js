// The inbox: pushes as they arrive, and the one that is read beside them.

import { h, foreign, replace } from "../core/dom.js";
import { count, exactTime, plural, shortTime } from "../core/format.js";
import { icon } from "../core/icons.js";
import { attempt } from "../core/notice.js";
import { go, parse } from "../core/router.js";
import { VirtualList } from "../core/virtual.js";
import { Pushes } from "../model/pushes.js";
import { filterBar, readFilters } from "./inbox/filters.js";
import { pushPane } from "./push/pane.js";
import { startPage } from "./start.js";

export const title = "Inbox";
const ROW_HEIGHT = 60;

export function open(parameters) {
  return new Inbox(parameters);
}

class Inbox {
  constructor({ id, query }) {
    this.list = new VirtualList({
      height: ROW_HEIGHT, label: "Pushes", make: makeRow, fill: (element, index) => this.fillRow(element, index),
      onEnd: () => attempt(() => this.pushes.more()),
    });
    this.list.element.addEventListener("keydown", (event) => this.key(event));
    this.list.element.addEventListener("click", (event) => {
      const row = event.target.closest(".push-row");
      if (row) this.select(Number(row.dataset.index));
    });
    this.bar = h("div");
    this.info = h("div", { class: "info" });
    this.pane = h("section", { class: "pane", "aria-label": "The push" });
    this.element = h(
      "div", { class: "inbox" },
      h("section", { class: "list", "aria-label": "Received pushes" }, h("h1", { class: "visually-hidden" }, "Inbox"), this.bar, this.info, this.list.element),
      this.pane);
    this.unseen = 0;
    this.list.element.addEventListener("scroll", () => {
      if (this.list.isAtTop && this.unseen) {
        this.unseen = 0;
        this.showInfo();
      }
    }, { passive: true });
    this.update({ id, query });
  }

  update({ id, query: given }) {
    // The tab of the push stands beside the filters in the address.
    const query = new URLSearchParams(given);
    const tab = query.get("tab");
    query.delete("tab");
    const search = String(query);
    if (this.search !== search) {
      this.search = search;
      this.filters = readFilters(query);
      replace(this.bar, filterBar(query, (next) => go(this.id ? ["pushes", this.id] : ["pushes"], this.withTab(next), { replaces: true })));
      this.pushes?.close();
      this.unseen = 0;
      this.pushes = new Pushes(this.filters, (added) => this.changed(added));
      attempt(() => this.pushes.load());
    }
    if (this.id !== id || this.tab !== tab || !this.shownPane) {
      Object.assign(this, { id, tab });
      this.shownPane?.close?.();
      this.shownPane = id ? pushPane(id, { tab, onClose: () => go(["pushes"], this.search), onTab: (name) => this.choseTab(name) }) : null;
      this.element.classList.toggle("reading", id !== null);
      this.showPane();
      this.list.update(this.pushes.rows.length);
    }
  }

  /** The address gets the tab that the person chose, without opening the push again. */
  choseTab(tab) {
    this.tab = tab;
    go(["pushes", this.id], this.withTab(this.search), { replaces: true });
  }

  withTab(filters) {
    const query = new URLSearchParams(filters);
    if (this.tab) query.set("tab", this.tab);
    return query;
  }

  /** A link to a push shows it in the list, too. */
  showLinked() {
    const index = this.pushes.rows.findIndex((row) => row.id === this.id);
    if (this.hasShownLinked || index < 0) return;
    this.hasShownLinked = true;
    this.list.scrollTo(index);
  }

  changed(added) {
    if (added && !this.list.isAtTop) this.unseen += added;
    this.list.update(this.pushes.rows.length, this.list.isAtTop ? 0 : added);
    this.showInfo();
    this.showPane();
    this.showLinked();
  }

  /** Beside an empty inbox stands how to send the first push. */
  showPane() {
    if (this.shownPane) {
      if (this.pane.firstChild !== this.shownPane.element) replace(this.pane, this.shownPane.element);
      return;
    }
    const isEmpty = this.pushes.rows.length === 0 && this.search === "";
    if (this.pane.dataset.shows === String(isEmpty) && this.pane.dataset.of === "nothing" && this.pane.firstChild?.dataset?.of) return;
    Object.assign(this.pane.dataset, { shows: String(isEmpty), of: "nothing" });
    const shown = isEmpty ? startPage() : h("p", { class: "empty" }, "Select a push to see what a phone makes of it.");
    shown.dataset.of = "nothing";
    replace(this.pane, shown);
  }

  showInfo() {
    const { rows, hasMore } = this.pushes;
    replace(
      this.info, h("span", {}, rows.length === 0 ? "No pushes" : `${count(rows.length)}${hasMore ? "+" : ""} ${rows.length === 1 ? "push" : "pushes"}`),
      this.unseen > 0 && h("button", { type: "button", class: "primary", on: { click: () => this.showNewest() } }, `${plural(this.unseen, "new push", "new pushes")}`));
  }

  showNewest() {
    this.list.element.scrollTop = 0;
  }

  select(index) {
    const row = this.pushes.rows[index];
    if (row) go(["pushes", row.id], this.withTab(this.search), { replaces: this.id !== null });
  }

  key(event) {
    // The address changes at once, the view a moment later: two quick keys are two steps.
    const id = parse().parts[1];
    const present = this.pushes.rows.findIndex((row) => row.id === id);
    const last = this.pushes.rows.length - 1;
    const step = Math.floor(this.list.element.clientHeight / ROW_HEIGHT) - 1;
    const next = {
      ArrowDown: present + 1, j: present + 1, ArrowUp: present - 1, k: present - 1, Home: 0, End: last,
      PageDown: present + step, PageUp: present - step,
    }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || last < 0) return;
    event.preventDefault();
    const index = Math.min(Math.max(next, 0), last);
    this.select(index);
    this.list.scrollTo(index);
  }

  fillRow(element, index) {
    const row = this.pushes.rows[index];
    if (!row) return;
    const badge = this.pushes.outcomes.badge(row.id);
    const isSelected = row.id === this.id;
    element.dataset.index = index;
    element.id = `row-${row.id}`;
    element.setAttribute("aria-selected", String(isSelected));
    if (isSelected) this.list.element.setAttribute("aria-activedescendant", element.id);
    const isRefused = row.outcome === "refused";
    replace(
      element,
      h("span", { class: "mark", title: row.provider === "apns" ? "APNs" : "FCM" }, icon(row.isForMany ? "many" : row.provider === "apns" ? "ios" : "android")),
      h("span", { class: "first" }, foreign(row.summary.title || row.summary.body, { class: "title clip", limit: 120 }),
        row.summary.title && foreign(row.summary.body, { class: "text clip", limit: 160 })),
      h("time", { class: "time", datetime: row.time, title: exactTime(row.time) }, shortTime(row.time)),
      h("span", { class: "second" }, foreign(row.app, { class: "clip", limit: 80 }), h("span", { "aria-hidden": "true" }, "·"), foreign(row.target, { class: "clip", limit: 80 })),
      h("span", { class: "badges" },
        row.worst && row.worst.severity !== "note" && h("span", { class: `badge ${row.worst.severity === "error" ? "bad" : "warn"}` }, plural(row.worst.count, "finding")),
        isRefused ? h("span", { class: "badge bad" }, `${row.status} ${row.reason ?? ""}`.trim()) : badge && h("span", { class: `badge ${badge.kind}` }, badge.text)));
  }

  close() {
    this.pushes.close();
    this.list.close();
    this.shownPane?.close?.();
  }
}

function makeRow() {
  return h("div", { class: "push-row", role: "option" });
}
