// The elements of Compose, and where they stand.

import { h } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { TEMPLATES } from "../../model/compose/templates.js";

/** @param parts the elements of the form, the editor, the answer and the preview; @param on what the buttons do */
export function layout({ form, editor, answer, preview }, on) {
  const button = (label, action, properties = {}) => h("button", { type: "button", ...properties, on: { click: action } }, label);
  const services = { apns: button("APNs", () => on.service("apns")), fcm: button("FCM", () => on.service("fcm")) };
  const template = h("select", { "aria-label": "Template", on: { change: () => on.template(template.value) } },
    h("option", { value: "" }, "Template…"), TEMPLATES.map(({ name, label }) => h("option", { value: name }, label)));
  const file = h("input", { type: "file", accept: ".apns,.json,application/json", hidden: true, "aria-label": "File" });
  const target = h("div");
  const changes = h("div", { class: "changes-place" });
  const request = h("pre", { class: "code request", "aria-label": "Request" });
  const verdict = h("div", { class: "verdict", role: "status", "aria-label": "Verdict" });
  const findings = h("section", { "aria-label": "Findings" });
  const actions = [button("Validate only", on.validate), button([icon("send", 16), "Send"], on.send, { class: "primary", title: "Ctrl+Enter" })];
  const element = h("div", { class: "compose" },
    h("header", { class: "compose-bar" }, h("h1", {}, "Compose"),
      h("div", { class: "segments", role: "group", "aria-label": "Service" }, Object.values(services)),
      template, button("Open a file…", () => file.click()), file),
    h("div", { class: "compose-body" },
      h("div", { class: "compose-form", role: "region", "aria-label": "Form", tabindex: "0" }, target, form),
      h("div", { class: "compose-right" }, h("div", { class: "compose-json", role: "region", "aria-label": "JSON and findings", tabindex: "0" }, changes, request, editor, answer, h("h2", {}, "Findings"), findings), preview)),
    h("footer", { class: "compose-foot" }, verdict, h("div", { class: "row" }, actions)));
  return { element, services, template, file, target, changes, request, verdict, findings, actions };
}
