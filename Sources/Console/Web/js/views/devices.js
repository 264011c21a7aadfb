// The wall of phones.

import { h, replace } from "../core/dom.js";
import { plural } from "../core/format.js";
import { onceAFrame } from "../core/frame.js";
import { icon } from "../core/icons.js";
import { attempt } from "../core/notice.js";
import { go } from "../core/router.js";
import { Clock } from "../model/clock.js";
import { Devices, matches } from "../model/devices.js";
import { Bar, readFilters } from "./devices/bar.js";
import { createDialog } from "./devices/create.js";
import { VirtualGrid } from "./devices/grid.js";
import { Menu } from "./devices/menu.js";
import { removeDevices } from "./devices/remove.js";
import { tile } from "./devices/tile.js";

export const title = "Devices";
const TILE = { width: 190, height: 456 };

export function open(parameters) {
  return new Wall(parameters);
}

class Wall {
  constructor({ query }) {
    this.frame = onceAFrame(() => this.draw());
    this.clock = new Clock(this.frame.schedule);
    this.devices = new Devices(this.frame.schedule);
    this.bar = new Bar((filters) => go(["devices"], this.searchOf(filters), { replaces: true }));
    this.menu = new Menu(this.devices, (row) => removeDevices([row]));
    this.grid = new VirtualGrid({
      ...TILE, label: "Phones", kindOf: (row) => row.platform,
      make: (row) => tile(row, { clock: this.clock, onMenu: (id, button) => this.menu.open(id, button) }),
      onVisible: (rows) => this.devices.refresh(rows.map((row) => row.id)),
    });
    this.info = h("p", { class: "muted", role: "status" });
    this.removal = h("button", { type: "button", class: "quiet danger", on: { click: () => removeDevices(this.shown) } });
    this.empty = h("div", { class: "empty" });
    this.element = h("div", { class: "devices" },
      h("header", { class: "wall-head" },
        h("div", { class: "spread" }, h("div", { class: "row" }, h("h1", {}, title), this.info),
          h("div", { class: "row" }, this.removal, h("button", { type: "button", class: "primary", on: { click: () => this.create() } }, icon("plus", 16), "Create devices"))),
        this.bar.element),
      this.empty, this.grid.element, this.menu.element);
    this.update({ query });
    this.clock.read();
    attempt(() => this.devices.load());
    if (query.has("create")) requestAnimationFrame(() => this.create());
  }

  searchOf(filters) {
    return new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
  }

  update({ query }) {
    this.filters = readFilters(query);
    this.draw();
  }

  draw() {
    const { rows, isLoading } = this.devices;
    const isFiltered = Object.values(this.filters).some(Boolean);
    this.shown = isFiltered ? rows.filter((row) => matches(row, this.filters)) : rows;
    this.bar.update(this.filters, rows);
    this.grid.update(this.shown);
    this.menu.update();
    const told = isFiltered ? `${plural(this.shown.length, "device")} of ${rows.length.toLocaleString()}` : plural(rows.length, "device");
    if (this.info.textContent !== told) replace(this.info, told);
    this.removal.hidden = this.shown.length === 0;
    replace(this.removal, this.shown.length === 1 ? "Delete it" : `Delete ${isFiltered ? "these" : "all"} ${this.shown.length.toLocaleString()}`);
    const isEmpty = this.shown.length === 0 && !isLoading;
    this.empty.hidden = !isEmpty;
    this.grid.element.hidden = isEmpty;
    if (isEmpty && this.empty.dataset.of !== String(isFiltered)) this.showEmpty(isFiltered);
  }

  showEmpty(isFiltered) {
    this.empty.dataset.of = String(isFiltered);
    replace(this.empty,
      isFiltered ? h("p", {}, "No device matches these filters.")
        : [h("p", {}, "There are no devices yet. A push to an unknown token makes one, and so does a client of the device socket."),
          h("button", { type: "button", class: "primary", on: { click: () => this.create() } }, "Create the first device")]);
  }

  create() {
    const { app, platform } = this.filters;
    createDialog({ platform, app: app || this.devices.rows.at(-1)?.app || "com.example.app" }, (devices) => {
      if (devices.length === 1) go(["devices", devices[0].id]);
    });
  }

  close() {
    this.frame.cancel();
    this.clock.close();
    this.devices.close();
    this.bar.close();
    this.grid.close();
  }
}
