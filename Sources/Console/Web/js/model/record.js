// Everything that is known about one push: the message, what became of it, and on which devices.

import { get, query } from "../core/api.js";
import { listen } from "../core/events.js";

const PAGE = 1000;
const PAUSE = 400;

export class PushRecord {
  message = null;
  devices = new Map();
  #pages = [];
  #isReading = false;
  #isBehind = false;
  #timer = null;
  #isClosed = false;

  /** @param onChange called when something new is known */
  constructor(id, onChange) {
    this.id = id;
    this.onChange = onChange;
    this.stopListening = listen((events) => events.some((event) => event.push === id) && this.#schedule());
    this.reread = () => this.#schedule();
    document.addEventListener("pushpit:missed", this.reread);
  }

  get events() {
    return this.#pages.flatMap((page) => page.events);
  }

  /** Whether there are more events than were read. */
  get hasMore() {
    return this.#pages.at(-1)?.next != null;
  }

  get isWorking() {
    return this.#pages.at(-1)?.isWorking === true;
  }

  /** The ids of the devices that have shown it, as far as it was read. */
  get shownOn() {
    const shown = new Set(this.events.filter(({ kind, device }) => kind === "presented" && device).map(({ device }) => device));
    for (const { device, did } of this.devices.values()) if (did.startsWith("presented")) shown.add(device);
    return shown;
  }

  async load() {
    const path = `/messages/${encodeURIComponent(this.id)}`;
    const [message, page] = await Promise.all([get(path), this.#read(null)]);
    this.message = message;
    this.#pages = [page];
    this.#merge();
  }

  async more() {
    if (!this.hasMore) return;
    const page = await this.#read(this.#pages.at(-1).next);
    this.#pages.push(page);
    this.#merge();
  }

  async #read(cursor) {
    const page = await get(`/messages/${encodeURIComponent(this.id)}/events${query({ limit: PAGE, cursor })}`);
    return { ...page, cursor };
  }

  /** A page tells of each device only what the events on it say: the last page that shows something counts. */
  #merge() {
    this.devices = new Map();
    for (const page of this.#pages) {
      for (const device of page.devices) {
        const before = this.devices.get(device.device);
        const isShownBefore = before?.did.startsWith("presented") && !device.did.startsWith("presented");
        if (!isShownBefore) this.devices.set(device.device, device);
      }
    }
  }

  #schedule() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#refresh();
    }, PAUSE);
  }

  /** Reads the message and the last page again; the events before it don't change. */
  async #refresh() {
    if (this.#isReading) {
      this.#isBehind = true;
      return;
    }
    this.#isReading = true;
    try {
      do {
        this.#isBehind = false;
        const [message, page] = await Promise.all([get(`/messages/${encodeURIComponent(this.id)}`), this.#read(this.#pages.at(-1)?.cursor ?? null)]);
        if (this.#isClosed) return;
        this.message = message;
        this.#pages.splice(-1, 1, page);
        this.#merge();
        this.onChange();
      } while (this.#isBehind);
    } catch { /* Deleted or forgotten, or the gateway is gone: what was read stays. */ } finally {
      this.#isReading = false;
    }
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.stopListening();
    document.removeEventListener("pushpit:missed", this.reread);
  }
}
