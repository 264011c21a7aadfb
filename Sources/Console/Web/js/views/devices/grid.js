// Tiles of one size, in as many columns as fit. Only visible tiles have elements.

import { h } from "../../core/dom.js";
import { onceAFrame } from "../../core/frame.js";

const ROWS_AROUND = 1;
const PAUSE = 150;
/** How long a frame may make tiles, in milliseconds. Their layout takes the browser about as long again. */
const BUDGET = 6;

export class VirtualGrid {
  /**
   * @param width the least width of a tile, and `height` its height, in pixels
   * @param make `make(item)` returns `{element, update(item)}`; a tile is used again for other items of the same kind
   * @param kindOf the kind of an item
   * @param onVisible called with the items that have elements, after each drawing
   */
  constructor({ width, height, label, make, kindOf, onVisible }) {
    Object.assign(this, { width, height, make, kindOf, onVisible, items: [], shown: new Map(), free: new Map(), columns: 1 });
    this.list = h("ul", { class: "tiles", "aria-label": label });
    this.element = h("div", { class: "wall", tabindex: "-1" }, this.list);
    this.frame = onceAFrame(() => this.draw());
    this.element.addEventListener("scroll", this.frame.schedule, { passive: true });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.resizing = new ResizeObserver(this.frame.schedule);
    this.resizing.observe(this.element);
  }

  update(items) {
    this.items = items;
    this.frame.schedule();
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
      if (wanted.has(id) || this.isHeld(tile, id)) continue;
      this.shown.delete(id);
      this.freeOf(tile.kind).push(tile);
    }
    const end = performance.now() + BUDGET;
    for (const [id, index] of this.fromView(wanted)) {
      if (this.shown.has(id) || performance.now() < end) this.place(this.items[index], id, index);
      else this.frame.schedule();
    }
    for (const tile of [...this.free.values()].flat()) tile.element.hidden = true;
    clearTimeout(this.ordering);
    this.ordering = setTimeout(() => this.order(), PAUSE);
    this.onVisible?.(this.items.slice(first, last));
  }

  /** Those that can be seen first, without the rows around them. */
  fromView(wanted) {
    const row = Math.floor(this.element.scrollTop / this.height);
    const isSeen = ([, index]) => Math.floor(index / this.columns) >= row;
    const all = [...wanted];
    return [...all.filter(isSeen), ...all.filter((one) => !isSeen(one))];
  }

  /** A tile with the focus stays, wherever it is, until its item is gone. */
  isHeld(tile, id) {
    return tile.element.contains(document.activeElement) && this.items.some((item) => item.id === id);
  }

  freeOf(kind) {
    if (!this.free.has(kind)) this.free.set(kind, []);
    return this.free.get(kind);
  }

  place(item, id, index) {
    let tile = this.shown.get(id);
    if (!tile) {
      const kind = this.kindOf(item);
      tile = this.freeOf(kind).pop() ?? Object.assign(this.make(item), { kind });
      tile.element.hidden = false;
      this.shown.set(id, tile);
      if (!tile.element.isConnected) this.list.append(tile.element);
    }
    tile.update(item);
    const place = `${index} ${this.items.length} ${this.columns}`;
    if (tile.place === place) return;
    Object.assign(tile, { place, index });
    tile.element.setAttribute("aria-setsize", this.items.length);
    tile.element.setAttribute("aria-posinset", index + 1);
    tile.element.style.width = `${100 / this.columns}%`;
    tile.element.style.height = `${this.height}px`;
    tile.element.style.transform = `translate(${(index % this.columns) * 100}%, ${Math.floor(index / this.columns) * this.height}px)`;
  }

  /** After scrolling, the elements get the order of the items, for people who use the Tab key. The one with the focus is not moved. */
  order() {
    const tiles = [...this.shown.values()].sort((one, other) => one.index - other.index).map((tile) => tile.element);
    const isInOrder = tiles.every((element, at) => at === 0 || tiles[at - 1].compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (isInOrder) return;
    const focused = tiles.findIndex((element) => element.contains(document.activeElement));
    if (focused < 0) return this.list.append(...tiles);
    tiles[focused].before(...tiles.slice(0, focused));
    tiles[focused].after(...tiles.slice(focused + 1));
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
    clearTimeout(this.ordering);
    this.frame.cancel();
  }
}
