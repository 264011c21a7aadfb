// Tiles of one size in as many columns as there is room for. Only those that can be seen have elements.

import { h } from "../../core/dom.js";

const ROWS_AROUND = 1;

export class VirtualGrid {
  /**
   * @param width the least width of a tile, and `height` its height, in pixels
   * @param make `make(item)` returns `{element, update(item)}`
   * @param onVisible called with the items that have elements, after each drawing
   */
  constructor({ width, height, label, make, onVisible }) {
    Object.assign(this, { width, height, make, onVisible, items: [], shown: new Map(), columns: 1 });
    this.list = h("ul", { class: "tiles", "aria-label": label });
    this.element = h("div", { class: "wall", tabindex: "-1" }, this.list);
    this.element.addEventListener("scroll", () => this.schedule(), { passive: true });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.resizing = new ResizeObserver(() => this.schedule());
    this.resizing.observe(this.element);
  }

  update(items) {
    this.items = items;
    this.schedule();
  }

  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    const { clientWidth, clientHeight, scrollTop } = this.element;
    if (clientWidth === 0) return;
    this.columns = Math.max(1, Math.floor(clientWidth / this.width));
    const rows = Math.ceil(this.items.length / this.columns);
    this.list.style.height = `${rows * this.height}px`;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - ROWS_AROUND) * this.columns;
    const last = Math.min(this.items.length, (Math.ceil((scrollTop + clientHeight) / this.height) + ROWS_AROUND) * this.columns);
    const wanted = new Map(this.items.slice(first, last).map((item, index) => [item.id, first + index]));
    for (const [id, tile] of this.shown) {
      if (wanted.has(id)) continue;
      tile.element.remove();
      this.shown.delete(id);
    }
    let before = null;
    for (const [id, index] of wanted) before = this.place(this.items[index], id, index, before);
    this.onVisible?.(this.items.slice(first, last));
  }

  /** The elements are in the order of the items, for people who use the Tab key. One that has the focus is not moved. */
  place(item, id, index, before) {
    let tile = this.shown.get(id);
    if (!tile) {
      tile = this.make(item);
      this.shown.set(id, tile);
    }
    const next = before ? before.nextSibling : this.list.firstChild;
    if (tile.element !== next && !(tile.element.isConnected && tile.element.contains(document.activeElement))) this.list.insertBefore(tile.element, next);
    tile.index = index;
    tile.element.setAttribute("aria-setsize", this.items.length);
    tile.element.setAttribute("aria-posinset", index + 1);
    tile.element.style.width = `${100 / this.columns}%`;
    tile.element.style.height = `${this.height}px`;
    tile.element.style.top = `${Math.floor(index / this.columns) * this.height}px`;
    tile.element.style.left = `${(index % this.columns) * (100 / this.columns)}%`;
    tile.update(item);
    return tile.element;
  }

  /** Arrows move between the tiles' links. */
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.columns, ArrowUp: -this.columns }[event.key];
    const present = [...this.shown.values()].find((tile) => tile.element.contains(event.target));
    if (!step || !present || event.target.closest("[popover], input, select")) return;
    const index = present.index + step;
    if (index < 0 || index >= this.items.length) return;
    event.preventDefault();
    this.focus(index);
  }

  focus(index) {
    const top = Math.floor(index / this.columns) * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.element.scrollTop = top + this.height - clientHeight;
    this.draw();
    this.shown.get(this.items[index].id)?.element.querySelector("a")?.focus({ preventScroll: true });
  }

  close() {
    this.resizing.disconnect();
    if (this.frame) cancelAnimationFrame(this.frame);
  }
}
