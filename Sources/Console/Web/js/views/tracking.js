// For each push to an app that reports to Adobe Campaign: which reports came, and why others did not.

import { h, replace } from "../core/dom.js";
import { get, query as search } from "../core/api.js";
import { plural } from "../core/format.js";
import { attempt } from "../core/notice.js";
import { go, href } from "../core/router.js";
import { rowOf } from "../model/pushes.js";
import { refresher } from "../model/refresh.js";
import { trackingHelp } from "./tracking/help.js";
import { hitTable } from "./tracking/hits.js";
import { legend, pushCard } from "./tracking/card.js";

export const title = "Tracking";
const STEP = 50;
const KINDS = new Set(["tracking", "accepted", "delivered", "stored", "dropped", "collapsed", "suppressed", "presented", "opened", "dismissed", "action"]);

export async function open(parameters) {
  const view = new Tracking(parameters);
  await attempt(() => view.read());
  return view;
}

class Tracking {
  constructor({ query }) {
    this.push = query.get("push") ?? "";
    this.shown = STEP;
    this.messages = new Map();
    // A gateway that was started again gives its pushes the same ids.
    this.forget = () => this.messages.clear();
    document.addEventListener("pushpit:missed", this.forget);
    this.field = h("input", { type: "search", placeholder: "Push, such as p12", "aria-label": "Only this push", value: this.push, autocomplete: "off", spellcheck: "false" });
    this.body = h("div", { class: "stack" });
    this.form = h("form", { class: "row", role: "search", on: { submit: (event) => {
      event.preventDefault();
      this.filter();
    } } }, this.field, h("button", { type: "submit" }, "Show"));
    this.field.addEventListener("search", () => this.filter());
    this.element = h("div", { class: "scroll tracking" }, h("div", { class: "page" },
      h("div", { class: "spread" }, h("h1", {}, title), this.form), legend(), this.body));
    this.live = refresher(() => this.read(), { concerns: (event) => KINDS.has(event.kind) && (!this.push || event.push === this.push) });
  }

  update({ query }) {
    this.push = query.get("push") ?? "";
    this.field.value = this.push;
    this.shown = STEP;
    attempt(() => this.read());
  }

  filter() {
    const push = this.field.value.trim();
    if (push !== this.push) go(["tracking"], push ? new URLSearchParams({ push }) : "");
  }

  async read() {
    const push = this.push;
    const pushes = [];
    const hits = [];
    let cursor = null;
    do {
      const page = await get(`/tracking${search({ push, limit: 1000, cursor })}`);
      pushes.push(...page.pushes);
      hits.push(...page.hits);
      cursor = page.next;
    } while (cursor !== null);
    const newest = pushes.slice(-this.shown).reverse();
    await Promise.all(newest.map((one) => this.readMessage(one.push)));
    if (push === this.push) this.show(pushes, newest, hits);
  }

  /** The push that reports are about. It never changes, so it is read once; null if it is deleted. */
  async readMessage(id) {
    if (this.messages.has(id)) return;
    const message = await get(`/messages/${encodeURIComponent(id)}`, { expected: [404] });
    this.messages.set(id, message.id ? rowOf(message) : null);
  }

  show(pushes, newest, hits) {
    const text = JSON.stringify([newest, hits.length, pushes.length, this.shown, this.push]);
    if (text === this.drawn) return;
    this.drawn = text;
    if (pushes.length === 0 && hits.length === 0) return replace(this.body, this.push ? this.nothing() : trackingHelp());
    const byPush = Map.groupBy ? Map.groupBy(hits, (hit) => hit.push) : grouped(hits);
    replace(
      this.body,
      this.push && h("p", {}, h("a", { href: href(["tracking"]) }, "Show all pushes")),
      h("section", { class: "stack", "aria-labelledby": "pushes-title" },
        h("h2", { id: "pushes-title" }, plural(pushes.length, "tracked push", "tracked pushes")),
        newest.length === 0 && h("p", { class: "muted" }, "These reports belong to no push that the gateway knows."),
        newest.map((one) => pushCard(one, this.messages.get(one.push), byPush.get(one.push) ?? [])),
        pushes.length > newest.length && h("button", { type: "button", on: { click: () => this.more() } }, "Show older pushes")),
      hitTable(hits));
  }

  more() {
    this.shown += STEP;
    attempt(() => this.read());
  }

  nothing() {
    const message = h("p", { class: "empty" }, h("span", {}, "Nothing is tracked for ", h("a", { href: href(["pushes", this.push]) }, this.push), "."),
      h("span", {}, "Its device has no tracking profile, or the push was refused or deleted."));
    return [message, trackingHelp()];
  }

  close() {
    this.live.close();
    document.removeEventListener("pushpit:missed", this.forget);
  }
}

function grouped(hits) {
  const map = new Map();
  for (const hit of hits) map.set(hit.push, [...(map.get(hit.push) ?? []), hit]);
  return map;
}
