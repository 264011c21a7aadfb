// What phones would show of the draft, drawn a moment after the person stops typing.

import { foreign, h, replace } from "../../core/dom.js";
import { href } from "../../core/router.js";
import { nothingToShow } from "../../model/summary.js";
import { activityOf, appleFacts, beforeSending, whyHidden, wouldShow } from "../../model/would.js";
import { activityCard } from "../../preview/activity.js";
import { stage } from "../../preview/stage.js";
import { pictureOf } from "../../preview/picture.js";
import { pictureFor } from "../push/pictures.js";

const PAUSE = 250;
const BY_APP = ": only if the device's app reports to Adobe. Then it posts this itself. Other apps get the data, and the phone shows nothing.";
const NAMES = { ios: "iPhone", android: "Android", web: "Browser" };

export class Preview {
  #drawn = "";

  constructor() {
    this.body = h("div", { class: "stack" });
    this.element = h("section", { class: "compose-preview", role: "region", "aria-label": "Preview", tabindex: "0" }, h("h2", {}, "Preview"), this.body);
  }

  /**
   * @param message what of a message is known before it is sent: `provider`, `app` and `request.body`
   * @param platform the platform of the only device that gets it; null if others may, too
   * @param device that device, if it is known
   */
  show(message, platform, device) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const hidden = device ? whyHidden(device) : null;
      const state = JSON.stringify([message, platform, device?.id, device?.tracking, hidden]);
      if (state === this.#drawn) return;
      this.#drawn = state;
      this.#draw({ ...message, time: new Date().toISOString() }, platform, device, hidden);
    }, PAUSE);
  }

  #draw(message, platform, device, hidden) {
    const activity = activityOf(message);
    if (activity) {
      const card = activityCard(activity, { app: message.app, time: message.time });
      return replace(this.body, stage("ios", "lockScreen", null, { time: message.time, instead: card }), h("p", { class: "muted small" }, "The app draws a Live Activity itself. Here are the values that it gets."));
    }
    const rows = wouldShow(message, device?.tracking !== "none").filter((row) => !platform || row.platform === platform);
    if (rows.length === 0) return replace(this.body, h("p", { class: "muted" }, nothingToShow(message)));
    return replace(this.body,
      hidden && h("p", {}, h("span", { class: "badge warn" }, "not shown"), " by ", h("a", { href: href(["devices", device.id]) }, foreign(device.name || device.id, { limit: 60 })), `: ${hidden}.`),
      rows.map((row) => notification(message, row, !device?.tracking, hidden)));
  }

  close() {
    clearTimeout(this.timer);
  }
}

function notification(message, { platform, entry }, isUnsure, hidden) {
  const look = platform === "android" ? (entry.image ? "expanded" : "collapsed") : platform === "web" ? "desktop" : "lockScreen";
  const { level } = platform === "ios" ? appleFacts(message) : {};
  return h("figure", { class: hidden && "would" }, h("figcaption", { class: "muted small" }, NAMES[platform], entry.isByApp && isUnsure && BY_APP),
    stage(platform, look, entry, { app: message.app, level, ...pictureFor(message, platform, entry, entry.image && pictureOf(entry.image).then(beforeSending)) }));
}
