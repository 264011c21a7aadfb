// Reads something again when it may have changed: soon after an event, one read at a time, and never more than a tenth of
// the time, however much there is to read.

import { listen } from "../core/events.js";

const PAUSE = 300;

/**
 * @param read reads and shows; may fail, since the connection is then shown as broken elsewhere
 * @param concerns whether an event may have changed what `read` reads
 * @param every reads also after so many milliseconds, for what no event tells; 0 for never
 */
export function refresher(read, { concerns = () => true, every = 0 } = {}) {
  let timer = null;
  let isReading = false;
  let isBehind = false;
  let isClosed = false;

  async function run() {
    timer = null;
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
    const took = performance.now() - began;
    if (isClosed) return;
    if (isBehind) {
      isBehind = false;
      schedule(Math.max(PAUSE, took * 9));
    } else if (every) {
      schedule(every);
    }
  }

  function schedule(pause) {
    clearTimeout(timer);
    due = performance.now() + pause;
    timer = setTimeout(run, pause);
  }

  /** Reads soon. A read that is due earlier stays. */
  function soon() {
    if (isReading) isBehind = true;
    else if (timer === null || due > performance.now() + PAUSE) schedule(PAUSE);
  }

  let due = 0;
  const stop = listen((events) => {
    if (events.some(concerns)) soon();
  });
  document.addEventListener("pushpit:missed", soon);
  if (every) schedule(every);

  return {
    soon,
    /** Reads at once, after something that the person did. */
    now: () => {
      clearTimeout(timer);
      return run();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      stop();
      document.removeEventListener("pushpit:missed", soon);
    },
  };
}
