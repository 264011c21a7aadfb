// How to get reports, when there are none.

import { h } from "../../core/dom.js";
import { base, post } from "../../core/api.js";
import { attempt, copyButton, notice } from "../../core/notice.js";

const SPEC = { platform: "ios", app: "com.example.app", tracking: { profile: "adobe" } };
const PAYLOAD = { aps: { alert: { title: "Breakfast", body: "The bread is out" }, "content-available": 1 }, _mId: "h1a2b3c", _dId: "2a" };

export function trackingHelp() {
  const command = `curl -s ${new URL("api/v1/devices", base)} -d '${JSON.stringify(SPEC)}'`;
  const code = (what, text) => [h("div", { class: "spread" }, h("p", {}, what), copyButton("Copy", text)), h("pre", { class: "code", tabindex: "0", "aria-label": what }, text)];
  const make = () => attempt(async () => {
    const { devices } = await post("/devices", SPEC);
    notice(`${devices[0].id} is a phone whose app reports to Adobe Campaign.`);
    location.hash = `#/devices/${encodeURIComponent(devices[0].id)}`;
  });
  return h("section", { class: "card stack help" },
    h("h2", {}, "How to get reports"),
    h("p", {}, "An app with the tracking profile adobe reports the way Adobe Campaign's SDK and samples do. The gateway also collects the reports."),
    h("ol", { class: "steps" },
      h("li", {}, code("Make a phone with that profile.", command),
        h("button", { type: "button", class: "primary", on: { click: make } }, "Make an iPhone that reports")),
      h("li", {}, code("Send it a push with the ids of Adobe Campaign. For Android, put them in data.", JSON.stringify(PAYLOAD, null, 2))),
      h("li", {}, h("p", {}, "Open the notification on the phone's page. The reports appear here: 7 when it arrives, 2 and 1 when it is tapped.")),
      h("li", {}, h("p", {}, "A real app can report here too: GET /r/?id=BROADLOG,DELIVERY,ACTION&mcId=ECID."))));
}
