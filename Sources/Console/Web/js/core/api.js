// Calls of the control API. Everything that the console shows and does goes through here.

import { askForToken } from "./token.js";

/** The folder that the console is served from: a proxy may have put it below a path. */
export const base = new URL(".", document.baseURI);
const STORE = `pushpit.token ${base.pathname}`;

const NO_ANSWER = "The gateway does not answer.";
/** A browser says only "Failed to fetch". */
const NOT_SENT = "Not sent: the gateway does not answer.";

/** An answer that is an error, with the API's own sentence; status 0 if there is no answer. */
export class Problem extends Error {
  constructor(status, { code = "", message = "", pointer = null } = {}) {
    super(message || `The gateway answered ${status}.`);
    Object.assign(this, { status, code, pointer });
  }
}

/** Whether the gateway has asked for a token. */
export const hasToken = () => sessionStorage.getItem(STORE) !== null;

let asking = null;

/** Sends a request with the token, and asks for the token if the gateway wants one. */
export async function request(path, { headers = {}, ...options } = {}) {
  const token = sessionStorage.getItem(STORE);
  const all = token ? { ...headers, authorization: `Bearer ${token}` } : headers;
  const answer = await fetch(new URL(path, base), { cache: "no-store", ...options, headers: all }).catch((error) => {
    throw error.name === "AbortError" ? error : new Problem(0, { message: options.method && options.method !== "GET" ? NOT_SENT : NO_ANSWER });
  });
  if (answer.status !== 401) return answer;
  if (sessionStorage.getItem(STORE) === token) {
    asking ??= askForToken(token !== null).then((given) => sessionStorage.setItem(STORE, given));
    await asking;
    asking = null;
  }
  return request(path, { headers, ...options });
}

/**
 * A call below /api/v1: the parsed answer, or a `Problem`. A status in `expected` is no problem. A body that is a text is
 * sent as it is.
 */
export async function call(method, path, body, { expected = [], signal, accept } = {}) {
  const options = { method, signal, headers: accept ? { accept } : {} };
  if (body !== undefined) {
    options.body = typeof body === "string" ? body : JSON.stringify(body);
    options.headers["content-type"] = "application/json";
  }
  const answer = await request(`api/v1${path}`, options);
  const isJSON = answer.headers.get("content-type")?.startsWith("application/json");
  const value = answer.status === 204 ? null : isJSON ? await answer.json() : await answer.text();
  if (answer.ok || expected.includes(answer.status)) return value;
  throw new Problem(answer.status, isJSON ? value.error : { message: String(value).trim() });
}

export const get = (path, options) => call("GET", path, undefined, options);
export const post = (path, body, options) => call("POST", path, body, options);
export const put = (path, body) => call("PUT", path, body);
export const patch = (path, body) => call("PATCH", path, body);
export const remove = (path) => call("DELETE", path);

/** A query string of the values that are not empty. */
export function query(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return pairs.length ? `?${new URLSearchParams(pairs)}` : "";
}

/** All items of a list, page by page, up to a limit. */
export async function all(path, name, limit = 10_000) {
  const items = [];
  let cursor = null;
  do {
    const page = await get(path + query({ limit: 1000, cursor }));
    items.push(...page[name]);
    cursor = page.next;
  } while (cursor !== null && items.length < limit);
  return items;
}
