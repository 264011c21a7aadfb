// A phone as it looks in the hand: an iPhone, an Android phone, or a browser window. Notifications lie on its screen.
//
//   phoneFrame(options) → element
//
// platform   "ios", "android" or "web"
// state      the `state` of a device (docs/devices.md): locked, app, online, focus, doze, lowPower, permission …
// time       the time on the phone, as a text or in milliseconds: the gateway's clock (GET /clock)
// app        the bundle id, package or origin
// appName    the name below the app's icon; without it the last part of `app`
// badge      the number on the app's icon
// installed  false if the app has been removed
// size       "wall": small, of one fixed size
//            "pane" (the default): as wide as its container, up to the size of a real phone on a desk
//            "full": as large as its container allows, which must have a height
// children   elements on the screen, newest first: the cards of card.js
//
// A phone that changes while it is looked at is a `Phone`: `new Phone(options)` has `element` and `update(options)`. An
// update leaves the children alone if the options have none, so focus and scroll position stay. css/phone.css has the
// looks. Inside, all sizes are the phone's own points (390 on an iPhone); the frame is scaled as a whole.

import { h, replace } from "../core/dom.js";
import { background, showsApp } from "./screens.js";
import { statusBar } from "./statusbar.js";

/** Points of the whole device, bezel included: the screens of phones are 19.5:9 and 20:9. */
const BODIES = {
  ios: { wall: [298, 622], pane: [414, 868], full: [414, 868] },
  android: { wall: [294, 629], pane: [428, 931], full: [428, 931] },
  web: { wall: [298, 420], pane: [520, 400], full: [800, 536] },
};
const WALL_SCALE = 0.6;
const MOST = { pane: 1, full: 3 };

export function phoneFrame(options) {
  return new Phone(options).element;
}

export class Phone {
  constructor(options) {
    const { platform, size = "pane" } = options;
    this.options = { size };
    this.status = h("div", { class: "phone-status" });
    this.back = h("div", { class: "phone-back" });
    this.list = h("div", { class: "phone-list" });
    this.screen = h("div", { class: "phone-screen" }, this.back, this.status, this.list,
      platform === "ios" && h("div", { class: "phone-island", "aria-hidden": "true" }),
      platform === "android" && h("div", { class: "phone-hole", "aria-hidden": "true" }),
      platform === "ios" && h("div", { class: "phone-indicator", "aria-hidden": "true" }),
      platform === "android" && navigationBar());
    this.body = h("div", { class: "phone-body" }, this.screen);
    this.box = h("div", { class: "phone-box" }, this.body);
    this.element = h("div", { class: `phone phone-${platform} phone-${size}` }, this.box);
    const [width, height] = BODIES[platform][size];
    Object.assign(this, { width, height });
    this.body.style.width = `${width}px`;
    this.body.style.height = `${height}px`;
    if (size === "wall") this.scale(WALL_SCALE);
    else new ResizeObserver(() => this.fit()).observe(this.element);
    this.update(options);
  }

  update(options) {
    const all = Object.assign(this.options, options);
    const { children } = options;
    if (children !== undefined) replace(this.list, children);
    this.element.classList.toggle("locked", Boolean(all.state?.locked));
    this.element.classList.toggle("in-app", showsApp(all));
    this.element.classList.toggle("offline", all.state?.online === false);
    this.element.classList.toggle("busy", this.list.childElementCount > 0);
    // Only what has changed is drawn again: the clock ticks in a thousand phones.
    const looks = JSON.stringify([all.state, minuteOf(all.time), all.badge, all.app, all.appName, all.installed]);
    if (looks === this.looks) return;
    this.looks = looks;
    replace(this.status, statusBar(all));
    replace(this.back, background(all));
  }

  scale(scale) {
    this.body.style.transform = `scale(${scale})`;
    this.box.style.width = `${Math.round(this.width * scale)}px`;
    this.box.style.height = `${Math.round(this.height * scale)}px`;
  }

  fit() {
    const { clientWidth, clientHeight } = this.element;
    const { size } = this.options;
    if (clientWidth === 0) return;
    const byHeight = size === "full" ? clientHeight / this.height : Infinity;
    this.scale(Math.max(0.2, Math.min(clientWidth / this.width, byHeight, MOST[size])));
  }
}

const minuteOf = (time) => Math.floor(new Date(time ?? Date.now()).getTime() / 60_000);

function navigationBar() {
  return h("div", { class: "phone-navigation", "aria-hidden": "true" }, ["back", "home", "recent"].map((name) => h("span", { class: name })));
}
