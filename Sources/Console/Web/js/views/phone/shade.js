// The notifications on a phone that can be touched: tap, swipe, long look, buttons, and a reply.

import { h } from "../../core/dom.js";
import { notificationCard, stackCard } from "../../preview/card.js";
import { pictureOf } from "../../preview/picture.js";
import { icon } from "../../core/icons.js";
import { stacksOf } from "../../model/stacks.js";
import { replyForm } from "./reply.js";
import { makeSwipeable } from "./swipe.js";

/** More than this are not drawn: nobody scrolls that far on a phone. */
const MOST = 60;
const MINUTE = 60_000;

const keyOf = (entry) => `${entry.push} ${entry.key}`;

export class Shade {
  /** @param onAct called with the body of POST /devices/{id}/act */
  constructor(phone, { onAct }) {
    Object.assign(this, { phone, onAct, shown: new Map(), known: null, expanded: new Map(), unfolded: new Set(), replying: null });
  }

  update(device, now) {
    this.device = device;
    this.now = now;
    const next = new Map();
    for (const [index, { key, looks, make }] of this.rowsOf(device).slice(0, MOST).entries()) {
      const old = this.shown.get(key);
      next.set(key, old?.looks === looks ? Object.assign(old, { index }) : { key, looks, index, element: make() });
    }
    const focused = document.activeElement;
    const had = [...this.shown.values()].find(({ element }) => element.contains(focused));
    for (const [key, row] of this.shown) if (next.get(key) !== row) row.element.remove();
    this.order([...next.values()].map(({ element }) => element));
    this.shown = next;
    this.known = new Set(device.shade.map(keyOf));
    this.phone.element.classList.toggle("busy", next.size > 0);
    if (had && !had.element.isConnected) this.focusAfter(had, next);
  }

  /** What is drawn, from the top: notifications, folded stacks, and the heads of unfolded ones. */
  rowsOf({ platform, shade, state }) {
    const rows = [];
    const push = (key, data, make) => rows.push({ key, make, looks: JSON.stringify([data, state.locked, Math.floor(this.now / MINUTE)]) });
    for (const { key, entries } of stacksOf(platform, shade)) {
      const isStack = entries.length > 1;
      if (isStack && !this.unfolded.has(key)) {
        push(key, [entries.slice(0, 3), entries.length], () => this.stack(key, entries));
        continue;
      }
      if (isStack) push(`head ${key}`, entries.map(keyOf), () => this.head(key, entries));
      for (const entry of entries) {
        const isExpanded = this.isExpanded(entry, rows.length);
        push(keyOf(entry), [entry, isExpanded, this.replying === keyOf(entry)], () => this.entry(entry, isExpanded));
      }
    }
    return rows;
  }

  /** The newest one is open if there is something to see. */
  isExpanded(entry, index) {
    return this.expanded.get(keyOf(entry)) ?? (index === 0 && Boolean(entry.image || entry.actions.length));
  }

  /** Only what is not in place is moved, so that the focus stays. */
  order(elements) {
    const { list } = this.phone;
    elements.forEach((element, index) => {
      if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
  }

  /** A card that had the focus was replaced, or has gone: the focus goes to the same card, or to the next. */
  focusAfter(had, next) {
    const rows = [...next.values()];
    const row = next.get(had.key) ?? rows[Math.min(had.index, rows.length - 1)];
    (row?.element.querySelector("form input, .n-main, button") ?? this.phone.list).focus({ preventScroll: true });
  }

  surface() {
    const { platform, state } = this.device;
    return { ios: state.locked ? "lockScreen" : "list", android: "shade", web: "desktop" }[platform];
  }

  entry(entry, isExpanded) {
    const { device } = this;
    const key = keyOf(entry);
    const dismiss = () => this.onAct({ kind: "dismiss", notification: entry.key });
    const card = notificationCard(device.platform, entry, {
      app: device.app, expanded: isExpanded, now: this.now, surface: this.surface(),
      picture: entry.image ? pictureOf(entry.image) : null,
      onOpen: () => this.onAct({ kind: "open", notification: entry.key }),
      onDismiss: dismiss,
      onAction: (id) => this.action(entry, id),
    });
    const hasMore = device.platform !== "web" && (entry.image || entry.actions.length || entry.body.length > 80);
    const more = hasMore && h("button", { type: "button", class: "phone-expand", "aria-expanded": String(isExpanded), "aria-label": isExpanded ? "Show less" : "Show more", title: isExpanded ? "Show less" : "Show more",
      on: { click: () => this.set(this.expanded, key, !isExpanded) } }, icon("down", 14));
    return this.box(entry, dismiss, card, more,
      this.replying === key && replyForm({ onSend: (text) => this.send(entry, text), onCancel: () => this.reply(null) }));
  }

  /** A stack of notifications that lie behind the newest one. */
  stack(key, entries) {
    const { platform, app } = this.device;
    const [top] = entries;
    const dismiss = () => this.dismissAll(entries);
    return this.box(top, dismiss, stackCard(platform, entries, entries.length, {
      app, now: this.now, surface: this.surface(), picture: top.image ? pictureOf(top.image) : null, onUnfold: () => this.fold(key, false), onDismiss: dismiss,
    }));
  }

  head(key, entries) {
    return h("div", { class: "phone-stack-head" },
      h("button", { type: "button", "aria-expanded": "true", on: { click: () => this.fold(key, true) } }, "Show less"),
      h("button", { type: "button", "aria-label": `Clear these ${entries.length}`, title: "Clear", on: { click: () => this.dismissAll(entries) } }, "×"));
  }

  box(entry, dismiss, ...children) {
    const isNew = this.known && !this.known.has(keyOf(entry));
    const element = h("div", { class: `phone-entry ${isNew ? "arriving" : ""}`, "data-key": entry.key }, children);
    makeSwipeable(element, dismiss);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Delete" || event.target.closest("input")) return;
      event.preventDefault();
      dismiss();
    });
    return element;
  }

  fold(key, isFolded) {
    this.unfolded[isFolded ? "delete" : "add"](key);
    this.update(this.device, this.now);
  }

  async dismissAll(entries) {
    for (const entry of entries) if (!(await this.onAct({ kind: "dismiss", notification: entry.key }))) return;
  }

  set(map, key, value) {
    map.set(key, value);
    this.update(this.device, this.now);
  }

  action(entry, id) {
    const action = entry.actions.find((each) => each.id === id);
    if (action?.text) return this.reply(entry, action);
    return this.onAct({ kind: "action", notification: entry.key, actionId: id });
  }

  reply(entry, action) {
    this.replying = entry ? keyOf(entry) : null;
    this.replyTo = action;
    this.update(this.device, this.now);
    this.phone.list.querySelector("form input")?.focus({ preventScroll: true });
  }

  async send(entry, text) {
    const actionId = this.replyTo.id;
    const device = await this.onAct({ kind: "action", notification: entry.key, actionId, text });
    if (device) this.replying = null;
  }
}
