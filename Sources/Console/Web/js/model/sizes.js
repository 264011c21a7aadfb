// The sizes of a push in bytes, beside the limits that the services have.

const encoder = new TextEncoder();
export const byteCount = (text) => encoder.encode(text).length;

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const LIMIT = 4096;
const LARGE_LIMIT = 5120;

/** The body of a request as it was received. */
export function bodyOf(raw) {
  const end = raw.indexOf("\r\n\r\n");
  return end < 0 ? "" : raw.slice(end + 4);
}

/** The bytes of all texts and values in a part of a message; with `keys` also of its own names. */
function valueBytes(value, keys = false) {
  if (typeof value === "string") return byteCount(value);
  if (typeof value !== "object" || value === null) return value === null ? 0 : byteCount(JSON.stringify(value));
  return Object.entries(value).reduce((sum, [name, inner]) => sum + valueBytes(inner) + (keys ? byteCount(name) : 0), 0);
}

/** `[{name, bytes, limit?}]` */
export function sizesOf(message, raw) {
  const whole = byteCount(bodyOf(raw));
  if (message.provider === "apns") {
    const isLarge = message.target.channel !== undefined || message.pushType === "voip";
    return [{ name: "payload", bytes: whole, limit: isLarge ? LARGE_LIMIT : LIMIT }];
  }
  const fcm = isObject(message.request.body?.message) ? message.request.body.message : {};
  const data = isObject(fcm.data) ? valueBytes(fcm.data, true) : 0;
  const notification = isObject(fcm.notification) ? valueBytes(fcm.notification) : 0;
  const rows = [{ name: "data and notification", bytes: data + notification, limit: LIMIT }, { name: "request body", bytes: whole }];
  if (isObject(fcm.apns?.payload)) rows.push({ name: "apns.payload", bytes: byteCount(JSON.stringify(fcm.apns.payload)), limit: LIMIT });
  return rows;
}
