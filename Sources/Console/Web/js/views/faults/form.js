// Sets a fault: a form for the common ones, and JSON for all of them.

import { h, replace } from "../../core/dom.js";
import { post, request } from "../../core/api.js";
import { attempt, notice } from "../../core/notice.js";
import { tabs } from "../../core/tabs.js";
import { faultFromFields } from "../../model/faults.js";
import { ANSWERS, KINDS, WHEN } from "./choices.js";

/** Which field shows an error at a place of the body: the first row whose pointer begins it. */
const PLACES = [
  ["/effect/answer/status", "status"], ["/effect/answer/reason", "reason"], ["/effect/answer/recorded", "recorded"],
  ["/effect/wire", "wire"], ["/effect/delay", "delay"], ["/match/provider", "provider"], ["/match/app", "app"],
  ["/match/token", "token"], ["/match/topic", "topic"], ["/match", "provider"], ["/times", "count"], ["/nth", "count"],
  ["/every", "count"], ["/after", "count"], ["/probability", "probability"], ["/for", "lasts"],
];

const option = ([value, label]) => h("option", { value }, label);

export function faultForm(onChange) {
  const reasons = h("datalist", { id: "fault-reasons" });
  const make = {
    kind: h("select", {}, KINDS.map(option)),
    status: h("input", { inputmode: "numeric", value: "503" }),
    reason: h("input", { list: "fault-reasons", autocomplete: "off", spellcheck: "false", value: "ServiceUnavailable" }),
    recorded: h("select"),
    wire: h("select"),
    delay: h("input", { value: "5s", placeholder: "250ms, 5s, 1m, 1h" }),
    provider: h("select", {}, option(["", "APNs and FCM"]), option(["apns", "APNs"]), option(["fcm", "FCM"])),
    app: h("input", { list: "fault-apps", placeholder: "any", autocomplete: "off", spellcheck: "false" }),
    token: h("input", { placeholder: "any", autocomplete: "off", spellcheck: "false" }),
    topic: h("input", { placeholder: "any", autocomplete: "off", spellcheck: "false" }),
    when: h("select", {}, WHEN.map(option)),
    count: h("input", { inputmode: "numeric", value: "1" }),
    probability: h("input", { inputmode: "decimal", placeholder: "0 to 1; always" }),
    lasts: h("input", { placeholder: "until removed; 5m" }),
    deliver: h("input", { type: "checkbox" }),
  };
  const fields = {};
  const field = (name, label, className = "") => {
    const problem = h("span", { class: "problem", id: `fault-${name}-problem`, role: "alert" });
    make[name].name = name;
    make[name].setAttribute("aria-describedby", problem.id);
    fields[name] = { input: make[name], problem, element: h("label", { class: `field ${className}` }, label, make[name], problem) };
    return fields[name].element;
  };
  const meaning = h("p", { class: "small muted" });
  const general = h("p", { class: "problem", role: "alert" });
  const text = h("textarea", { rows: "14", spellcheck: "false", "aria-label": "The fault as JSON" });
  let isJSON = false;
  let meanings = new Map();

  const values = () => Object.fromEntries(Object.entries(make).map(([name, input]) => [name, input.type === "checkbox" ? input.checked : input.value.trim()]));
  const sendForm = h("form", { class: "stack", novalidate: true },
    field("kind", "What happens"), meaning,
    h("div", { class: "pair" }, field("status", "Status"), field("reason", "Reason")), reasons,
    field("recorded", "Google's answer"), field("wire", "Fault"), field("delay", "How long"),
    h("label", { class: "check" }, make.deliver, "The device gets the push anyway"),
    h("h3", {}, "Which requests"),
    h("div", { class: "pair" }, field("provider", "Service"), field("app", "App or project")),
    h("div", { class: "pair" }, field("token", "Token"), field("topic", "Topic")),
    h("h3", {}, "When"),
    h("div", { class: "pair" }, field("when", "Which ones"), field("count", "Number")),
    h("div", { class: "pair" }, field("probability", "Probability"), field("lasts", "How long it stays")));

  function draw() {
    const { kind, when, wire } = values();
    for (const [name, { element }] of Object.entries(fields)) {
      const only = { status: "answer", reason: "answer", recorded: "recorded", wire: "wire", delay: "delay" }[name];
      if (only) element.hidden = only !== kind;
    }
    fields.count.element.hidden = when === "always";
    fields.status.element.parentElement.hidden = kind !== "answer";
    make.deliver.parentElement.hidden = kind === "delay" || kind === "wire";
    if (make.deliver.parentElement.hidden) make.deliver.checked = false;
    const explained = kind === "wire" ? meanings.get(wire) : KINDS.find(([value]) => value === kind)[2];
    meaning.textContent = explained ?? "";
    showReasons();
  }

  function showReasons() {
    const { provider } = values();
    replace(reasons, ANSWERS.filter((row) => !provider || row.provider === provider).map((row) =>
      h("option", { value: row.reason }, `${row.status}, ${row.provider === "fcm" ? "FCM" : "APNs"}`)));
  }

  make.reason.addEventListener("input", () => {
    const known = ANSWERS.find((row) => row.reason === make.reason.value);
    if (known) make.status.value = known.status;
  });
  sendForm.addEventListener("input", draw);

  function clear() {
    general.textContent = "";
    for (const { input, problem } of Object.values(fields)) {
      problem.textContent = "";
      input.removeAttribute("aria-invalid");
    }
    text.removeAttribute("aria-invalid");
  }

  /** Shows the API's sentence at the field that it is about. */
  function refuse(problem) {
    const pointer = problem.pointer?.replace("/effect/0/", "/effect/") ?? "";
    const name = isJSON ? null : PLACES.find(([place]) => pointer.startsWith(place))?.[1];
    const found = name && !fields[name].element.hidden ? fields[name] : null;
    if (!found) general.textContent = isJSON && pointer ? `${pointer}: ${problem.message}` : problem.message;
    else found.problem.textContent = problem.message;
    (found?.input ?? text).setAttribute("aria-invalid", "true");
    (found?.input ?? text).focus();
  }

  async function send(event) {
    event.preventDefault();
    clear();
    let body;
    try {
      body = isJSON ? JSON.parse(text.value) : faultFromFields(values());
    } catch (mistake) {
      return refuse({ message: `This is not JSON: ${mistake.message}` });
    }
    try {
      const fault = await post("/faults", body);
      notice(`Fault ${fault.id} is set.`);
    } catch (problem) {
      return refuse(problem);
    }
    return onChange();
  }

  sendForm.addEventListener("submit", send);
  const views = tabs({
    label: "How to describe the fault", chosen: "form",
    tabs: [
      { id: "form", label: "Form", open: () => sendForm },
      { id: "json", label: "JSON", open: () => h("div", { class: "stack" }, text, h("p", { class: "small muted" }, "All fields: see “Failing on purpose” in docs/faults.md, or POST /faults at ", h("a", { href: "docs" }, "/docs"), ".")) },
    ],
    onChoose: (id) => {
      isJSON = id === "json";
      if (isJSON) text.value = JSON.stringify(faultFromFields(values()), null, 2);
      clear();
    },
  });
  attempt(async () => {
    const description = await (await request("openapi.json")).json();
    const { answer } = description.components.schemas.Effect.properties;
    const named = answer.properties.recorded.anyOf.find((one) => one.enum).enum;
    replace(make.recorded, named.map((name) => option([name, name])));
  });
  draw();

  return {
    element: h("section", { class: "card stack", "aria-labelledby": "form-title" },
      h("h2", { id: "form-title" }, "Set a fault"), views.bar, views.panel, general,
      h("div", { class: "row" }, h("button", { type: "button", class: "primary", on: { click: send } }, "Set the fault"))),
    setRules(rules) {
      const named = rules.filter((rule) => rule.id.startsWith("fault.") && !["fault.custom", "fault.magic-token"].includes(rule.id));
      meanings = new Map(named.map((rule) => [rule.id.slice("fault.".length), rule.checks]));
      replace(make.wire, [...meanings.keys()].map((name) => option([name, name])));
      draw();
    },
  };
}
