// What happened to a device, in words, and what follows from it.

import { told } from "./words.js";

const values = (data) => Object.entries(data).map(([name, value]) => `${name} is ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");

/** What is not about a push. */
const WORDS = {
  registered: () => "The device was made, or its app was installed.",
  unregistered: ({ why }) => (why === "devices.deleted" ? "The device was deleted." : "The app was removed."),
  state: ({ data }) => `The state changed: ${values(data)}.`,
  token: ({ data }) => `The token ${data.kind ?? data.provider} changed (${data.cause}).`,
  subscribed: ({ data }) => `Subscribed to ${nameOf(data)}.`,
  unsubscribed: ({ data }) => `Unsubscribed from ${nameOf(data)}.`,
};

const nameOf = (data) => (data.topic !== undefined ? `the topic ${data.topic}` : `the channel ${data.channel}`);

const SHOWS_TEXT = new Set(["presented", "replaced"]);

/** A sentence about an event of a device. */
export function happened(event) {
  const data = event.data ?? {};
  const sentence = WORDS[event.kind]?.({ ...event, data }) ?? told(event);
  const text = SHOWS_TEXT.has(event.kind) ? data.title || data.body : "";
  return text ? `“${text}”: ${sentence}` : sentence;
}
