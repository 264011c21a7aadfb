// The menu of a phone on the wall: its switches, and what else can be done with it.

import { h, foreign, replace } from "../../core/dom.js";
import { patch } from "../../core/api.js";
import { attempt } from "../../core/notice.js";
import { href } from "../../core/router.js";
import { Switches } from "../phone/switches.js";

const MARGIN = 8;

export class Menu {
  /**
   * @param devices the model
   * @param onDelete called with the row of the device that is to be deleted
   */
  constructor(devices, onDelete) {
    Object.assign(this, { devices, onDelete, id: null });
    this.element = h("div", { popover: "auto", class: "wall-menu", role: "dialog", "aria-label": "Switches of the device" });
    this.element.addEventListener("toggle", (event) => {
      if (event.newState === "closed") this.closed();
    });
  }

  open(id, button) {
    const row = this.devices.get(id);
    if (!row) return;
    Object.assign(this, { id, button });
    this.switches = new Switches(row.platform, (state) => this.change(id, state));
    this.switches.update(row.state);
    replace(this.element,
      h("h2", {}, foreign(row.name || row.id, { limit: 60 })),
      this.switches.element,
      h("div", { class: "row" },
        h("a", { class: "button", href: href(["devices", id]) }, "Open"),
        h("a", { class: "button", href: href(["compose"], new URLSearchParams({ device: id })) }, "Send a push"),
        h("button", { type: "button", class: "danger quiet", on: { click: () => this.remove(row) } }, "Delete")));
    this.element.showPopover();
    this.place(button.getBoundingClientRect());
    this.element.querySelector("select, button")?.focus();
  }

  place(anchor) {
    const { offsetWidth, offsetHeight } = this.element;
    const left = Math.min(Math.max(MARGIN, anchor.right - offsetWidth), innerWidth - offsetWidth - MARGIN);
    const below = anchor.bottom + offsetHeight + MARGIN < innerHeight;
    const top = below ? anchor.bottom + 4 : Math.max(MARGIN, anchor.top - offsetHeight - 4);
    this.element.style.left = `${left}px`;
    this.element.style.top = `${top}px`;
  }

  async change(id, state) {
    const device = await attempt(() => patch(`/devices/${encodeURIComponent(id)}`, { state }));
    if (device) this.devices.put(device);
  }

  remove(row) {
    this.element.hidePopover();
    this.onDelete(row);
  }

  update() {
    const row = this.id && this.devices.get(this.id);
    if (row) this.switches.update(row.state);
    else if (this.id) this.element.hidePopover();
  }

  closed() {
    this.id = null;
    if (this.button?.isConnected && (document.activeElement === document.body || this.element.contains(document.activeElement))) this.button.focus();
  }
}
