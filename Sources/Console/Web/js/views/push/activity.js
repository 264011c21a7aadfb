// The Live Activity that a push belongs to: its start, updates and end, with their states.

import { h, foreign, replace } from "../../core/dom.js";
import { get, query } from "../../core/api.js";
import { exactTime, shortTime } from "../../core/format.js";
import { href } from "../../core/router.js";
import { ruleLink } from "../../model/rulebook.js";
import { activityOf } from "../../model/would.js";
import { activityVerb } from "../../model/words.js";
import { activityCard, values } from "../../preview/activity.js";
import { stage } from "../../preview/stage.js";
import { reasonForNone } from "./deliveries.js";
import { findingElement } from "./findings.js";

const KINDS = "presented,suppressed,removed,state";
const MOST_PAGES = 10;
const MOST_STEPS = 50;

export function activitySection(record, activity) {
  const { message } = record;
  const event = record.events.find(({ data }) => data?.activity !== undefined);
  const type = event?.data.activity ?? activity.type;
  const isShown = event?.kind === "presented";
  const timeline = h("ol", { class: "trace dated" }, h("li", { class: "muted" }, event ? "Loading…" : "No device has this activity."));
  if (event) readSteps(event.device, type, event.seq).then((steps) => replace(timeline, steps.map((step) => stepElement(step, message.id))), (problem) => replace(timeline, h("li", { class: "problem" }, problem.message)));
  return h("section", { class: isShown ? "shown" : "shown would", "aria-label": "Live Activity" },
    stage("ios", "lockScreen", null, { time: message.time, instead: activityCard({ ...activity, type }, { app: message.app, time: message.time, now: Date.parse(message.time) }) }),
    h("div", { class: "shown-facts" },
      h("h2", {}, "Live Activity ", foreign(type || "without a type", { limit: 80 })),
      !isShown && h("div", { class: "stack" }, h("p", {}, h("span", { class: "badge warn" }, "not shown"), " ", event ? ruleLink(event.why) : reasonForNone(message)),
        message.findings.slice(0, 3).map((finding) => findingElement(finding))),
      h("p", { class: "muted small" }, "The app draws a Live Activity itself. Here are the values that it gets."),
      timeline));
}

/** The steps of the activity around an event: from its start to its end. */
async function readSteps(device, type, seq) {
  const steps = [];
  let since = 0;
  for (let page = 0; since !== null && page < MOST_PAGES; page++) {
    const { events, next } = await get(`/events${query({ since, device, kind: KINDS, limit: 1000 })}`, { accept: "application/json" });
    steps.push(...events.filter(({ data }) => data?.activity === type));
    since = next === null ? null : Number(next);
  }
  const isStart = ({ kind, data }) => kind === "presented" && data.event === "start";
  const first = Math.max(0, steps.findLastIndex((step) => isStart(step) && step.seq <= seq));
  const next = steps.findIndex((step, index) => index > first && isStart(step));
  const mine = steps.slice(first, next < 0 ? undefined : next).slice(0, MOST_STEPS);
  const messages = await Promise.all(mine.map(({ push }) => (push ? get(`/messages/${encodeURIComponent(push)}`).catch(() => null) : null)));
  return mine.map((step, index) => ({ ...step, activity: messages[index] && activityOf(messages[index]) }));
}

function stepElement({ time, kind, data, push, why, activity }, present) {
  const said = kind === "presented" ? activityVerb(data.event) : kind === "removed" ? "left the screen" : kind === "state" ? data.state : `${data.event ?? ""} ignored`;
  return h("li", { class: `trace-step ${push === present ? "present" : ""}`, "aria-current": push === present ? "true" : null },
    h("time", { class: "trace-time", datetime: time, title: exactTime(time) }, shortTime(time)),
    h("div", { class: "trace-what" },
      h("div", { class: "row" }, h("span", { class: `badge ${kind === "suppressed" ? "warn" : "accent"}` }, foreign(said, { limit: 40 })),
        push && (push === present ? h("strong", {}, "this push") : h("a", { href: href(["pushes", push]) }, push)), kind === "suppressed" && ruleLink(why)),
      (data.title || data.body) && h("p", {}, foreign([data.title, data.body].filter(Boolean).join(": "), { limit: 200 })),
      activity && values(activity.state)));
}
