// The pushes that a person has selected in the list, for actions on many at once.

export class Selection {
  ids = new Set();
  #anchor = null;

  get isEmpty() {
    return this.ids.size === 0;
  }

  toggle({ id }) {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.#anchor = id;
  }

  /** Selects everything from the row that was chosen last (or else from `from`) to this one. */
  extend(rows, index, from = index) {
    const at = rows.findIndex(({ id }) => id === this.#anchor);
    const start = at < 0 ? from : at;
    this.#anchor = rows[start].id;
    for (let each = Math.min(start, index); each <= Math.max(start, index); each++) this.ids.add(rows[each].id);
  }

  clear() {
    this.ids.clear();
    this.#anchor = null;
  }
}
