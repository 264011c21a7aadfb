// Reads something again when it may have changed: soon after an event, one read at a time, and never more than a tenth of
// the time, however much there is to read.

import { listen } from "../core/events.js";

const PAUSE = 300;

/**
 * Calls of `soon()` become calls of `read`, one at a time.
 * @param read reads and shows; may fail, since the connection is then shown as broken elsewhere
 * @param pause how long to wait for more to happen before a read, in milliseconds
 * @param gap the least time between two reads
 * @param rest how much longer than a read the time after it is
 * @param every reads also after so many milliseconds, for what no event tells; 0 for never
 */
export function pacer(read, { pause = PAUSE, gap = 0, rest = 9, every = 0 } = {}) {
  let timer = null;
  let due = 0;
  let notBefore = 0;
  let isReading = false;
  let isBehind = false;
  let isClosed = false;

  async function run() {
    clearTimeout(timer);
    timer = null;
    if (isClosed) return;
    if (isReading) {
      isBehind = true;
      return;
    }
    isReading = true;
    const began = performance.now();
    try {
      await read();
    } catch { /* The next read may work. */ }
    isReading = false;
    const ended = performance.now();
    notBefore = ended + Math.max(gap, (ended - began) * rest);
    if (isBehind) soon();
    else if (every) schedule(ended + every);
  }

  function schedule(time) {
    if (isClosed) return;
    clearTimeout(timer);
    due = time;
    timer = setTimeout(run, due - performance.now());
  }

  /** Reads soon. A read that is due earlier stays. */
  function soon() {
    isBehind = isReading;
    if (isReading) return;
    const time = Math.max(performance.now() + pause, notBefore);
    if (timer === null || due > time) schedule(time);
  }

  if (every) schedule(performance.now() + every);
  return {
    soon,
    /** Reads at once, after something that the person did. */
    now: run,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** A pacer that also reads after events, and after events were missed. @param concerns whether an event may have changed what `read` reads */
export function refresher(read, { concerns = () => true, ...pace } = {}) {
  const { soon, now, close } = pacer(read, pace);
  const stop = listen((events) => {
    if (events.some(concerns)) soon();
  });
  document.addEventListener("pushpit:missed", soon);
  return { soon, now, close() {
    close();
    stop();
    document.removeEventListener("pushpit:missed", soon);
  } };
}
