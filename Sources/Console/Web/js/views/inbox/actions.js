// What the person does to the selected pushes, or to all that the list shows.

import { plural } from "../../core/format.js";
import { attempt, notice } from "../../core/notice.js";
import { go } from "../../core/router.js";
import { ask } from "../devices/remove.js";

const pushes = (number) => plural(number, "push", "pushes");

const selectedRows = ({ pushes: { rows }, selection }) => rows.filter(({ id }) => selection.ids.has(id));

export function readSelected(inbox) {
  inbox.marks.add(selectedRows(inbox));
  inbox.clear();
}

export function readAll(inbox) {
  const { rows } = inbox.pushes;
  if (inbox.search === "") inbox.marks.addUpTo(rows[0]);
  else inbox.marks.add(rows);
  inbox.redraw();
}

export async function deleteSelected(inbox) {
  const ids = new Set(selectedRows(inbox).map(({ id }) => id));
  if (ids.size === 0) return;
  const isSure = await ask({ question: `Delete ${pushes(ids.size)}?`, explanation: "Notifications on devices stay.", yes: "Delete" });
  if (isSure) await attempt(async () => finish(inbox, await inbox.pushes.delete(ids)));
}

export async function deleteAll(inbox) {
  const { rows, hasMore } = inbox.pushes;
  // More may arrive while the question is open.
  const until = rows[0].seq;
  const which = inbox.search ? " that match the filters" : "";
  const isSure = await ask({
    question: `Delete ${hasMore ? "all pushes" : pushes(rows.length)}${which}?`,
    explanation: "Notifications on devices stay, and so do pushes that arrive from now on.", yes: "Delete",
  });
  if (isSure) await attempt(async () => finish(inbox, await inbox.pushes.deleteAll(until)));
}

function finish(inbox, deleted) {
  notice(`Deleted ${pushes(deleted)}.`);
  inbox.clear();
  if (inbox.id && !inbox.pushes.rows.some(({ id }) => id === inbox.id)) go(["pushes"], inbox.search, { replaces: true });
}
