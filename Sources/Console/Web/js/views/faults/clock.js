// The gateway's clock: what it says now, and buttons that move it.

import { h, replace } from "../../core/dom.js";
import { get, post } from "../../core/api.js";
import { attempt } from "../../core/notice.js";

const STEPS = [["+1 min", "1m"], ["+1 h", "1h"], ["+1 day", "24h"], ["+4 weeks", "672h"]];
/** Two machines rarely agree on the second. */
const SAME = 5000;
const HOUR = 3_600_000;

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** "3 days 2 h": the two largest units. */
function apart(milliseconds) {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000);
  const parts = [[Math.floor(minutes / 1440), "day"], [Math.floor(minutes / 60) % 24, "hour"], [minutes % 60, "minute"]];
  const said = parts.filter(([value]) => value > 0).slice(0, 2).map(([value, unit]) => `${value} ${unit}${value === 1 ? "" : "s"}`);
  return said.join(" ") || `${Math.round(Math.abs(milliseconds) / 1000)} seconds`;
}

export class ClockPanel {
  constructor() {
    this.time = h("time", { class: "big" });
    this.day = h("span", { class: "muted" });
    this.exact = h("span", { class: "mono muted" });
    this.badge = h("span");
    this.note = h("p", { class: "small muted" });
    this.freeze = h("button", { type: "button" });
    this.freeze.addEventListener("click", () => this.move(this.frozen ? { resume: true } : { freeze: true }));
    const field = h("input", { type: "datetime-local", step: "1", name: "set", "aria-label": "Local time to set the clock to", required: true });
    const form = h("form", { class: "row", on: { submit: (event) => {
      event.preventDefault();
      if (field.value) this.move({ set: new Date(field.value).toISOString() });
    } } }, field, h("button", { type: "submit" }, "Set"));
    this.element = h("section", { class: "card stack clock", "aria-labelledby": "clock-title" },
      h("div", { class: "spread" }, h("h2", { id: "clock-title" }, "Clock"), this.badge),
      h("div", { class: "now" }, this.time, this.day, this.exact),
      h("div", { class: "row" },
        STEPS.map(([label, advance]) => h("button", { type: "button", on: { click: () => this.move({ advance }) } }, label))),
      h("div", { class: "row" }, this.freeze, h("button", { type: "button", on: { click: () => this.backToReal() } }, "Back to real time")),
      form, this.note);
    this.timer = setInterval(() => this.draw(), 250);
  }

  async read() {
    this.set(await get("/clock"));
  }

  set({ now, frozen }) {
    this.frozen = frozen;
    this.ahead = Date.parse(now) - Date.now();
    this.stands = now;
    this.draw();
  }

  move(change) {
    return attempt(async () => this.set(await post("/clock", change)));
  }

  /** A clock that is frozen stays so when it is set. */
  async backToReal() {
    await this.move({ set: "now" });
    if (this.frozen) await this.move({ resume: true });
  }

  draw() {
    if (this.stands === undefined) return;
    const now = this.frozen ? new Date(this.stands) : new Date(Date.now() + this.ahead);
    // A second that has been drawn is not drawn again: this runs four times in each.
    const key = `${Math.floor(now / 1000)} ${this.frozen} ${Math.round(this.ahead / SAME)}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const iso = this.frozen ? this.stands : `${now.toISOString().slice(0, 19)}Z`;
    this.time.dateTime = iso;
    this.time.title = iso;
    this.time.textContent = clock.format(now);
    this.day.textContent = day.format(now);
    this.exact.textContent = iso;
    const off = now - Date.now();
    const isReal = Math.abs(off) < SAME && !this.frozen;
    replace(this.badge, h("span", { class: `badge ${this.frozen ? "warn" : isReal ? "good" : "note"}` },
      this.frozen ? "frozen" : isReal ? "real time" : "moved"));
    this.freeze.textContent = this.frozen ? "Resume" : "Freeze";
    this.note.textContent = this.advice(off);
  }

  advice(off) {
    if (Math.abs(off) < SAME) return "Expirations, token ages, delays and stored pushes follow this clock.";
    const said = `${apart(off)} ${off > 0 ? "ahead of" : "behind"} real time.`;
    if (Math.abs(off) <= HOUR) return said;
    return `${said} Senders sign with their own clocks, so APNs provider tokens get 403 ${off > 0 ? "ExpiredProviderToken" : "InvalidProviderToken"}.`;
  }

  close() {
    clearInterval(this.timer);
  }
}
