// The switches of a device's state. They are made once, so a redraw never takes the focus away.

import { h } from "../../core/dom.js";
import { choicesOf, switchesOf } from "../../model/states.js";

export class Switches {
  /** @param onChange called with the part of the state that the person has changed; returns a promise */
  constructor(platform, onChange) {
    this.onChange = onChange;
    this.choices = choicesOf(platform).map((choice) => this.#choice(choice));
    this.switches = switchesOf(platform).map((row) => this.#switch(row));
    this.element = h("div", { class: "switches" }, [...this.choices, ...this.switches].map((row) => row.element));
  }

  #choice({ name, label, options }) {
    const field = h("select", { name, on: { change: () => this.#change(name, field.value) } },
      options.map(([value, text]) => h("option", { value }, text)));
    return { name, field, options, element: h("label", { class: "state-choice" }, h("span", {}, label), field) };
  }

  #switch({ name, label }) {
    const button = h("button", { type: "button", class: "state-switch", role: "switch", name, "aria-checked": "false",
      on: { click: () => this.#change(name, button.getAttribute("aria-checked") !== "true") } },
    h("span", {}, label), h("span", { class: "knob", "aria-hidden": "true" }));
    return { name, button, element: button };
  }

  async #change(name, value) {
    await this.onChange({ [name]: value });
    // If the gateway has refused it, the control shows the old value again.
    if (this.state) this.update(this.state);
  }

  update(state) {
    this.state = state;
    for (const { name, field, options } of this.choices) {
      // A value that makes no sense on this platform can still be set over the API.
      if (!options.some(([value]) => value === state[name])) {
        options.push([state[name], state[name]]);
        field.append(h("option", { value: state[name] }, state[name]));
      }
      if (field.value !== state[name]) field.value = state[name];
    }
    for (const { name, button } of this.switches) button.setAttribute("aria-checked", String(state[name]));
  }
}
