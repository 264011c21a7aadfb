// All devices of the gateway, as far as a wall of phones needs them. What changes is only marked; the wall reads again
// what can be seen.

import { get, query } from "../core/api.js";
import { listen } from "../core/events.js";
import { stacksOf } from "./stacks.js";

const PAGE = 500;
const SHOWN = 4;
const PAUSE = 250;

/** What the wall keeps of a device: ten thousand whole devices would fill the memory. */
export function rowOf({ id, platform, app, name, state, badge, shade, connected, installed, tokens }) {
  const texts = [id, name, app, tokens.apns?.token ?? "", tokens.fcm?.token ?? ""];
  return {
    id, platform, app, name, state, badge, connected, installed, entries: shade.length,
    stacks: stacksOf(platform, shade).slice(0, SHOWN).map(({ entries }) => ({ size: entries.length, entries: entries.slice(0, SHOWN) })),
    search: texts.join("\n").toLowerCase(),
  };
}

/** Whether a device belongs to the filters of the wall. */
export function matches(row, { app, platform, text }) {
  return (!app || row.app === app) && (!platform || row.platform === platform) && (!text || row.search.includes(text.toLowerCase()));
}

export class Devices {
  rows = [];
  isLoading = true;
  #byId = new Map();
  #stale = new Set();
  #cursor = null;
  #generation = 0;
  #isReading = false;
  #isTailWanted = false;

  /** @param onChange called after each change */
  constructor(onChange) {
    this.onChange = onChange;
    this.stop = listen((events) => this.#heard(events));
    this.reread = () => this.load();
    document.addEventListener("pushpit:missed", this.reread);
  }

  async load() {
    const mine = ++this.#generation;
    this.isLoading = true;
    const rows = [];
    let cursor = null;
    do {
      const page = await get(`/devices${query({ limit: PAGE, cursor })}`);
      if (mine !== this.#generation) return;
      rows.push(...page.devices.map(rowOf));
      this.#cursor = cursor;
      cursor = page.next;
      // The first page is shown while the others are read; a list that is there already stays until the new one is whole.
      if (this.rows.length === 0 || cursor === null || this.#isPartial) this.#set([...rows], cursor !== null);
    } while (cursor !== null);
    this.isLoading = false;
    this.onChange();
  }

  #isPartial = false;

  #set(rows, isPartial) {
    this.rows = rows;
    this.#byId = new Map(rows.map((row) => [row.id, row]));
    this.#isPartial = isPartial;
    this.#stale.clear();
    this.onChange();
  }

  get(id) {
    return this.#byId.get(id);
  }

  /** Shows what a call has answered, without reading it again. */
  put(device) {
    const row = this.#byId.get(device.id);
    if (!row) return;
    Object.assign(row, rowOf(device));
    this.#stale.delete(device.id);
    this.onChange();
  }

  #heard(events) {
    const gone = new Set();
    for (const { kind, device, why } of events) {
      if (!device) continue;
      if (kind === "unregistered" && why === "devices.deleted") gone.add(device);
      else if (kind === "registered" && !this.#byId.has(device)) this.#isTailWanted = true;
      else this.#stale.add(device);
      if (kind === "registered") gone.delete(device);
    }
    if (gone.size > 0) this.rows = this.rows.filter((row) => !gone.has(row.id));
    gone.forEach((id) => this.#byId.delete(id));
    this.onChange();
    if (this.#isTailWanted) this.#step();
  }

  /** Reads these devices again, if anything happened to them. */
  refresh(ids) {
    this.visible = ids;
    if (ids.some((id) => this.#stale.has(id))) this.#step();
  }

  /** One batch of calls at a time, with a pause: hundreds of pushes may arrive each second. */
  async #step() {
    if (this.#isReading || this.isLoading) return;
    this.#isReading = true;
    try {
      if (this.#isTailWanted) await this.#readTail();
      const ids = (this.visible ?? []).filter((id) => this.#stale.has(id));
      ids.forEach((id) => this.#stale.delete(id));
      await Promise.all(ids.map((id) => this.#read(id)));
      this.onChange();
      await new Promise((done) => setTimeout(done, PAUSE));
    } catch { /* The stream notices that the gateway is gone. */ } finally {
      this.#isReading = false;
    }
    if (this.#isTailWanted || this.visible?.some((id) => this.#stale.has(id))) this.#step();
  }

  async #read(id) {
    const device = await get(`/devices/${encodeURIComponent(id)}`, { expected: [404] });
    const row = this.#byId.get(id);
    if (row && device.id) Object.assign(row, rowOf(device));
  }

  /** New devices are at the end of the list. */
  async #readTail() {
    this.#isTailWanted = false;
    const mine = this.#generation;
    let cursor = this.#cursor;
    do {
      const page = await get(`/devices${query({ limit: PAGE, cursor })}`);
      if (mine !== this.#generation) return;
      for (const row of page.devices.map(rowOf)) {
        if (!this.#byId.has(row.id)) this.rows.push(row);
        this.#byId.set(row.id, Object.assign(this.#byId.get(row.id) ?? row, row));
      }
      this.#cursor = cursor;
      cursor = page.next;
    } while (cursor !== null);
  }

  close() {
    this.#generation++;
    this.visible = [];
    this.#isTailWanted = false;
    this.stop();
    document.removeEventListener("pushpit:missed", this.reread);
  }
}
