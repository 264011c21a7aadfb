// Keeps the draft for as long as the tab is open.

import { base } from "../../core/api.js";

const KEY = `pushpit.draft ${base.pathname}`;

/** `{draft, source}`; null if nothing usable was kept. `source` is the query of the address that the draft came from. */
export function restore() {
  try {
    const { draft, source } = JSON.parse(sessionStorage.getItem(KEY));
    return typeof draft.apns.text === "string" && typeof draft.fcm.text === "string" ? { draft, source } : null;
  } catch {
    return null;
  }
}

export function store(value) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(value));
  } catch { /* The draft is too long to be kept. */ }
}
