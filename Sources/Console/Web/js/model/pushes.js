// The pushes that match some filters, newest first: old ones page by page, new ones as they arrive.

import { get, query, remove } from "../core/api.js";
import { listen } from "../core/events.js";
import { OUTCOME_KINDS, Outcomes } from "./outcomes.js";
import { pacer } from "./refresh.js";
import { isDryRun, summaryOf, targetOf, worst } from "./summary.js";

const PAGE = 200;
const LONGEST_PAGE = 500;
const MOST = 20_000;
/** The list is read again if events were missed, or if pushes were deleted. */
const REREAD = ["pushpit:missed", "pushpit:fewer"];

/** What the list keeps of a message: ten thousand whole messages would fill the memory. */
export function rowOf(message) {
  const { id, seq, time, provider, app, outcome, status, reason, devices } = message;
  return {
    id, seq, time, provider, app, outcome, status, reason, devices,
    summary: summaryOf(message), target: targetOf(message), worst: worst(message.findings),
    isForMany: !message.target.token && !message.target.fid, isDryRun: isDryRun(message),
  };
}

/** The spans of event numbers, as filters, of these rows: a span for each run of neighbours in the list. */
export function spansOf(rows, ids) {
  const spans = [];
  let span = null;
  for (const { id, seq } of rows) {
    if (!ids.has(id)) {
      span = null;
      continue;
    }
    if (!span) spans.push(span = { until: seq });
    span.since = seq - 1;
  }
  return spans;
}

export class Pushes {
  rows = [];
  outcomes = new Outcomes();
  #cursor = null;
  #isLoading = false;
  #generation = 0;
  #newer = pacer(() => this.#readNewer(), { pause: 0, rest: 1 });

  /** @param onChange called with the number of rows that are new at the top */
  constructor(filters, onChange) {
    this.filters = filters;
    this.onChange = onChange;
    this.stopListening = listen((events) => this.#heard(events));
    // The stream notices that the gateway is gone.
    this.reread = () => this.load().catch(() => {});
    for (const kind of REREAD) document.addEventListener(kind, this.reread);
  }

  get hasMore() {
    return this.#cursor !== null && this.rows.length < MOST;
  }

  async load() {
    const mine = ++this.#generation;
    const limit = Math.min(Math.max(PAGE, this.rows.length), LONGEST_PAGE);
    const page = await get(`/messages${query({ ...this.filters, limit })}`);
    if (mine !== this.#generation) return;
    this.rows = page.messages.map(rowOf);
    this.#cursor = page.next;
    this.outcomes.clear();
    this.onChange(0);
    await this.#readOutcomes(this.rows, mine);
  }

  /** Loads the next page of older pushes. */
  async more() {
    if (this.#isLoading || !this.hasMore) return;
    this.#isLoading = true;
    const mine = this.#generation;
    try {
      const page = await get(`/messages${query({ ...this.filters, limit: PAGE, cursor: this.#cursor })}`);
      if (mine !== this.#generation) return;
      const rows = page.messages.map(rowOf);
      this.rows.push(...rows);
      this.#cursor = page.next;
      this.onChange(0);
      await this.#readOutcomes(rows, mine);
    } finally {
      this.#isLoading = false;
    }
  }

  /** Reads what happened to these pushes on devices, from the events about them. */
  async #readOutcomes(rows, mine) {
    if (rows.length === 0) return;
    const push = rows.map((row) => row.id).join(",");
    const last = rows[0].seq + 2000;
    let since = rows.at(-1).seq - 1;
    while (since !== null && since < last && mine === this.#generation) {
      const filters = { since, push, kind: OUTCOME_KINDS, limit: 1000 };
      const page = await get(`/events${query(filters)}`, { accept: "application/json" });
      page.events.forEach((event) => this.outcomes.add(event));
      since = page.next === null ? null : Number(page.next);
    }
    if (mine === this.#generation) this.onChange(0);
  }

  #heard(events) {
    events.forEach((event) => this.outcomes.add(event));
    if (events.some((event) => event.kind === "accepted" || event.kind === "refused")) this.#newer.soon();
    else this.onChange(0);
  }

  /** Reads what is newer than the newest row. */
  async #readNewer() {
    const mine = this.#generation;
    const since = Math.max(this.filters.since ?? 0, this.rows[0]?.seq ?? 0);
    const added = [];
    let cursor = null;
    do {
      const page = await get(`/messages${query({ ...this.filters, since, limit: 500, cursor })}`);
      added.push(...page.messages.map(rowOf));
      cursor = page.next;
    } while (cursor !== null && added.length < MOST);
    if (mine !== this.#generation || added.length === 0) return;
    this.rows = added.concat(this.rows);
    if (this.rows.length > MOST) this.rows.length = MOST;
    this.onChange(added.length);
  }

  /** Deletes the pushes with these ids; their number. Neighbours in the list have no other push of these filters between them. */
  async delete(ids) {
    let sum = 0;
    for (const span of spansOf(this.rows, ids)) sum += await this.#delete({ ...this.filters, ...span });
    this.rows = this.rows.filter(({ id }) => !ids.has(id));
    this.onChange(0);
    return sum;
  }

  /** Deletes all pushes of these filters up to this event; their number. */
  async deleteAll(until) {
    const deleted = await this.#delete({ until, ...this.filters });
    await this.load();
    return deleted;
  }

  async #delete(filters) {
    const { deleted } = await remove(`/messages${query(filters)}`);
    document.dispatchEvent(new CustomEvent("pushpit:deleted", { detail: deleted }));
    return deleted;
  }

  close() {
    this.#generation++;
    this.#newer.close();
    this.stopListening();
    for (const kind of REREAD) document.removeEventListener(kind, this.reread);
  }
}
