// The inbox: pushes as they arrive, and the one that is read beside them.

import { h, replace } from "../core/dom.js";
import { base } from "../core/api.js";
import { hasLetters } from "../core/keys.js";
import { attempt } from "../core/notice.js";
import { go, parse } from "../core/router.js";
import { VirtualList } from "../core/virtual.js";
import { platformOf } from "../model/apps.js";
import { ReadMarks } from "../model/marks.js";
import { Pushes } from "../model/pushes.js";
import { Selection } from "../model/selection.js";
import { deleteAll, deleteSelected, readAll, readSelected } from "./inbox/actions.js";
import { filterBar, readFilters } from "./inbox/filters.js";
import { fillRow, makeRow, ROW_HEIGHT } from "./inbox/row.js";
import { Toolbar } from "./inbox/toolbar.js";
import { pushPane } from "./push/pane.js";
import { startPage } from "./start.js";

export const title = "Inbox";
/** The rows look different after these: another icon, or a date instead of a time. */
const REDRAWN = ["pushpit:platforms", "pushpit:day"];
const MARKS = `pushpit.read ${base.pathname}`;

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
      if (row) this.click(event, Number(row.dataset.index));
    });
    this.marks = new ReadMarks(localStorage, MARKS);
    this.heardMarks = (event) => event.key === MARKS && (this.marks.load(), this.redraw());
    addEventListener("storage", this.heardMarks);
    this.heardLooks = () => this.redraw();
    for (const kind of REDRAWN) document.addEventListener(kind, this.heardLooks);
    this.selection = new Selection();
    this.bar = h("div");
    this.toolbar = new Toolbar({
      newest: () => { this.list.element.scrollTop = 0; },
      read: () => readSelected(this), readAll: () => readAll(this), delete: () => deleteSelected(this), deleteAll: () => deleteAll(this),
      clear: () => this.clear(), clearFilters: () => go(this.id ? ["pushes", this.id] : ["pushes"], this.withTab(""), { replaces: true }),
    });
    this.pane = h("section", { class: "pane", "aria-label": "The push" });
    this.element = h(
      "div", { class: "inbox" },
      h("section", { class: "list", "aria-label": "Received pushes" }, h("h1", { class: "visually-hidden" }, "Inbox"), this.bar, this.toolbar.element, this.list.element),
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
      this.selection.clear();
      this.pushes = new Pushes(this.filters, (added) => this.changed(added));
      attempt(() => this.pushes.load());
    }
    if (this.id !== id || this.tab !== tab || !this.shownPane) {
      Object.assign(this, { id, tab });
      this.shownPane?.close?.();
      this.shownPane = id ? pushPane(id, { tab, onClose: () => go(["pushes"], this.search), onTab: (name) => this.choseTab(name) }) : null;
      this.element.classList.toggle("reading", id !== null);
      this.showPane();
      this.markOpen();
      this.redraw();
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
    this.markOpen();
    this.showInfo();
    this.showPane();
    this.showLinked();
  }

  /** The push that is open counts as read. */
  markOpen() {
    if (this.id === null || this.marked === this.id) return;
    const row = this.pushes.rows.find(({ id }) => id === this.id);
    if (!row) return;
    this.marked = this.id;
    this.marks.add([row]);
  }

  redraw() {
    this.list.update(this.pushes.rows.length);
    this.showInfo();
  }

  /** Beside an empty inbox stands how to send the first push. */
  showPane() {
    if (this.shownPane) {
      if (this.pane.firstChild !== this.shownPane.element) replace(this.pane, this.shownPane.element);
      return;
    }
    const isNone = this.pushes.rows.length === 0;
    const isEmpty = isNone && this.search === "";
    const state = `${isNone} ${isEmpty}`;
    if (this.pane.dataset.shows === state && this.pane.dataset.of === "nothing" && this.pane.firstChild?.dataset?.of) return;
    Object.assign(this.pane.dataset, { shows: state, of: "nothing" });
    const shown = isEmpty ? startPage() : h("p", { class: "empty" }, isNone ? "" : "Select a push to see what a phone does with it.");
    shown.dataset.of = "nothing";
    replace(this.pane, shown);
  }

  showInfo() {
    const { rows, hasMore } = this.pushes;
    const unread = rows.reduce((sum, row) => sum + (this.marks.has(row) ? 0 : 1), 0);
    const selected = this.selection.isEmpty ? 0 : rows.filter(({ id }) => this.selection.ids.has(id)).length;
    this.list.element.classList.toggle("selecting", selected > 0);
    this.toolbar.show({ total: rows.length, hasMore, unseen: this.unseen, unread, selected, isFiltered: this.search !== "" });
  }

  /** Shift and Ctrl (or Cmd) select, as in other lists. So does the mark at the start of a row. */
  click(event, index) {
    const { rows } = this.pushes;
    if (event.shiftKey) this.selection.extend(rows, index, Math.max(0, this.openIndex));
    else if (event.ctrlKey || event.metaKey || event.target.closest(".mark")) this.selection.toggle(rows[index]);
    else return this.select(index);
    return this.redraw();
  }

  select(index) {
    const row = this.pushes.rows[index];
    if (row) go(["pushes", row.id], this.withTab(this.search), { replaces: this.id !== null });
  }

  /** The address changes at once, the view a moment later: two quick keys are two steps. */
  get openIndex() {
    const id = parse().parts[1];
    return this.pushes.rows.findIndex((row) => row.id === id);
  }

  key(event) {
    const last = this.pushes.rows.length - 1;
    const isLetter = event.key.length === 1 && event.key !== " ";
    if (event.ctrlKey || event.metaKey || last < 0 || (isLetter && !hasLetters())) return;
    const present = this.openIndex;
    const step = Math.floor(this.list.element.clientHeight / ROW_HEIGHT) - 1;
    const next = {
      ArrowDown: present + 1, j: present + 1, ArrowUp: present - 1, k: present - 1, Home: 0, End: last,
      PageDown: present + step, PageUp: present - step,
    }[event.key];
    const act = {
      x: () => this.toggle(present), " ": () => this.toggle(present), Delete: () => deleteSelected(this),
      Escape: this.selection.isEmpty ? undefined : () => this.clear(),
    }[event.key];
    if (next === undefined && !act) return;
    event.preventDefault();
    if (act) return act();
    const index = Math.min(Math.max(next, 0), last);
    if (event.shiftKey) this.selection.extend(this.pushes.rows, index, Math.max(0, present));
    this.select(index);
    this.list.scrollTo(index);
    if (event.shiftKey) this.redraw();
  }

  toggle(index) {
    const row = this.pushes.rows[Math.max(0, index)];
    this.selection.toggle(row);
    this.redraw();
  }

  clear() {
    this.selection.clear();
    this.redraw();
    this.list.element.focus({ preventScroll: true });
  }

  fillRow(element, index) {
    const row = this.pushes.rows[index];
    if (!row) return;
    element.dataset.index = index;
    fillRow(element, row, {
      badge: this.pushes.outcomes.badge(row.id), platform: platformOf(row.devices[0]), isOpen: row.id === this.id, isRead: this.marks.has(row),
      isSelected: this.selection.ids.has(row.id), isSelecting: !this.selection.isEmpty,
    });
  }

  close() {
    removeEventListener("storage", this.heardMarks);
    for (const kind of REDRAWN) document.removeEventListener(kind, this.heardLooks);
    this.pushes.close();
    this.list.close();
    this.shownPane?.close?.();
  }
}
