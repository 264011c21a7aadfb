// A real browser or app: what it is, and where its senders send.

import { h, foreign, replace } from "../../core/dom.js";
import { copyButton } from "../../core/notice.js";

export class Receiver {
  constructor() {
    this.element = h("div", { class: "stack" });
  }

  update({ receiver, state, tokens, installed }) {
    const looks = JSON.stringify([receiver, state.online, tokens.fcm?.token, installed]);
    if (looks === this.looks) return;
    this.looks = looks;
    const { client, endpoint } = receiver;
    replace(this.element,
      h("p", {}, `This is a real ${client}, not a simulation. What its page does with a push is seen there.`),
      h("p", {}, !installed ? "It has unsubscribed." : state.online ? "It is connected." : "It is not connected. Pushes wait for it as long as their TTL says."),
      place("Endpoint", endpoint),
      tokens.fcm && place("Token of FCM", tokens.fcm.token));
  }
}

function place(label, text) {
  return h("section", { class: "card stack", "aria-label": label },
    h("div", { class: "spread" }, h("h2", {}, label), copyButton("Copy", () => text, `Copied: ${label}`)), foreign(text, { tag: "code", class: "wrap", limit: 1000 }));
}
