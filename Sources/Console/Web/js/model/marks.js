// Which pushes the person has read, kept for later visits: everything up to some push, and single newer ones.

const MOST = 2000;

/** Both are kept in the row, because the whole list is asked after each change. */
const timeOf = (push) => (push.at ??= Date.parse(push.time));
/** A gateway that is started again counts from one, so the number of a push is not enough. */
const keyOf = (push) => (push.key ??= `${push.seq.toString(36)}.${timeOf(push).toString(36)}`);

export class ReadMarks {
  #upTo = { seq: 0, time: 0 };
  #keys = new Set();

  /** @param storage as localStorage */
  constructor(storage, name) {
    Object.assign(this, { storage, name });
    this.load();
  }

  /** Takes over what another tab has marked. */
  load() {
    try {
      const { upTo, keys } = JSON.parse(this.storage.getItem(this.name));
      this.#upTo = { seq: Number(upTo.seq), time: Number(upTo.time) };
      this.#keys = new Set(keys.map(String));
    } catch { /* Nothing usable was kept. */ }
  }

  has(push) {
    const { seq, time } = this.#upTo;
    return (push.seq <= seq && timeOf(push) <= time) || this.#keys.has(keyOf(push));
  }

  add(pushes) {
    const before = this.#keys.size;
    for (const push of pushes) if (!this.has(push)) this.#keys.add(keyOf(push));
    if (this.#keys.size === before) return false;
    // The marks that were made first go first.
    for (const key of this.#keys) {
      if (this.#keys.size <= MOST) break;
      this.#keys.delete(key);
    }
    this.#save();
    return true;
  }

  /** Marks this push and all older ones. */
  addUpTo(push) {
    this.#upTo = { seq: push.seq, time: timeOf(push) };
    this.#keys.clear();
    this.#save();
  }

  #save() {
    try {
      this.storage.setItem(this.name, JSON.stringify({ upTo: this.#upTo, keys: [...this.#keys] }));
    } catch { /* The storage is full or not allowed: the marks last until the tab is closed. */ }
  }
}
