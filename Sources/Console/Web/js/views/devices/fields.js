// The fields of the form for new devices, and the body of POST /devices that they lead to.

const IPHONE = ["ios"];

/** `pointers` are the members of the body that a field decides. */
export const FIELDS = [
  { name: "app", label: "App", pointers: ["/app"], placeholder: "com.example.app" },
  { name: "count", label: "How many", pointers: ["/count"], type: "number", min: 1, max: 1000, value: "1" },
  { name: "name", label: "Name", pointers: ["/name"], placeholder: "Ann’s phone" },
  { name: "id", label: "Id", hint: "chosen if empty", pointers: ["/id"] },
  { name: "permission", label: "Notifications", pointers: ["/state"], options: [] },
  { name: "project", label: "Firebase project", hint: "any if empty", pointers: ["/project"] },
  { name: "environment", label: "Environment", pointers: ["/environment"], platforms: IPHONE, options: [["production", "Production"], ["sandbox", "Sandbox"]] },
  {
    name: "script", label: "Notification service extension", pointers: ["/extension"], platforms: IPHONE,
    options: [
      ["", "None"], ["firebase", "Firebase: attaches the image"], ["adobe", "Adobe: attaches media-attachment-url"], ["echo", "Echo: finishes at once"],
      ["slow", "Slow: takes 20 seconds"], ["crash", "Crashes"], ["remote", "Remote: a client answers"],
    ],
  },
  { name: "tracking", label: "Tracking", pointers: ["/tracking/profile", "/tracking"], options: [["", "None"], ["adobe", "Adobe Campaign"]], platforms: ["ios", "android"] },
  { name: "ecid", label: "ECID", hint: "generated if empty", pointers: ["/tracking/ecid"], platforms: ["ios", "android"] },
  {
    name: "categories", label: "Categories (JSON)", pointers: ["/categories"], platforms: IPHONE, area: true, rows: 4,
    placeholder: '[{"id":"NEWS","customDismissAction":true,"actions":[{"id":"REPLY","title":"Reply","text":true}]}]',
  },
];

const SLOW_SECONDS = 20;

export const isFor = (field, platform) => !field.platforms || field.platforms.includes(platform);

/** The name of the field that a pointer of an error is about. */
export function fieldAt(pointer) {
  if (!pointer) return null;
  const pairs = FIELDS.flatMap(({ name, pointers }) => pointers.map((own) => [own, name]));
  return pairs.filter(([own]) => pointer === own || pointer.startsWith(`${own}/`)).sort(([one], [other]) => other.length - one.length)[0]?.[1] ?? null;
}

/** An error in a field that the gateway never sees. */
function mistake(pointer, message) {
  return Object.assign(new Error(message), { pointer });
}

/** The body of POST /devices for what was typed. */
export function specOf(platform, values) {
  const has = (name) => values[name] && isFor(FIELDS.find((field) => field.name === name), platform);
  const spec = { platform, app: values.app };
  if (!spec.app) throw mistake("/app", "Enter the bundle id, the package, or for a browser the site's origin.");
  for (const name of ["name", "id", "project", "environment"]) if (has(name)) spec[name] = values[name];
  const number = Number(values.count || 1);
  if (!Number.isInteger(number) || number < 1) throw mistake("/count", "Enter a whole number from 1 to 1000.");
  if (number > 1000) throw mistake("/count", "The console creates at most 1000 devices at once. POST /api/v1/devices creates up to 10,000.");
  if (number > 1) spec.count = number;
  if (has("permission") && values.permission !== "authorized") spec.state = { permission: values.permission };
  if (has("script")) spec.extension = { script: values.script, ...(values.script === "slow" ? { seconds: SLOW_SECONDS } : {}) };
  if (has("ecid") && !has("tracking")) throw mistake("/tracking/ecid", "An ECID needs the tracking of Adobe Campaign.");
  if (has("tracking")) spec.tracking = { profile: values.tracking, ...(has("ecid") ? { ecid: values.ecid } : {}) };
  if (has("categories")) {
    try {
      spec.categories = JSON.parse(values.categories);
    } catch (problem) {
      throw mistake("/categories", `This is not JSON: ${problem.message}`);
    }
  }
  return spec;
}
