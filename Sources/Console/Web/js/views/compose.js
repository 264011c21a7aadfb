// Compose: a form and its JSON side by side, with the service's verdict while one types.

import { all, base, get, post } from "../core/api.js";
import { h, replace } from "../core/dom.js";
import { listen } from "../core/events.js";
import { icon } from "../core/icons.js";
import { attempt, notice } from "../core/notice.js";
import { go } from "../core/router.js";
import { groupsFor } from "../model/compose/apns.js";
import { adopt, emptyDraft, fromMessage, hasTarget, pushTypeOf, sendBody, setTarget, withDevice, withHeader, withPart, withPushType } from "../model/compose/draft.js";
import { GROUPS } from "../model/compose/fcm.js";
import { write, writeMap } from "../model/compose/fields.js";
import { fieldsFor } from "../model/compose/suggestions.js";
import { TEMPLATES } from "../model/compose/templates.js";
import { find, parse, valueOf } from "../model/json/parse.js";
import { Answer } from "./compose/answer.js";
import { Checker } from "./compose/checker.js";
import { Editor } from "./compose/editor.js";
import { acceptFiles } from "./compose/files.js";
import { Form } from "./compose/form.js";
import { appleTarget, googleTarget, requestText } from "./compose/target.js";
import { showChanges } from "./compose/changes.js";
import { located, showFindings, showVerdict } from "./compose/verdict.js";

export const title = "Compose";
const STORE = `pushpit.draft ${base.pathname}`;
const MOST_DEVICES = 200;
let hasOpened = false;

export async function open(parameters) {
  const view = new Compose();
  await attempt(() => view.start(parameters.query));
  hasOpened = true;
  return view;
}

class Compose {
  draft = emptyDraft();
  devices = [];
  topics = [];
  remedies = {};
  source = "";

  constructor() {
    const devices = () => this.devices;
    const onDevice = (id, device) => attempt(() => this.#pick(id, device));
    this.targets = {
      apns: appleTarget({ devices, onDevice, onType: (type) => this.#set(withPushType(this.draft, type, this.#device())), onHeader: (name, value) => this.#set(withHeader(this.draft, name, value)), onPart: (changes) => this.#set(withPart(this.draft, changes)) }),
      fcm: googleTarget({ devices, onDevice, topics: [], onTarget: (kind, value) => this.#set(withPart(this.draft, { device: "", text: setTarget(this.text, kind, value) })), onPart: (changes) => this.#set(withPart(this.draft, changes)) }),
    };
    this.form = new Form({
      onField: (field, input) => this.#setText(write(this.text, field, input)),
      onMap: (map, rows) => this.#setText(writeMap(this.text, map, rows)),
    });
    this.editor = new Editor({ onInput: (text) => this.#setText(text), onPaste: (text) => this.#take(text), fields: () => fieldsFor(this.draft.provider) });
    this.checker = new Checker((state) => this.#checked(state));
    this.answer = new Answer();
    this.#build();
    this.stop = listen((events) => {
      if (events.some(({ kind }) => kind === "registered" || kind === "unregistered" || kind === "token")) attempt(() => this.#readDevices());
    });
  }

  get text() {
    return this.draft[this.draft.provider].text;
  }

  #device() {
    return this.devices.find((device) => device.id === this.draft[this.draft.provider].device) ?? null;
  }

  #build() {
    const service = (provider, label) => h("button", { type: "button", on: { click: () => this.#set({ ...this.draft, provider }) } }, label);
    this.services = { apns: service("apns", "APNs"), fcm: service("fcm", "FCM") };
    this.template = h("select", { "aria-label": "Template", on: { change: () => attempt(() => this.#useTemplate(this.template.value)) } },
      h("option", { value: "" }, "Template…"), TEMPLATES.map(({ name, label }) => h("option", { value: name }, label)));
    const file = h("input", { type: "file", accept: ".apns,.json,application/json", class: "visually-hidden", tabindex: "-1", "aria-label": "File" });
    this.targetPlace = h("div");
    this.changes = h("div");
    this.request = h("pre", { class: "code request", "aria-label": "Request" });
    this.verdict = h("div", { class: "verdict", role: "status", "aria-label": "Verdict" });
    this.findings = h("section", { "aria-label": "Findings" });
    this.buttons = [
      h("button", { type: "button", on: { click: () => attempt(() => this.#validate()) } }, "Validate only"),
      h("button", { type: "button", class: "primary", on: { click: () => attempt(() => this.#send()) } }, icon("send", 16), "Send"),
    ];
    this.element = h("div", { class: "compose" },
      h("header", { class: "compose-bar" }, h("h1", {}, "Compose"),
        h("div", { class: "segments", role: "group", "aria-label": "Service" }, Object.values(this.services)),
        this.template, h("button", { type: "button", on: { click: () => file.click() } }, "Open a file…"), file),
      h("div", { class: "compose-body" },
        h("div", { class: "compose-form", role: "region", "aria-label": "Form", tabindex: "0" }, this.targetPlace, this.form.element),
        h("div", { class: "compose-json", role: "region", "aria-label": "JSON and findings", tabindex: "0" }, this.changes, this.request, this.editor.element, this.answer.element, h("h2", {}, "Findings"), this.findings)),
      h("footer", { class: "compose-foot" }, this.verdict, h("div", { class: "row" }, this.buttons)));
    acceptFiles(this.element, file, (text, name) => {
      if (!this.#take(text, name)) this.#setText(text);
    });
  }

  /** Restores the draft, or makes the one that the address names. */
  async start(query) {
    await Promise.all([this.#readDevices(), this.#readProject(), this.#readRemedies()]);
    const stored = restore();
    if (stored) this.#adoptStored(stored);
    const wanted = String(query);
    if (wanted && (hasOpened || stored?.source !== wanted)) await this.update({ query });
    else this.#set(this.draft);
  }

  #adoptStored({ draft, source }) {
    this.draft = draft;
    this.source = source;
  }

  /** The address names a device, a push or a template. */
  async update({ query }) {
    this.source = String(query);
    const [from, template, device] = ["from", "template", "device"].map((name) => query.get(name));
    this.template.value = "";
    if (from) {
      const push = fromMessage(await get(`/messages/${encodeURIComponent(from)}`));
      if (push.apns.device || push.fcm.device) await this.#know(push[push.provider].device).catch(() => null);
      this.#set({ ...this.draft, provider: push.provider, [push.provider]: push[push.provider] });
    }
    if (template) await this.#fill(template, device);
    if (device && !template) await this.#pickFor(device);
    if (!from && !template && !device) this.#set(this.draft);
  }

  #useTemplate(name) {
    if (name) go(["compose"], new URLSearchParams({ template: name }), { replaces: true });
  }

  async #fill(name, id) {
    const template = TEMPLATES.find((row) => row.name === name);
    if (!template) throw new Error(`There is no template '${name}'. The templates are ${TEMPLATES.map((row) => row.name).join(", ")}.`);
    this.template.value = name;
    const made = template.make();
    const next = { ...this.draft, provider: made.provider, [made.provider]: made[made.provider] };
    if (made.provider === "fcm") next.fcm.project = this.draft.fcm.project || this.project;
    const device = id ? await this.#know(id) : template.platforms.map((platform) => this.devices.find((row) => row.platform === platform)).find(Boolean);
    this.#set(device ? withDevice(next, device) : next);
  }

  /** A device that the address names chooses the service too, if the present one can't reach it. */
  async #pickFor(id) {
    const device = await this.#know(id);
    const provider = device.platform === "ios" ? this.draft.provider : "fcm";
    this.#set(withDevice({ ...this.draft, provider }, device));
  }

  async #pick(id, device) {
    if (device) this.devices = [...this.devices.filter((row) => row.id !== id), device];
    if (id === "") return this.#set(withPart(this.draft, { device: "" }));
    return this.#set(withDevice(this.draft, device ?? await this.#know(id)));
  }

  /** A device of the list, or one that the list is too short for. */
  async #know(id) {
    const known = this.devices.find((device) => device.id === id);
    if (known) return known;
    const device = await get(`/devices/${encodeURIComponent(id)}`);
    this.devices = [...this.devices, device];
    return device;
  }

  async #readDevices() {
    this.devices = (await get(`/devices?limit=${MOST_DEVICES}`)).devices;
    const chosen = this.draft[this.draft.provider].device;
    if (chosen && !this.#device()) await this.#know(chosen).catch(() => null);
    if (this.template) this.#show();
  }

  async #readProject() {
    const { serviceAccounts } = await get("/credentials");
    this.project = /@([^.]+)\./.exec(serviceAccounts[0] ?? "")?.[1] ?? "demo";
  }

  async #readRemedies() {
    const rules = await all("/rules", "rules");
    this.remedies = Object.fromEntries(rules.map(({ id, remedy }) => [id, remedy]));
  }

  #setText(text) {
    this.#set(withPart(this.draft, { text }));
  }

  /** Takes over a pasted or opened text that says itself what it is. Returns whether it did. */
  #take(text, name = "") {
    const before = this.draft;
    const taken = adopt(this.draft, text);
    if (!taken) return false;
    replace(this.changes);
    const isSame = taken.draft.provider === before.provider && taken.draft[taken.draft.provider].text === text;
    if (taken.changes.length) showChanges(this.changes, taken, () => {
      replace(this.changes);
      this.#set({ ...before, [before.provider]: { ...before[before.provider], text } });
    });
    if (!isSame || taken.changes.length || name) this.#set(taken.draft);
    if (name) notice(`${name} is open.`);
    return true;
  }

  /** The one place where the draft changes: everything follows. */
  #set(draft) {
    this.draft = draft.fcm.project ? draft : { ...draft, fcm: { ...draft.fcm, project: this.project ?? "" } };
    this.#show();
    store({ draft: this.draft, source: this.source });
    const { error } = this.parsed;
    this.checker.check(this.draft, error);
  }

  #show() {
    const { provider } = this.draft;
    this.parsed = parse(this.text);
    const { root, error } = this.parsed;
    for (const [name, button] of Object.entries(this.services)) button.setAttribute("aria-pressed", String(name === provider));
    const target = this.targets[provider];
    if (this.targetPlace.firstChild !== target.element) replace(this.targetPlace, target.element);
    target.show(this.draft, root ? valueOf(this.text, find(root, ["message"])) ?? {} : undefined);
    this.form.show(provider === "fcm" ? GROUPS : groupsFor(pushTypeOf(this.draft)), this.text, root?.kind === "object" ? root : null, error?.message ?? "It has to be an object.");
    this.editor.text = this.text;
    this.editor.report(error);
    this.request.textContent = requestText(this.draft);
    for (const button of this.buttons) button.disabled = error !== null;
  }

  #checked({ answer, error, isChecking }) {
    const rows = answer ? located(answer, this.text, this.parsed.root) : [];
    showVerdict(this.verdict, { answer, error: error && this.editor.error.textContent, isChecking, rows });
    showFindings(this.findings, rows, this.remedies, (offset) => this.editor.goTo(offset));
    this.editor.mark(rows.filter((row) => row.line !== null).map(({ line, severity, message }) => ({ line, severity, text: message })));
  }

  async #validate() {
    if (this.draft.provider === "apns") return this.answer.showCheck(await this.checker.now(this.draft));
    return this.answer.show(await post("/messages", sendBody(this.draft, { isDryRun: true })), { isDryRun: true });
  }

  async #send() {
    if (!hasTarget(this.draft)) {
      this.targets[this.draft.provider].focus();
      return notice("Choose a device, or enter where the push goes.", "bad");
    }
    return this.answer.show(await post("/messages", sendBody(this.draft)));
  }

  close() {
    this.stop();
    this.answer.close();
    this.checker.close();
  }
}

function restore() {
  try {
    const { draft, source } = JSON.parse(sessionStorage.getItem(STORE));
    return typeof draft.apns.text === "string" && typeof draft.fcm.text === "string" ? { draft, source } : null;
  } catch {
    return null;
  }
}

function store(value) {
  try {
    sessionStorage.setItem(STORE, JSON.stringify(value));
  } catch { /* The draft is too long to be kept. */ }
}
