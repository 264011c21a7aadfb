// What to do when there is nothing to see yet: send a first push, and point a sender here.

import { h, replace } from "../core/dom.js";
import { base, get } from "../core/api.js";
import { tabs } from "../core/tabs.js";
import { valuesOf } from "../model/values.js";
import { firstPush } from "./start/first.js";
import { nextSteps, tokenHelp } from "./start/next.js";
import { snippetList } from "./start/snippet.js";
import { LANGUAGES } from "./start/snippets.js";

export const title = "Get started";
const ADDRESS = `pushpit.address ${base.pathname}`;
const LANGUAGE = `pushpit.language ${base.pathname}`;

export function open() {
  return { element: startPage() };
}

/** The page itself, which the inbox shows beside an empty list too. */
export function startPage() {
  const code = h("div", { class: "stack" }, h("p", { class: "muted" }, "Loading…"));
  const element = h("div", { class: "page start" },
    firstPush(),
    h("section", { class: "card stack", "aria-labelledby": "senders-title" },
      h("h2", { id: "senders-title" }, "Point your sender here"), code),
    nextSteps());
  load(code).catch((problem) => replace(code, h("p", { class: "problem" }, problem.message)));
  return h("div", { class: "scroll" }, element);
}

async function load(element) {
  const [credentials, { devices }] = await Promise.all([get("/credentials"), get("/devices?limit=200")]);
  let address = sessionStorage.getItem(ADDRESS) ?? base.host;
  const field = h("input", { value: address, "aria-label": "Address of the gateway, as host:port", autocomplete: "off", spellcheck: "false", size: "22" });
  const problem = h("p", { class: "problem", role: "alert" });
  let chosen = sessionStorage.getItem(LANGUAGE) ?? "exec";
  const area = h("div");

  function draw() {
    const values = valuesOf(credentials, address, devices);
    const shown = tabs({
      label: "Languages", chosen,
      tabs: LANGUAGES.map(({ id, label, snippets }) => ({ id, label, open: () => snippetList(snippets(values)) })),
      onChoose: (id) => {
        chosen = id;
        sessionStorage.setItem(LANGUAGE, id);
      },
    });
    replace(area, shown.bar, shown.panel);
  }

  field.addEventListener("change", () => {
    const text = field.value.trim() || base.host;
    if (!/^(\[[0-9a-f:]+\]|[\w.-]+)(:\d{1,5})?$/i.test(text)) {
      problem.textContent = `'${text}' is not an address. Write host:port, such as localhost:2197.`;
      return;
    }
    problem.textContent = "";
    address = text;
    sessionStorage.setItem(ADDRESS, address);
    draw();
  });
  const isBehindProxy = base.pathname !== "/";
  replace(
    element,
    h("div", { class: "row" }, h("span", {}, "Address of the gateway:"), field,
      h("span", { class: "small muted" }, isBehindProxy ? "This page is behind a proxy. Enter the address at which your sender reaches the gateway itself."
        : "Change it if your sender uses another name for the gateway.")),
    problem,
    h("p", { class: "small muted" }, "Keys and certificates are in ", h("code", {}, credentials.directory), " on the gateway's machine. The tokens below belong to your devices, or are examples: the gateway makes a device for any token that looks real."),
    area, tokenHelp());
  draw();
}
