// Compose: a form and its JSON side by side, with the service's verdict while one types.

import { get, post } from "../core/api.js";
import { replace } from "../core/dom.js";
import { listen } from "../core/events.js";
import { attempt, notice } from "../core/notice.js";
import { go } from "../core/router.js";
import { groupsFor } from "../model/compose/apns.js";
import { adopt, asMessage, deviceOf, emptyDraft, emptyTarget, fromMessage, hasTarget, isReachable, pushTypeOf, requestOf, sendBody, setTarget, withDevice, withHeader, withPart, withPushType, withText } from "../model/compose/draft.js";
import { GROUPS } from "../model/compose/fcm.js";
import { write, writeMap } from "../model/compose/fields.js";
import { TEMPLATES } from "../model/compose/templates.js";
import { mayHit } from "../model/faults.js";
import { maybeLegacy } from "../model/legacy.js";
import { find, parse, valueOf } from "../model/json/parse.js";
import { Answer } from "./compose/answer.js";
import { offerConversion, outdateChanges, showChanges } from "./compose/changes.js";
import { Checker } from "./compose/checker.js";
import { Known } from "./compose/devices.js";
import { Editor } from "./compose/editor.js";
import { acceptFiles } from "./compose/files.js";
import { Form } from "./compose/form.js";
import { layout } from "./compose/layout.js";
import { Preview } from "./compose/preview.js";
import { fieldsFor } from "./compose/schema.js";
import { restore, store } from "./compose/store.js";
import { appleTarget, googleTarget, requestText } from "./compose/target.js";
import { rawOf } from "./push/payload.js";
import { located, showFindings, showVerdict } from "./compose/verdict.js";

export const title = "Compose";
/** What the target and the preview show of devices changes with these. */
const DEVICE_EVENTS = new Set(["registered", "unregistered", "token", "state"]);
let hasOpened = false;

export async function open({ query }) {
  const view = new Compose();
  await attempt(() => view.start(query));
  hasOpened = true;
  return view;
}

class Compose {
  draft = emptyDraft();
  source = "";
  known = new Known();

  constructor() {
    this.targets = this.#targets();
    this.form = new Form({
      onField: (field, input) => this.#setText(write(this.text, field, input)),
      onMap: (map, rows) => this.#setText(writeMap(this.text, map, rows)),
    });
    this.editor = new Editor({ onInput: (text) => this.#setText(text), onPaste: (text) => this.#take(text), fields: () => fieldsFor(this.draft.provider) });
    this.checker = new Checker((state) => this.#checked(state));
    this.answer = new Answer();
    this.preview = new Preview();
    this.parts = layout({ form: this.form.element, editor: this.editor.element, answer: this.answer.element, preview: this.preview.element }, {
      service: (provider) => this.#service(provider),
      template: (template) => template && go(["compose"], new URLSearchParams({ template }), { replaces: true }),
      validate: () => attempt(() => this.#validate()),
      send: () => attempt(() => this.#send()),
    });
    this.element = this.parts.element;
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && this.parsed?.error === null) attempt(() => this.#send());
    });
    acceptFiles(this.element, this.parts.file, (text, name) => {
      if (!this.#take(text, { name })) this.#setText(text);
    });
    this.stop = listen((events) => {
      if (events.some(({ kind }) => DEVICE_EVENTS.has(kind))) attempt(() => this.#readDevices());
    });
  }

  get text() {
    return this.draft[this.draft.provider].text;
  }

  #targets() {
    const devices = () => this.known.devices;
    const onDevice = (id, device) => attempt(() => this.#pick(id, device));
    const onPart = (changes) => this.#set(withPart(this.draft, changes));
    return {
      apns: appleTarget({
        devices, onDevice, onPart,
        onType: (type) => this.#set(withPushType(this.draft, type, this.known.byId(this.draft.apns.device))),
        onHeader: (name, value) => this.#set(withHeader(this.draft, name, value)),
      }),
      fcm: googleTarget({ devices, onDevice, onPart, onTarget: (kind, value) => onPart({ device: "", text: setTarget(this.text, kind, value) }) }),
    };
  }

  /** Restores the draft, or makes the one that the address names. */
  async start(query) {
    await this.known.read();
    const stored = restore();
    if (stored) Object.assign(this, stored);
    const wanted = String(query);
    if (wanted && (hasOpened || stored?.source !== wanted)) return this.update({ query });
    const first = stored ? null : this.#fitting(["ios"], "apns");
    return this.#set(first ? withDevice(this.draft, first) : this.draft);
  }

  /** The address names a push, a template or a device. */
  update({ query }) {
    this.source = String(query);
    const [from, template, device] = ["from", "template", "device"].map((name) => query.get(name));
    this.parts.template.value = "";
    replace(this.parts.changes);
    this.#show();
    return attempt(async () => {
      if (from) await this.#useMessage(from);
      if (template) await this.#useTemplate(template, device);
      else if (device) await this.#useDevice(device);
    });
  }

  async #useMessage(id) {
    const { provider, [provider]: part } = fromMessage(await get(`/messages/${encodeURIComponent(id)}`), await rawOf(id));
    if (part.device) await this.known.device(part.device).catch(() => null);
    this.#set({ ...this.draft, provider, [provider]: part });
  }

  async #useTemplate(name, id) {
    const template = TEMPLATES.find((row) => row.name === name);
    if (!template) throw new Error(`There is no template '${name}'. The templates are ${TEMPLATES.map((row) => row.name).join(", ")}.`);
    this.parts.template.value = name;
    const { provider, [provider]: part } = template.make();
    const device = id ? await this.known.device(id) : this.#fitting(template.platforms, provider);
    const draft = { ...this.draft, provider, [provider]: part };
    this.#set(device ? withDevice(draft, device) : draft);
  }

  /** The device that is chosen, if it is of one of these platforms and the service reaches it; otherwise the first that is. */
  #fitting(platforms, provider) {
    const fits = (device) => device && platforms.includes(device.platform) && isReachable(device, provider);
    const chosen = [this.draft.provider, provider].map((name) => this.known.byId(this.draft[name].device));
    return chosen.find(fits) ?? platforms.map((platform) => this.known.devices.find((device) => device.platform === platform && fits(device))).find(Boolean) ?? null;
  }

  /** The other service, and a device for it if there is no target yet. */
  #service(provider) {
    const draft = { ...this.draft, provider };
    const isOpen = provider === "apns" ? !hasTarget(draft) : emptyTarget(draft)?.kind === "token";
    const device = isOpen && this.#fitting(provider === "apns" ? ["ios"] : ["android", "web", "ios"], provider);
    this.#set(device ? withDevice(draft, device) : draft);
  }

  /** A device that is no iPhone chooses the service too. */
  async #useDevice(id) {
    const device = await this.known.device(id);
    const provider = device.platform === "ios" ? this.draft.provider : "fcm";
    this.#set(withDevice({ ...this.draft, provider }, device));
  }

  async #pick(id, device) {
    if (device) this.known.add(device);
    this.#set(id === "" ? withPart(this.draft, { device: "" }) : withDevice(this.draft, await this.known.device(id)));
  }

  async #readDevices() {
    await this.known.readDevices([this.draft.apns.device, this.draft.fcm.device]);
    this.#show();
  }

  #setText(text) {
    this.#set(withText(this.draft, text, this.known.byId(this.draft.apns.device)));
  }

  /** Takes over a pasted or opened text that says itself what it is. Returns whether it did. */
  #take(text, { name = "", isOld = false } = {}) {
    const before = this.draft;
    const taken = adopt(before, text, isOld);
    if (!taken) return false;
    replace(this.parts.changes);
    this.#set(taken.draft);
    if (taken.changes.length > 0) showChanges(this.parts.changes, taken, () => {
      replace(this.parts.changes);
      this.#set(withPart(before, { text }));
    });
    if (name) notice(`${name} is open.`);
    return true;
  }

  /** The one place where the draft changes: everything else follows. */
  #set(draft) {
    this.answer.outdate();
    outdateChanges(this.parts.changes);
    this.draft = draft.fcm.project ? draft : { ...draft, fcm: { ...draft.fcm, project: this.known.project } };
    this.#show();
    store({ draft: this.draft, source: this.source });
    this.checker.check(this.draft, this.parsed.error);
  }

  #show() {
    const { provider } = this.draft;
    const { services, target, request, actions } = this.parts;
    this.parsed = parse(this.text);
    const { root, error } = this.parsed;
    for (const [name, button] of Object.entries(services)) button.setAttribute("aria-pressed", String(name === provider));
    if (target.firstChild !== this.targets[provider].element) replace(target, this.targets[provider].element);
    this.targets[provider].show(this.draft, root ? valueOf(this.text, find(root, ["message"])) ?? {} : undefined);
    const isObject = root?.kind === "object";
    this.form.show(provider === "fcm" ? GROUPS : groupsFor(pushTypeOf(this.draft)), this.text, isObject ? root : null, error?.message ?? "It has to be an object.");
    this.editor.text = this.text;
    this.editor.report(error);
    request.textContent = requestText(this.draft);
    for (const button of actions) button.disabled = error !== null;
    const body = root && !error ? valueOf(this.text, root) : undefined;
    offerConversion(this.parts.changes, maybeLegacy(body) ? () => this.#take(this.text, { isOld: true }) : null);
    const device = deviceOf(this.draft, this.known.byId(this.draft[provider].device));
    // While the text is not JSON, the last preview stays.
    if (body !== undefined) this.preview.show(asMessage(this.draft, body, device), provider === "apns" ? "ios" : device?.platform ?? null, device);
  }

  #checked({ answer, error, open, faults = [] }) {
    const { verdict, findings } = this.parts;
    const rows = answer ? located(answer, this.text, this.parsed.root) : [];
    const request = answer && requestOf(this.draft, this.known.byId(this.draft[this.draft.provider].device));
    showVerdict(verdict, { answer, error: error && this.editor.error.textContent, open, rows, mayFail: faults.some((fault) => mayHit(fault, request)) });
    showFindings(findings, rows, this.known.remedies, (offset) => this.editor.goTo(offset));
    this.editor.mark(rows.filter((row) => row.line !== null).map(({ line, severity, message }) => ({ line, severity, text: message })));
  }

  async #validate() {
    if (this.draft.provider === "apns") return this.answer.showCheck(await this.checker.now(this.draft));
    return this.answer.show(await post("/messages", sendBody(this.draft, { isDryRun: true })), { isDryRun: true });
  }

  async #send() {
    if (!hasTarget(this.draft)) {
      this.targets[this.draft.provider].focus();
      return showVerdict(this.parts.verdict, { open: "Choose a device or enter a target." });
    }
    return this.answer.show(await post("/messages", sendBody(this.draft)));
  }

  close() {
    this.stop();
    this.answer.close();
    this.preview.close();
    this.checker.close();
  }
}
