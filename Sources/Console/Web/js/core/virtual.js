// A list that has elements only for the rows that can be seen, so that ten thousand rows cost as much as thirty.

import { h } from "./dom.js";
import { onceAFrame } from "./frame.js";

const ABOVE_AND_BELOW = 8;

/**
 * @param height the height of each row, in pixels
 * @param make makes the element of a row
 * @param fill `fill(element, index)` shows another row in it, and sets its `id` and `aria-selected`
 */
export class VirtualList {
  constructor({ height, make, fill, label, onEnd }) {
    Object.assign(this, { height, make, fill, onEnd, count: 0 });
    this.spacer = h("div", { class: "spacer", role: "presentation" });
    this.element = h("div", { class: "rows", role: "listbox", tabindex: "0", "aria-label": label }, this.spacer);
    this.shown = new Map();
    this.free = [];
    this.frame = onceAFrame(() => this.draw());
    this.element.addEventListener("scroll", this.frame.schedule, { passive: true });
    this.resizing = new ResizeObserver(this.frame.schedule);
    this.resizing.observe(this.element);
  }

  /** Shows this many rows. `added` is how many of them are new at the top: what the person reads stays in place. */
  update(count, added = 0) {
    this.count = count;
    this.spacer.style.height = `${count * this.height}px`;
    if (added > 0 && this.element.scrollTop > 0) this.element.scrollTop += added * this.height;
    this.isStale = true;
    this.frame.schedule();
  }

  draw() {
    const top = this.element.scrollTop;
    const first = Math.max(0, Math.floor(top / this.height) - ABOVE_AND_BELOW);
    const last = Math.min(this.count, Math.ceil((top + this.element.clientHeight) / this.height) + ABOVE_AND_BELOW);
    for (const [index, element] of this.shown) {
      if (index >= first && index < last) continue;
      this.shown.delete(index);
      this.free.push(element);
      element.hidden = true;
      this.spacer.append(element);
      // Another row may get this name while the element waits to be used again.
      element.removeAttribute("id");
    }
    for (let index = first; index < last; index++) {
      let element = this.shown.get(index);
      if (element && !this.isStale) continue;
      if (!element) {
        element = this.free.pop() ?? this.spacer.appendChild(this.make());
        element.hidden = false;
        element.style.transform = `translateY(${index * this.height}px)`;
        this.shown.set(index, element);
      }
      element.setAttribute("aria-setsize", this.count);
      element.setAttribute("aria-posinset", index + 1);
      this.fill(element, index);
    }
    this.isStale = false;
    this.order(first, last);
    const active = [...this.shown.values()].find((element) => element.getAttribute("aria-selected") === "true");
    if (active) this.element.setAttribute("aria-activedescendant", active.id);
    else this.element.removeAttribute("aria-activedescendant");
    if (last > this.count - 50) this.onEnd?.();
  }

  /** The order of the elements is that of the rows, as a screen reader reads them. Few have to be moved: free ones are at the end. */
  order(first, last) {
    let at = this.spacer.firstChild;
    for (let index = first; index < last; index++) {
      const element = this.shown.get(index);
      if (element === at) at = at.nextSibling;
      else this.spacer.insertBefore(element, at);
    }
  }

  get isAtTop() {
    return this.element.scrollTop < this.height;
  }

  scrollTo(index) {
    const top = index * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.element.scrollTop = top + this.height - clientHeight;
    this.draw();
  }

  close() {
    this.resizing.disconnect();
    this.frame.cancel();
  }
}
