// Everything that is known about one push: the message, what became of it, and on which devices.

import { get, query } from "../core/api.js";
import { refresher } from "./refresh.js";
import { didWords } from "./words.js";

const PAGE = 1000;
const PAUSE = 400;

export class PushRecord {
  message = null;
  devices = new Map();
  #pages = [];
  #isClosed = false;

  /** @param onChange called when something new is known */
  constructor(id, onChange) {
    this.id = id;
    this.onChange = onChange;
    this.live = refresher(() => this.#refresh(), { concerns: ({ push }) => push === id, pause: PAUSE, rest: 1 });
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
        const did = didWords(device.did);
        const isShownBefore = before?.did.startsWith("shown") && !did.startsWith("shown");
        if (!isShownBefore) this.devices.set(device.device, { ...device, did });
      }
    }
  }

  /** Reads the message and the last page again; the events before it don't change. If they are gone, what was read stays. */
  async #refresh() {
    const [message, page] = await Promise.all([get(`/messages/${encodeURIComponent(this.id)}`), this.#read(this.#pages.at(-1)?.cursor ?? null)]);
    if (this.#isClosed) return;
    this.message = message;
    this.#pages.splice(-1, 1, page);
    this.#merge();
    this.onChange();
  }

  close() {
    this.#isClosed = true;
    this.live.close();
  }
}
