// The filters of the inbox. They are the filters of GET /messages, and stand in the address, so a link keeps them.

import { h, foreign } from "../../core/dom.js";
import { visible } from "../../model/json/print.js";

/** Words such as `app=com.example.app` are filters; the rest is searched for in the texts of the push. */
const NAMES = ["provider", "app", "token", "device", "topic", "pushType", "outcome", "status", "reason", "rule", "apnsId", "apnsUniqueId", "name", "since", "until"];

export function readFilters(query) {
  const filters = {};
  for (const [name, value] of query) if (NAMES.includes(name) || name === "text" || name.startsWith("/")) filters[name] = value;
  return filters;
}

/** The text of the search field for these filters. */
function written(query) {
  const words = [];
  for (const [name, value] of query) {
    if (name === "text") words.push(value);
    else words.push(`${name}=${/\s/.test(value) ? `"${value}"` : value}`);
  }
  return words.join(" ");
}

/** Reads what a person has typed. */
export function parse(text) {
  const query = new URLSearchParams();
  const rest = [];
  for (const word of text.match(/(?:[^\s"=]+=)?"[^"]*"|\S+/g) ?? []) {
    const equals = word.indexOf("=");
    const name = word.slice(0, equals);
    if (equals > 0 && (NAMES.includes(name) || name.startsWith("/"))) query.set(name, word.slice(equals + 1).replace(/^"(.*)"$/, "$1"));
    else rest.push(word);
  }
  if (rest.length) query.set("text", rest.join(" "));
  return query;
}

const CHIPS = [
  { label: "Refused", name: "outcome", value: "refused" },
  { label: "Accepted", name: "outcome", value: "accepted" },
  { label: "APNs", name: "provider", value: "apns" },
  { label: "FCM", name: "provider", value: "fcm" },
  { label: "Web push", name: "provider", value: "webpush" },
];
const PAUSE = 250;

/** @param onChange called with the filters that the person wants */
export function filterBar(query, onChange) {
  const field = h("input", {
    type: "search", name: "search", placeholder: "Search, or filter: app=com.example.app", "aria-label": "Search and filter pushes",
    value: written(query), autocomplete: "off", spellcheck: "false",
  });
  let timer = null;
  const search = () => {
    clearTimeout(timer);
    const next = parse(field.value);
    if (String(next) !== String(query)) onChange(next);
  };
  field.addEventListener("change", search);
  field.addEventListener("search", search);
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
  });
  const chips = CHIPS.map(({ label, name, value }) => {
    const isOn = query.get(name) === value;
    return h("button", {
      type: "button", "aria-pressed": String(isOn),
      on: { click: () => {
        const next = new URLSearchParams(query);
        if (isOn) next.delete(name);
        else next.set(name, value);
        onChange(next);
      } },
    }, label);
  });
  const others = [...query].filter(([name]) => name !== "text" && !CHIPS.some((chip) => chip.name === name));
  const removable = others.map(([name, value]) =>
    h("button", {
      type: "button", "aria-pressed": "true", title: "Remove this filter",
      on: { click: () => {
        const next = new URLSearchParams(query);
        next.delete(name);
        onChange(next);
      } },
    }, foreign(`${name}: ${visible(value)}`, { limit: 80 }), " ×"));
  return h("div", { class: "filters", role: "search" }, field, h("div", { class: "chips" }, chips, removable));
}
