// What became of a push that was sent from here: the answer, and what its devices did.

import { get } from "../../core/api.js";
import { foreign, h, replace } from "../../core/dom.js";
import { href } from "../../core/router.js";
import { isFault } from "../../model/faults.js";
import { remedyText } from "../../model/rulebook.js";
import { refresher } from "../../model/refresh.js";
import { didWords } from "../../model/words.js";
import { ruleLink } from "./verdict.js";

const MOST = 20;

/** Why an answer is not the one that the gateway would give. */
export const faultNote = () => h("p", {}, "A fault answered instead of the gateway. See ", h("a", { href: "#/faults" }, "Faults & clock"), ".");

export class Answer {
  #message = null;

  constructor() {
    this.devices = h("div", { class: "stack" });
    this.element = h("div", { class: "card answer", role: "status", "aria-label": "Answer", hidden: true });
    this.live = refresher(() => this.#read(), { concerns: ({ push }) => push !== undefined && push === this.#message?.id, pause: 0, rest: 1 });
  }

  /** Shows a message that was sent; `isDryRun` if FCM only validated it. */
  show(message, { isDryRun = false } = {}) {
    this.#message = message;
    const isGood = message.outcome === "accepted";
    this.what = h("strong", {}, isDryRun ? "Validated" : "Sent");
    replace(this.devices);
    this.#fill(
      h("div", { class: "row" },
        this.what, h("span", { class: `badge ${isGood ? "good" : "bad"}` }, `${isGood ? "Accepted" : "Refused"}: ${message.status || "no answer"}`),
        message.reason && h("strong", {}, message.reason), h("a", { href: href(["pushes", message.id]) }, `Open ${message.id}`), ruleLink(message.why)),
      isFault(message.why) && faultNote(),
      isDryRun && h("p", { class: "muted" }, "FCM only validated this message. No device gets it."),
      this.devices);
    this.live.now();
  }

  /** Says what a check without sending has found. */
  showCheck({ outcome, status, reason, message }) {
    this.#message = null;
    this.#fill(
      h("div", { class: "row" }, h("strong", {}, "Validated"), h("span", { class: `badge ${outcome === "accepted" ? "good" : "bad"}` }, `Would be ${outcome} (${status})`), reason && h("strong", {}, reason)),
      message && foreign(message, { tag: "p" }),
      h("p", { class: "muted" }, "APNs has no dry run, so nothing was sent and nothing is stored."));
  }

  /** The draft has changed since: what was said is about the push before, and a mere check says nothing any more. */
  outdate() {
    if (this.#message === null) this.element.hidden = true;
    if (this.element.hidden || this.element.classList.contains("stale")) return;
    this.element.classList.add("stale");
    this.what.textContent += " before your changes";
  }

  #fill(...children) {
    this.element.classList.remove("stale");
    replace(this.element, children);
    this.element.hidden = false;
    this.element.scrollIntoView({ block: "nearest" });
  }

  async #read() {
    if (!this.#message) return;
    const { id } = this.#message;
    const { devices, isWorking } = await get(`/messages/${encodeURIComponent(id)}/events?limit=1000`);
    if (this.#message?.id === id) this.#draw(devices, isWorking);
  }

  #draw(devices, isWorking) {
    replace(this.devices, h("ul", { class: "stack" }, devices.slice(0, MOST).map((row) => h("li", {},
      h("div", { class: "row" }, h("a", { href: href(["devices", row.device]) }, foreign(row.device, { limit: 60 })), foreign(didWords(row.did), { limit: 400 })),
      row.remedy && h("p", { class: "muted" }, remedyText(row.remedy, row.device)),
      row.missingImage && h("p", { class: "muted" }, row.missingImage.reason, " ", row.missingImage.remedy)))),
    devices.length > MOST && h("p", { class: "muted" }, `and ${devices.length - MOST} more devices`),
    isWorking && h("p", { class: "muted" }, "The device is still working on it."));
  }

  close() {
    this.live.close();
  }
}
