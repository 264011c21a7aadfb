// What became of pushes on devices, from the event log: shown, waiting, not shown.

/** From the least to the most important: the badge of a push shows the most important that happened. */
const RANK = ["delivered", "stored", "collapsed", "dropped", "suppressed", "presented"];
const WORDS = {
  delivered: "delivered", stored: "waiting", collapsed: "replaced", dropped: "dropped", suppressed: "not shown", presented: "shown",
};
const KINDS = { presented: "good", suppressed: "warn", dropped: "warn", collapsed: "warn", stored: "note", delivered: "" };

const MOST = 25_000;

export const OUTCOME_KINDS = RANK.join(",");

export class Outcomes {
  #byPush = new Map();

  add(event) {
    if (!event.push || !RANK.includes(event.kind)) return;
    const devices = this.#byPush.get(event.push) ?? new Map();
    const before = devices.get(event.device);
    // A push that waited is not waiting any more once it is delivered.
    const waited = before === "stored" && event.kind === "delivered";
    if (before === undefined || waited || RANK.indexOf(event.kind) >= RANK.indexOf(before)) {
      devices.set(event.device, event.kind);
    }
    this.#byPush.set(event.push, devices);
    // The oldest are forgotten, so that a page that stays open for days does not grow.
    if (this.#byPush.size > MOST) this.#byPush.delete(this.#byPush.keys().next().value);
  }

  clear() {
    this.#byPush.clear();
  }

  /** `{text, kind}` of a badge; null if no event says anything about the push. */
  badge(push) {
    const devices = this.#byPush.get(push);
    if (!devices) return null;
    const kinds = [...devices.values()];
    const best = RANK.findLast((kind) => kinds.includes(kind));
    const many = kinds.length > 1 ? ` on ${kinds.filter((kind) => kind === best).length} of ${kinds.length}` : "";
    return { text: WORDS[best] + many, kind: KINDS[best] };
  }
}
