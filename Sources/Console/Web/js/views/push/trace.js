// What happened to a push, step by step. It grows while the push is open.

import { h, foreign, replace } from "../../core/dom.js";
import { count, duration, exactTime } from "../../core/format.js";
import { href } from "../../core/router.js";
import { attempt } from "../../core/notice.js";
import { ruleLink, ruleText } from "../../model/rulebook.js";
import { told } from "../../model/words.js";
import { jsonTree } from "./tree.js";

const STEP = 300;
const LOOKS = {
  accepted: "good", presented: "good", refused: "bad", dropped: "warn", suppressed: "warn", stored: "note", collapsed: "warn", fault: "bad",
};
/** What the rules of these say to do is of use; that of a success only says how to avoid it. */
const WITH_REMEDY = ["refused", "stored", "dropped", "collapsed", "suppressed", "fault"];
const isFailure = ({ data }) => ["failed", "skipped"].includes(data?.outcome) || data?.phase === "original";

export function traceTab(record) {
  const list = h("ol", { class: "trace" });
  const foot = h("p", { class: "row" });
  const element = h("div", { class: "stack" }, list, foot);
  let limit = STEP;
  let shown = 0;
  let newest = 0;

  const first = Date.parse(record.message.time);
  const more = h("button", { type: "button", on: { click: () => attempt(async () => {
    if (shown < record.events.length) limit += STEP;
    else await record.more();
    draw();
  }) } });

  /** Adds the events that are new: what the person has opened stays open. */
  function draw() {
    const { events } = record;
    // Events may have been forgotten or reset.
    if (shown > events.length || (shown > 0 && events[shown - 1]?.seq !== newest)) {
      list.replaceChildren();
      shown = 0;
    }
    const added = events.slice(shown, limit);
    list.append(...added.map((event) => step(event, first)));
    shown += added.length;
    newest = events[shown - 1]?.seq ?? 0;
    const hasMore = shown < events.length || record.hasMore;
    more.textContent = `Show more (${count(shown)} of ${count(events.length)}${record.hasMore ? "+" : ""})`;
    replace(foot, hasMore && more, events.length === 0 && h("span", { class: "muted" }, "There are no events about this push."),
      !hasMore && record.isWorking && h("span", { class: "muted" }, "The phone is still working on it…"));
  }
  draw();
  return { element, update: draw };
}

function step(event, first) {
  const passed = Date.parse(event.time) - first;
  const data = event.data && Object.keys(event.data).length > 0 ? event.data : null;
  return h("li", { class: "trace-step" },
    h("time", { class: "trace-time", datetime: event.time, title: exactTime(event.time) }, passed <= 0 ? "0 ms" : `+${duration(passed)}`),
    h("div", { class: "trace-what" },
      h("div", { class: "trace-line" }, h("span", { class: `badge ${LOOKS[event.kind] ?? ""}` }, event.kind), foreign(told(event), { limit: 400 }),
        event.device && h("a", { href: href(["devices", event.device]), class: "trace-device" }, foreign(event.device, { limit: 80 }))),
      event.why && h("p", { class: "small muted" }, ruleLink(event.why), " ", ruleText(event.why, { remedy: WITH_REMEDY.includes(event.kind) || isFailure(event), device: event.device })),
      data && h("details", {}, h("summary", { class: "small muted" }, "data"), lazyTree(data))));
}

/** A tree that is made when it is opened: a trace may have hundreds of steps. */
function lazyTree(data) {
  const box = h("div");
  queueMicrotask(() => box.parentElement?.addEventListener("toggle", () => box.append(jsonTree(JSON.stringify(data))), { once: true }));
  return box;
}
