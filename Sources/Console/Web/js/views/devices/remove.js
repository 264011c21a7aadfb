// Deleting devices, after a question.

import { h } from "../../core/dom.js";
import { call } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { attempt, notice } from "../../core/notice.js";

const AT_ONCE = 6;

/** Asks a question that is answered with yes or no. */
export function ask({ question, explanation, yes }) {
  return new Promise((done) => {
    const dialog = h("dialog", { "aria-label": question, on: { close: () => {
      dialog.remove();
      done(dialog.returnValue === "yes");
    } } },
    h("form", { method: "dialog", class: "stack" },
      h("h2", {}, question), explanation && h("p", { class: "muted" }, explanation),
      h("div", { class: "row" }, h("button", { value: "no", autofocus: true }, "Cancel"), h("button", { value: "yes", class: "danger" }, yes))));
    document.body.append(dialog);
    dialog.showModal();
  });
}

export const removeDevice = (id) => call("DELETE", `/devices/${encodeURIComponent(id)}`, undefined, { expected: [404] });

/** Asks, and deletes. True if the devices are gone. */
export async function removeDevices(rows) {
  const isOne = rows.length === 1;
  const name = isOne ? rows[0].name || rows[0].id : "";
  const isSure = await ask({
    question: isOne ? `Delete “${name.slice(0, 60)}”?` : `Delete ${plural(rows.length, "device")}?`,
    explanation: `Pushes that wait for ${isOne ? "it" : "them"} are dropped. Later pushes to ${isOne ? "its" : "their"} tokens are for a new device.`,
    yes: "Delete",
  });
  if (!isSure) return false;
  return attempt(async () => {
    const ids = rows.map((row) => row.id);
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      while (ids.length > 0) await removeDevice(ids.pop());
    }));
    notice(`Deleted ${isOne ? name.slice(0, 60) : plural(rows.length, "device")}.`);
    return true;
  });
}
