// The notifications on a phone that can be touched: tap, swipe, long look, buttons, and a reply.

import { h } from "../../core/dom.js";
import { notificationCard } from "../../preview/card.js";
import { pictureOf } from "../../preview/picture.js";
import { icon } from "../../core/icons.js";
import { replyForm } from "./reply.js";
import { makeSwipeable } from "./swipe.js";

/** More than this are not drawn: nobody scrolls that far on a phone. */
const MOST = 60;
const MINUTE = 60_000;

const keyOf = (entry) => `${entry.push} ${entry.key}`;

export class Shade {
  /** @param onAct called with the body of POST /devices/{id}/act */
  constructor(phone, { onAct }) {
    Object.assign(this, { phone, onAct, shown: new Map(), isFirst: true, expanded: new Map(), replying: null });
  }

  update(device, now) {
    this.device = device;
    this.now = now;
    const entries = device.shade.slice(0, MOST);
    const next = new Map();
    for (const [index, entry] of entries.entries()) {
      const key = keyOf(entry);
      const old = this.shown.get(key);
      const looks = this.looksOf(entry, index);
      next.set(key, old && old.looks === looks ? old : this.make(entry, index, looks, old));
    }
    const focused = document.activeElement;
    const had = [...this.shown.values()].find(({ element }) => element.contains(focused));
    for (const [key, row] of this.shown) if (next.get(key) !== row) row.element.remove();
    this.order([...next.values()].map(({ element }) => element));
    this.shown = next;
    this.isFirst = false;
    this.phone.element.classList.toggle("busy", next.size > 0);
    if (had && !had.element.isConnected) this.focusAfter(had, next);
  }

  looksOf(entry, index) {
    return JSON.stringify([entry, this.isExpanded(entry, index), this.replying === keyOf(entry), this.device.state.locked, Math.floor(this.now / MINUTE)]);
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
    (row?.element.querySelector("form input, .n-main") ?? this.phone.list).focus({ preventScroll: true });
  }

  make(entry, index, looks, old) {
    const { device } = this;
    const key = keyOf(entry);
    const isExpanded = this.isExpanded(entry, index);
    const dismiss = () => this.onAct({ kind: "dismiss", notification: entry.key });
    const card = notificationCard(device.platform, entry, {
      app: device.app, expanded: isExpanded, now: this.now,
      surface: { ios: device.state.locked ? "lockScreen" : "list", android: "shade", web: "desktop" }[device.platform],
      picture: entry.image ? pictureOf(entry.image) : null,
      onOpen: () => this.onAct({ kind: "open", notification: entry.key }),
      onDismiss: dismiss,
      onAction: (id) => this.action(entry, id),
    });
    const hasMore = device.platform !== "web" && (entry.image || entry.actions.length || entry.body.length > 80);
    const more = hasMore && h("button", { type: "button", class: "phone-expand", "aria-expanded": String(isExpanded), "aria-label": isExpanded ? "Show less" : "Show more", title: isExpanded ? "Show less" : "Show more",
      on: { click: () => this.set(this.expanded, key, !isExpanded) } }, icon("down", 14));
    const isNew = !this.isFirst && !old;
    const element = h("div", { class: `phone-entry ${isNew ? "arriving" : ""}`, "data-key": entry.key }, card, more,
      this.replying === key && replyForm({ needsText: this.replyTo.text === true, onSend: (text) => this.send(entry, text), onCancel: () => this.reply(null) }));
    makeSwipeable(element, dismiss);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Delete" || event.target.closest("input")) return;
      event.preventDefault();
      dismiss();
    });
    return { element, looks, key, index };
  }

  set(map, key, value) {
    map.set(key, value);
    this.update(this.device, this.now);
  }

  /** A gateway that says nothing about `text` may take one from an iPhone. */
  action(entry, id) {
    const action = entry.actions.find((each) => each.id === id) ?? { id };
    const mayReply = action.text ?? this.device.platform === "ios";
    if (!mayReply) return this.onAct({ kind: "action", notification: entry.key, actionId: id });
    this.reply(entry, action);
  }

  reply(entry, action) {
    this.replying = entry ? keyOf(entry) : null;
    this.replyTo = action;
    this.update(this.device, this.now);
    this.phone.list.querySelector("form input")?.focus({ preventScroll: true });
  }

  async send(entry, text) {
    const actionId = this.replyTo.id;
    const device = await this.onAct({ kind: "action", notification: entry.key, actionId, ...(text ? { text } : {}) });
    if (device) this.replying = null;
  }
}
