// The gateway's clock, which can be moved and frozen. Phones show its time.

import { get } from "../core/api.js";
import { listen } from "../core/events.js";

const TICK = 5000;

export class Clock {
  #offset = 0;
  #frozen = null;

  /** @param onTick called when the time has to be shown again */
  constructor(onTick) {
    this.onTick = onTick;
    this.timer = setInterval(onTick, TICK);
    this.stop = listen((events) => {
      if (events.some((event) => event.kind === "clock")) this.read();
    });
    this.reread = () => this.read();
    document.addEventListener("pushpit:missed", this.reread);
  }

  async read() {
    try {
      const { now, frozen } = await get("/clock");
      this.#frozen = frozen ? Date.parse(now) : null;
      this.#offset = Date.parse(now) - Date.now();
      this.onTick();
    } catch { /* The line about the connection says it. */ }
  }

  /** In milliseconds. */
  get now() {
    return this.#frozen ?? Date.now() + this.#offset;
  }

  close() {
    clearInterval(this.timer);
    this.stop();
    document.removeEventListener("pushpit:missed", this.reread);
  }
}
