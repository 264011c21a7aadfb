// Times and numbers as people read them. Times are local; the exact value is shown on hover.

import { foreign, h } from "./dom.js";

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const number = new Intl.NumberFormat();

export const count = (value) => number.format(value);

export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

let now = () => new Date();

/** Takes over the gateway's clock, which may be moved or frozen: its day is today. */
export function setClock({ now: at, frozen }) {
  const ahead = Date.parse(at) - Date.now();
  now = () => (frozen ? new Date(at) : new Date(Date.now() + ahead));
}

/** The day of the gateway's clock. */
export const today = () => now().toDateString();

/** The time of today, or else the day and the time. */
export function shortTime(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  return date.toDateString() === today() ? clock.format(date) : `${day.format(date)} ${clock.format(date)}`;
}

export function exactTime(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : `${whole.format(date)}\n${text}`;
}

export function time(text) {
  return h("time", { datetime: text, title: exactTime(text) }, shortTime(text));
}

/** Milliseconds with a unit. */
export function duration(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const minutes = Math.round(milliseconds / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

export function bytes(value) {
  return value < 1000 ? `${value} B` : value < 1_000_000 ? `${(value / 1000).toFixed(1)} kB` : `${(value / 1_000_000).toFixed(1)} MB`;
}

/** A text of at most `most` characters: without its middle if it is longer, because ids often differ only at their ends. */
export function middle(text, most) {
  const all = [...text];
  if (all.length <= most) return text;
  const start = Math.floor((most - 1) * 0.4);
  return `${all.slice(0, start).join("")}…${all.slice(start + 1 - most).join("")}`;
}

/** An app's name in one line. What distinguishes bundle ids is at their ends, so they lose their beginning; a site loses its end. */
export function appLabel(app, properties = {}) {
  if (/^https?:\/\//.test(app)) return foreign(app.replace(/^https?:\/\//, ""), { class: "clip", limit: 200, ...properties });
  return h("span", { class: "clip front", ...properties }, foreign(app, { limit: 200 }));
}
