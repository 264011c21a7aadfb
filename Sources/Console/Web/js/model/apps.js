// The apps that have devices or got pushes, with the first devices of each. The devices are read when one is made or
// renamed, never because of a push.

import { get } from "../core/api.js";
import { listen } from "../core/events.js";
import { refresher } from "./refresh.js";

const MOST = 500;
/** Ten thousand devices can be made at once. */
const GAP = 10_000;
const platforms = new Map();

/** The platform of a device; undefined if the device is not in the list. */
export const platformOf = (id) => platforms.get(id);

export class Apps {
  #devices = [];
  /** Apps and projects that got pushes, also those without a device. */
  #pushed = new Set();

  constructor(onChange) {
    this.onChange = onChange;
    listen((events) => this.#heard(events));
    const live = refresher(() => this.#read(), { concerns: ({ kind }) => kind === "registered", gap: GAP });
    live.now();
    get("/messages?limit=200").then(({ messages }) => {
      for (const { app } of messages) this.#pushed.add(app);
      this.onChange();
    }, () => {});
  }

  /** `[app, devices]` of each. */
  get rows() {
    const apps = new Map();
    for (const device of this.#devices) {
      if (!apps.has(device.app)) apps.set(device.app, []);
      apps.get(device.app).push(device);
    }
    for (const app of this.#pushed) if (!apps.has(app)) apps.set(app, []);
    return [...apps];
  }

  async #read() {
    const { devices } = await get(`/devices?limit=${MOST}`);
    this.#devices = devices.map(({ id, app, name, platform }) => ({ id, app, name, platform }));
    platforms.clear();
    for (const { id, platform } of this.#devices) platforms.set(id, platform);
    document.dispatchEvent(new CustomEvent("pushpit:platforms"));
    this.onChange();
  }

  #heard(events) {
    const gone = new Set();
    const before = this.#pushed.size;
    for (const { kind, app, device, why } of events) {
      if (kind === "unregistered" && why === "devices.deleted") gone.add(device);
      else if (app && (kind === "accepted" || kind === "refused")) this.#pushed.add(app);
    }
    if (gone.size > 0) this.#devices = this.#devices.filter(({ id }) => !gone.has(id));
    if (gone.size > 0 || this.#pushed.size > before) this.onChange();
  }
}
