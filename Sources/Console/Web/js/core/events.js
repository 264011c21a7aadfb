// The gateway's event log, as it grows. One stream for the whole page, because a browser opens only six connections to
// a server. It is read with fetch, since EventSource can't send a token. A hidden tab closes it, and catches up later.

import { get, request } from "./api.js";

const listeners = new Set();
/** How long events are collected before the listeners get them, in milliseconds. */
const PAUSE = 150;
/** What a line with an event begins with (server-sent events). */
const DATA = "data: ";

/** The number of the newest event that is known; null until the first answer. */
let newest = null;
let collected = [];
let timer = null;
let stop = null;
let delay = 500;
const LONGEST_DELAY = 3000;
/** `isLost` if the gateway does not answer at all. */
export const connection = { isOpen: false, isLost: false };

/** Calls `listener(events)` for new events: lists in order, at most one every `PAUSE`. Returns how to end that. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells everybody about the connection, or that events were missed and lists have to be read again. */
function tell(kind) {
  document.dispatchEvent(new CustomEvent(`pushpit:${kind}`));
}

function add(event) {
  if (event.kind === "missed") return tell("missed");
  newest = Math.max(newest, event.seq);
  collected.push(event);
  timer ??= setTimeout(deliver, PAUSE);
}

function deliver() {
  const events = collected;
  collected = [];
  timer = null;
  for (const listener of listeners) listener(events);
}

async function read(signal) {
  const answer = await request(`api/v1/events?since=${newest}`, { headers: { accept: "text/event-stream" }, signal });
  if (!answer.ok) throw new Error(`GET /events: ${answer.status}`);
  Object.assign(connection, { isOpen: true, isLost: false });
  delay = 500;
  tell("connection");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.startsWith(DATA)) add(JSON.parse(line.slice(DATA.length)));
  }
}

/** Begins after the newest event of now, unless the log goes on where it was. */
async function begin(signal) {
  const { events } = await get("/stats", { signal });
  // A gateway that did not answer may have been started again. A log that is shorter than before is a new one.
  if (newest !== null && !connection.isLost && events >= newest) return;
  const isFirst = newest === null;
  newest = events;
  if (!isFirst) tell("missed");
}

async function follow() {
  const controller = new AbortController();
  const { signal } = controller;
  stop = () => controller.abort();
  while (!signal.aborted) {
    try {
      await begin(signal).catch((problem) => {
        if (!signal.aborted) connection.isLost = true;
        throw problem;
      });
      await read(signal);
    } catch { /* The gateway has ended, or the tab is hidden. */ }
    connection.isOpen = false;
    tell("connection");
    if (signal.aborted) return;
    await new Promise((done) => setTimeout(done, delay));
    delay = Math.min(delay * 2, LONGEST_DELAY);
  }
}

/** Starts the stream after the newest event of now. */
export function start() {
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      stop?.();
      stop = null;
    } else if (!stop) {
      follow();
    }
  });
  follow();
}
