// Addresses such as #/pushes/p12?app=com.example.app. They stay in the part after #, so they work below any path.

import { h, replace } from "./dom.js";

/** Parts of a path that begin with ":" are parameters. The first row that matches counts. */
const routes = [
  ["", "inbox"], ["pushes", "inbox"], ["pushes/:id", "inbox"],
  ["start", "start"],
  ["devices", "devices"], ["devices/:id", "phone"],
  ["compose", "compose"], ["inspect", "inspect"],
  ["faults", "faults"], ["tracking", "tracking"],
  ["rules", "rules"], ["rules/:id", "rules"],
];

let open = null;

export function parse(hash = location.hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { parts: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(search) };
}

/** A wrong escape in an address that somebody typed is not an error. */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function href(parts, query = "") {
  const search = String(query);
  return `#/${[parts].flat().map(encodeURIComponent).join("/")}${search ? `?${search}` : ""}`;
}

/** Opens an address. With `replaces`, the browser's "back" does not lead to the present one. */
export function go(parts, query = "", { replaces = false } = {}) {
  const target = href(parts, query);
  if (replaces) {
    history.replaceState(null, "", target);
    show();
  } else {
    location.hash = target;
  }
}

function match({ parts }) {
  for (const [pattern, name] of routes) {
    const wanted = pattern.split("/").filter(Boolean);
    if (wanted.length !== parts.length) continue;
    if (!wanted.every((part, index) => part.startsWith(":") || part === parts[index])) continue;
    return { name, id: parts.find((_, index) => wanted[index].startsWith(":")) ?? null };
  }
  return null;
}

let turn = 0;

/**
 * Shows the view of the present address. A view is a module with `title` and `open({id, query})`, which returns
 * `{element, update?, close?}`. `update({id, query})` is called when only the parameters have changed. It returns false if
 * the view can't show these: then a new one is opened.
 */
async function show() {
  const mine = ++turn;
  const address = parse();
  const found = match(address) ?? { name: "inbox", id: null };
  const parameters = { id: found.id, query: address.query };
  document.dispatchEvent(new CustomEvent("pushpit:address", { detail: { name: found.name, ...parameters } }));
  if (open?.name === found.name && open.view.update && open.view.update(parameters) !== false) return;
  try {
    const module = await import(`../views/${found.name}.js`);
    const view = await module.open(parameters);
    // Another address may have been opened while this one was being prepared.
    if (mine !== turn) return view.close?.();
    put(found.name, view, module.title);
  } catch (problem) {
    if (mine === turn) put("", { element: failed(problem) }, "Not opened");
  }
}

/** Puts a view in the place of the one before. */
function put(name, view, title) {
  open?.view.close?.();
  const isFirst = open === null;
  open = { name, view };
  // A view may know a better title.
  document.title = `${view.title ?? title} · Pushpit`;
  view.element.classList.add("view");
  replace(document.getElementById("main"), view.element);
  if (!isFirst) document.getElementById("main").focus({ preventScroll: true });
}

/** Why an address could not be opened. What was shown before would be wrong under this address. */
const failed = (problem) => h("div", { class: "scroll" }, h("div", { class: "empty" },
  h("p", { class: "problem", role: "alert" }, problem.message),
  h("button", { type: "button", on: { click: show } }, "Try again")));

export function start() {
  addEventListener("hashchange", show);
  show();
}
