// Asks what the service would answer to the draft: after a pause in typing, and only for the newest text.

import { get, post } from "../../core/api.js";
import { checkCall, emptyTarget } from "../../model/compose/draft.js";

const PAUSE = 200;

export class Checker {
  #timer = null;
  #controller = null;

  /** @param onState called with `{answer, error, open, faults}`: the answer and the faults that are set; or why the text is not JSON; or why nothing was checked */
  constructor(onState) {
    this.onState = onState;
  }

  /** @param error why the text is not JSON, or null */
  check(draft, error) {
    this.close();
    if (error) return this.onState({ answer: null, error });
    const empty = emptyTarget(draft);
    if (empty) return this.onState({ answer: null, error: null, open: empty.text });
    this.#timer = setTimeout(() => this.#ask(draft), PAUSE);
    return undefined;
  }

  async #ask(draft) {
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    try {
      const [answer, { faults }] = await Promise.all([this.now(draft, signal), get("/faults?limit=200", { signal })]);
      if (!signal.aborted) this.onState({ answer, error: null, faults });
    } catch (problem) {
      if (signal.aborted) return;
      const { status, message } = problem;
      this.onState(status ? { answer: { outcome: "refused", status, message, findings: [] }, error: null } : { answer: null, error: null, open: message });
    }
  }

  now(draft, signal) {
    const [path, body] = checkCall(draft);
    return post(path, body, { signal });
  }

  close() {
    clearTimeout(this.#timer);
    this.#controller?.abort();
  }
}
