// Asks what the service would answer to the draft: after a pause in typing, and only for the newest text.

import { post } from "../../core/api.js";
import { checkCall } from "../../model/compose/draft.js";

const PAUSE = 200;

export class Checker {
  #timer = null;
  #controller = null;

  /** @param onState called with `{answer, error, lost}`: the answer; or why the text is not JSON; or why nobody has checked it */
  constructor(onState) {
    this.onState = onState;
  }

  /** @param error why the text is not JSON, or null */
  check(draft, error) {
    this.close();
    if (error) return this.onState({ answer: null, error });
    this.#timer = setTimeout(() => this.#ask(draft), PAUSE);
    return undefined;
  }

  async #ask(draft) {
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    try {
      const answer = await this.now(draft, signal);
      if (!signal.aborted) this.onState({ answer, error: null });
    } catch (problem) {
      if (signal.aborted) return;
      const { status, message } = problem;
      this.onState(status ? { answer: { outcome: "refused", status, message, findings: [] }, error: null } : { answer: null, error: null, lost: message });
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
