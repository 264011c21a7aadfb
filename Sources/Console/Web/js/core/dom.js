// Elements are only ever made here, and text is only ever set as text: nothing that a push contains can become markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element. Properties: `class`, `on` (listeners by event), `hidden` and others that are true or false, and
 * attributes. Children are elements, texts, lists of both, or null.
 */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "value") {
      element.value = value;
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

/** Replaces everything in an element. */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** A text from a push: it may contain anything, and is cut if it is long. */
export function foreign(text, { limit = 500, tag = "span", ...properties } = {}) {
  const whole = typeof text === "string" ? text : JSON.stringify(text) ?? "";
  const shown = whole.length > limit ? whole.slice(0, limit) + "…" : whole;
  return h(tag, { ...properties, class: `foreign ${properties.class ?? ""}`.trim(), dir: "auto" }, shown);
}
