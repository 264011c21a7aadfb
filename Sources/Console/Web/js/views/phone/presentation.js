// Presentation: the phone alone, on the whole screen.

import { h } from "../../core/dom.js";
import { icon } from "../../core/icons.js";

const isField = (element) => element.closest?.("input, textarea, select, dialog");

export class Presentation {
  isOn = false;

  /** @param onChange called with whether it is on */
  constructor(onChange) {
    this.onChange = onChange;
    this.button = h("button", { type: "button", class: "quiet end-presentation", on: { click: () => this.end() } }, icon("close", 16), "End");
    this.onFullscreen = () => {
      // Escape, or the browser's own button, ends both.
      if (this.wasFull && !document.fullscreenElement) this.end();
      this.wasFull = Boolean(document.fullscreenElement);
    };
    this.onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isField(event.target)) return;
      if (event.key === "Escape" && this.isOn) this.end();
      else if (event.key === "p") this.isOn ? this.end() : this.start();
    };
    document.addEventListener("fullscreenchange", this.onFullscreen);
    addEventListener("keydown", this.onKey);
  }

  set(isOn) {
    this.isOn = isOn;
    document.body.classList.toggle("presenting", isOn);
  }

  start() {
    this.set(true);
    this.onChange(true);
    // A browser may refuse full screen; the phone is alone in the window then.
    document.documentElement.requestFullscreen?.().catch(() => {});
    this.button.focus({ preventScroll: true });
  }

  end() {
    if (!this.isOn) return;
    this.set(false);
    this.onChange(false);
    if (document.fullscreenElement) document.exitFullscreen();
  }

  close() {
    this.set(false);
    if (document.fullscreenElement) document.exitFullscreen();
    document.removeEventListener("fullscreenchange", this.onFullscreen);
    removeEventListener("keydown", this.onKey);
  }
}
