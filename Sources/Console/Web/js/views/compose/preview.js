// What phones would show of the draft, drawn a moment after the person stops typing.

import { h, replace } from "../../core/dom.js";
import { nothingToShow } from "../../model/summary.js";
import { activityOf, appleFacts, beforeSending, wouldShow } from "../../model/would.js";
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
   * @param tracking which tracking code that device's app has: `none` or `adobe`
   */
  show(message, platform, tracking) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const state = JSON.stringify([message, platform, tracking]);
      if (state === this.#drawn) return;
      this.#drawn = state;
      this.#draw({ ...message, time: new Date().toISOString() }, platform, tracking);
    }, PAUSE);
  }

  #draw(message, platform, tracking) {
    const activity = activityOf(message);
    if (activity) {
      const card = activityCard(activity, { app: message.app, time: message.time });
      return replace(this.body, stage("ios", "lockScreen", null, { time: message.time, instead: card }), h("p", { class: "muted small" }, "The app draws a Live Activity itself. Here are the values that it gets."));
    }
    const rows = wouldShow(message, tracking !== "none").filter((row) => !platform || row.platform === platform);
    if (rows.length === 0) return replace(this.body, h("p", { class: "muted" }, nothingToShow(message)));
    return replace(this.body, rows.map((row) => notification(message, row, !tracking)));
  }

  close() {
    clearTimeout(this.timer);
  }
}

function notification(message, { platform, entry }, isUnsure) {
  const look = platform === "android" ? (entry.image ? "expanded" : "collapsed") : platform === "web" ? "desktop" : "lockScreen";
  const { level } = platform === "ios" ? appleFacts(message) : {};
  return h("figure", {}, h("figcaption", { class: "muted small" }, NAMES[platform], entry.isByApp && isUnsure && BY_APP),
    stage(platform, look, entry, { app: message.app, level, ...pictureFor(message, platform, entry, entry.image && pictureOf(entry.image).then(beforeSending)) }));
}
