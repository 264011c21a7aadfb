// Makes tokens invalid, so that a backend has to renew them.

import { h } from "../../core/dom.js";
import { get, post } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { attempt, notice } from "../../core/notice.js";

export function credentialsPanel() {
  const choice = h("select", { "aria-label": "Which tokens" }, h("option", { value: "" }, "all tokens"));
  const button = h("button", { type: "button", on: { click: () => attempt(expire) } }, "Expire now");

  async function expire() {
    const [member, value] = choice.value ? choice.value.split(" ", 2) : [];
    const { expired } = await post("/credentials/expire", member ? { [member]: value } : undefined);
    notice(`${plural(expired, "known token")} expired. Tokens that were signed before now are refused too.`);
  }

  attempt(async () => {
    const { apnsKeys, serviceAccounts } = await get("/credentials?limit=1000");
    const projects = [...new Set(serviceAccounts.map((email) => /@([^.]+)\./.exec(email)?.[1]).filter(Boolean))];
    choice.append(
      ...apnsKeys.map(({ keyId }) => h("option", { value: `keyId ${keyId}` }, `APNs key ${keyId}`)),
      ...projects.map((project) => h("option", { value: `project ${project}` }, `project ${project}`)));
  });

  return h("section", { class: "card stack expire", "aria-labelledby": "expire-title" },
    h("h2", { id: "expire-title" }, "Expire tokens"),
    h("p", { class: "small muted" }, "Senders that use these tokens get 403 ExpiredProviderToken or 401 ACCESS_TOKEN_EXPIRED, and must renew them. The clock stays as it is."),
    h("div", { class: "row grow" }, choice, button));
}
