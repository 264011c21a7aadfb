// What the gateway knows that a draft needs: its devices, its project, and what to do about findings.

import { all, get } from "../../core/api.js";

const MOST_DEVICES = 200;

export class Known {
  devices = [];
  project = "";
  remedies = {};

  async read() {
    await Promise.all([this.readDevices(), this.#readProject(), this.#readRemedies()]);
  }

  /** @param chosen the ids of devices that the list has to have, even if it is too short for all */
  async readDevices(chosen = []) {
    this.devices = (await get(`/devices?limit=${MOST_DEVICES}`)).devices;
    for (const id of chosen.filter(Boolean)) await this.device(id).catch(() => null);
  }

  byId(id) {
    return this.devices.find((device) => device.id === id) ?? null;
  }

  /** A device of the list, or one that the list is too short for. */
  async device(id) {
    return this.byId(id) ?? this.add(await get(`/devices/${encodeURIComponent(id)}`));
  }

  add(device) {
    this.devices = [...this.devices.filter((row) => row.id !== device.id), device];
    return device;
  }

  async #readProject() {
    const { serviceAccounts } = await get("/credentials");
    this.project = /@([^.]+)\./.exec(serviceAccounts[0] ?? "")?.[1] ?? "demo";
  }

  async #readRemedies() {
    const rules = await all("/rules", "rules");
    this.remedies = Object.fromEntries(rules.map(({ id, remedy }) => [id, remedy]));
  }
}
