// One phone, as large as the window allows: to look at, to touch, and to show in a meeting.

import { h, foreign, replace } from "../core/dom.js";
import { get, patch, post } from "../core/api.js";
import { listen } from "../core/events.js";
import { icon } from "../core/icons.js";
import { attempt } from "../core/notice.js";
import { go, href } from "../core/router.js";
import { tabs } from "../core/tabs.js";
import { Clock } from "../model/clock.js";
import { platformName } from "../model/states.js";
import { Phone } from "../preview/phone.js";
import { removeDevices } from "./devices/remove.js";
import { actionBar } from "./phone/actions.js";
import { Happened } from "./phone/happened.js";
import { Pending } from "./phone/pending.js";
import { Presentation } from "./phone/presentation.js";
import { Receiver } from "./phone/receiver.js";
import { Shade } from "./phone/shade.js";
import { Switches } from "./phone/switches.js";
import { Tokens } from "./phone/tokens.js";
import { Topics } from "./phone/topics.js";

export const title = "Phone";
const PAUSE = 150;

export async function open(parameters) {
  const device = await get(`/devices/${encodeURIComponent(parameters.id)}`, { expected: [404] });
  return device.id ? new PhonePage(device, parameters) : missing(parameters, device.error.message);
}

function missing({ id }, message) {
  const element = h("div", { class: "scroll" }, h("div", { class: "empty" }, h("h1", {}, "No such device"), h("p", {}, message),
    h("a", { class: "button", href: "#/devices" }, "All devices")));
  return { element, update: (next) => next.id === id };
}

class PhonePage {
  constructor(device, { id, query }) {
    Object.assign(this, { id, query, path: `/devices/${encodeURIComponent(id)}`, turn: 0 });
    this.clock = new Clock(() => this.draw());
    this.phone = new Phone({ platform: device.platform, state: device.state, app: device.app, size: "full" });
    this.shade = new Shade(this.phone, { onAct: (act) => this.act(act) });
    this.switches = new Switches(device.platform, (state) => this.change(() => patch(this.path, { state })));
    this.actions = actionBar({ onAct: (act) => this.act(act), onDelete: () => this.delete() });
    this.receiver = device.receiver && new Receiver();
    this.tokens = new Tokens(device, (body) => this.change(() => post(`${this.path}/tokens`, body)));
    this.happened = new Happened(id);
    this.topics = new Topics(id);
    this.pending = new Pending(id);
    this.presentation = new Presentation((isOn) => this.present(isOn));
    // The only heading while the page presents.
    this.heading = h("h1", { class: "visually-hidden presentation-title" });
    this.head = h("div", { class: "phone-names" });
    this.stage = h("section", { class: "device-stage", "aria-label": "The phone" },
      this.heading, this.phone.element, this.presentation.button);
    this.element = h("div", { class: `device-page of-${device.platform}` }, this.stage, this.side());
    this.show(device);
    this.stop = listen((events) => this.heard(events));
    this.reread = () => {
      this.read();
      this.happened.load();
    };
    document.addEventListener("pushpit:missed", this.reread);
    this.clock.read();
    attempt(() => this.happened.load());
    this.presentation.set(query.has("present"));
  }

  side() {
    const panels = [
      { id: "state", label: this.receiver ? "Receiver" : "State", open: () => (this.receiver ?? this.switches).element },
      ...(this.receiver ? [] : [{ id: "tokens", label: "Tokens", open: () => this.tokens.element }]),
      { id: "topics", label: "Topics", open: () => this.topics.open() },
      ...(this.receiver ? [] : [{ id: "waiting", label: this.pending.label, open: () => this.pending.open() }]),
      { id: "log", label: "What happened", open: () => this.happened.element },
    ];
    const { bar, panel } = tabs({ label: "About this phone", tabs: panels, chosen: this.query.get("tab") ?? "state", onChoose: (tab) => this.choose({ tab }) });
    return h("section", { class: "device-side", "aria-label": "About the phone" },
      h("a", { class: "button quiet back", href: "#/devices" }, icon("back", 16), "All devices"), this.head,
      !this.receiver && [
        h("div", { class: "row" },
          h("a", { class: "button primary", href: href(["compose"], new URLSearchParams({ device: this.id })) }, icon("send", 16), "Send a push to this phone"),
          h("button", { type: "button", on: { click: () => this.presentation.start() } }, icon("large", 16), "Present")),
        this.actions.element,
      ], bar, panel);
  }

  /** Writes what the person has chosen into the address, so that a link leads there. */
  choose(values) {
    const next = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(values)) value ? next.set(name, value) : next.delete(name);
    this.query = next;
    history.replaceState(null, "", href(["devices", this.id], next));
  }

  update({ id, query }) {
    // Another device is another page.
    if (id !== this.id) return false;
    this.query = query;
    this.presentation.set(query.has("present"));
    return true;
  }

  present(isOn) {
    this.choose({ present: isOn ? "1" : null });
  }

  heard(events) {
    const own = events.filter((event) => event.device === this.id);
    if (own.length === 0) return;
    this.happened.add(own);
    this.topics.heard(own);
    this.pending.heard(own);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.read();
    }, PAUSE);
  }

  async read() {
    const { turn } = this;
    const device = await attempt(() => get(this.path, { expected: [404] }));
    // A change that was made meanwhile knows better; its event leads to another read.
    if (turn !== this.turn) return;
    if (device?.error) replace(this.element, missing({ id: this.id }, device.error.message).element);
    else if (device) this.show(device);
  }

  /** Makes a call that answers with the device, and shows it. */
  async change(request) {
    this.turn++;
    const device = await attempt(request);
    this.turn++;
    if (device) this.show(device);
    else this.read();
    return device;
  }

  act(act) {
    return this.change(() => post(`${this.path}/act`, act));
  }

  async delete() {
    if (await removeDevices([this.device])) go(["devices"]);
  }

  show(device) {
    this.device = device;
    this.switches.update(device.state);
    this.actions.update(device);
    this.tokens.update(device);
    this.receiver?.update(device);
    const looks = JSON.stringify([device.name, device.app, device.connected, device.installed, device.state.locale]);
    if (looks !== this.looks) {
      this.looks = looks;
      this.title = (device.name || device.id).slice(0, 60);
      if (this.element.isConnected) document.title = `${this.title} · Pushpit`;
      replace(this.heading, foreign(device.name || device.id, { limit: 100 }));
      replace(this.head,
        h("h1", {}, foreign(device.name || device.id, { limit: 100 })),
        h("p", { class: "row muted small" }, icon(device.platform, 14), h("span", {}, platformName(device.platform)), foreign(device.app, { limit: 120 }),
          h("span", { class: "badge", title: "The id in the API" }, device.id), h("span", { class: "badge" }, device.state.locale),
          device.connected && h("span", { class: "badge accent" }, "socket connected"), !device.installed && h("span", { class: "badge warn" }, "app removed")));
    }
    this.draw();
  }

  draw() {
    const { device, clock } = this;
    if (!device) return;
    const { platform, state, app, badge, installed } = device;
    this.phone.update({ platform, state, app, badge, installed, time: clock.now });
    this.shade.update(device, clock.now);
  }

  close() {
    clearTimeout(this.timer);
    this.stop();
    document.removeEventListener("pushpit:missed", this.reread);
    this.clock.close();
    this.pending.close();
    this.topics.close();
    this.presentation.close();
  }
}
