// One push: what a phone shows, and everything that is known about it.

import { h, replace } from "../../core/dom.js";
import { tabs } from "../../core/tabs.js";
import { PushRecord } from "../../model/record.js";
import { head } from "./head.js";
import { deliveriesTab } from "./deliveries.js";
import { payloadTab } from "./payload.js";
import { previewTab } from "./preview.js";
import { reportsTab } from "./reports.js";
import { requestTab } from "./request.js";
import { traceTab } from "./trace.js";

/** Each makes `{element, update?, close?}` of a record; `update` is called when something new is known. */
const TABS = [
  ["preview", "Preview", previewTab], ["payload", "Payload", payloadTab], ["request", "Request", requestTab],
  ["trace", "Trace", traceTab], ["devices", "Devices", deliveriesTab], ["tracking", "Tracking", reportsTab],
];

/**
 * `{element, close}` of the push with this id.
 * @param tab the tab that is open at first
 * @param onTab called with the tab that the person chooses
 */
export function pushPane(id, { onClose, tab = "preview", onTab = () => {} }) {
  const element = h("article", { class: "push scroll" }, h("p", { class: "empty" }, "Loading…"));
  const top = h("div");
  let open = null;
  const record = new PushRecord(id, () => {
    refreshHead();
    open?.update?.();
  });
  const header = head(record, { onClose });

  function refreshHead() {
    header.update();
  }

  function show() {
    refreshHead();
    const { bar, panel } = tabs({
      label: "What is known about the push", chosen: tab, onChoose: onTab,
      tabs: TABS.map(([name, label, make]) => ({ id: name, label, open: () => {
        open?.close?.();
        open = make(record);
        return open.element;
      } })),
    });
    replace(top, header.element, bar);
    top.className = "push-top";
    panel.classList.add("push-panel");
    replace(element, top, panel);
  }

  record.load().then(show, (problem) => replace(element,
    h("div", { class: "empty" }, h("p", { class: "problem", role: "alert" }, problem.message),
      h("button", { type: "button", "aria-label": "Close", on: { click: onClose } }, "Back to the list"))));

  return { element, close() {
    record.close();
    open?.close?.();
  } };
}
