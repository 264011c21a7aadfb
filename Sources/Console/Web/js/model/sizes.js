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

/** How much of a body that is too long is kept for APNs; for FCM nothing is kept. */
const KEPT = 4096;

/**
 * `{kept, length}` in bytes if the gateway has kept only the beginning of the body, or nothing of it; otherwise null.
 * `length` is null if the sender did not say how long the body is.
 */
export function cutOf({ request: { body, headers = [] } }) {
  if (typeof body !== "string") return null;
  const given = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1];
  const length = given === undefined ? null : Number(given);
  const bytes = byteCount(body);
  if (bytes === 0) return length > KEPT ? { kept: 0, length } : null;
  // A character that was cut counts as up to three bytes.
  const isCut = bytes >= KEPT && (length === null ? bytes < KEPT + 3 : length > bytes);
  return isCut ? { kept: KEPT, length } : null;
}

/** The bytes of all texts and values in a part of a message; with `keys` also of its own names. */
function valueBytes(value, keys = false) {
  if (typeof value === "string") return byteCount(value);
  if (typeof value !== "object" || value === null) return value === null ? 0 : byteCount(JSON.stringify(value));
  return Object.entries(value).reduce((sum, [name, inner]) => sum + valueBytes(inner) + (keys ? byteCount(name) : 0), 0);
}

/** `[{name, bytes, limit?, isMore?}]`; `isMore` if the push has more bytes than are known. */
export function sizesOf(message, raw) {
  if (message.provider === "webpush") return [{ name: "encrypted body", bytes: (message.encryption ?? message.request.body).bytes, limit: LIMIT }];
  const cut = cutOf(message);
  const whole = { bytes: cut?.length ?? byteCount(bodyOf(raw)), ...(cut?.length === null ? { isMore: true } : {}) };
  if (message.provider === "apns") {
    const isLarge = message.target.channel !== undefined || message.pushType === "voip";
    return [{ name: "payload", ...whole, limit: isLarge ? LARGE_LIMIT : LIMIT }];
  }
  const fcm = isObject(message.request.body?.message) ? message.request.body.message : {};
  const data = isObject(fcm.data) ? valueBytes(fcm.data, true) : 0;
  const notification = isObject(fcm.notification) ? valueBytes(fcm.notification) : 0;
  const rows = [{ name: "data and notification", bytes: data + notification, limit: LIMIT }, { name: "request body", ...whole }];
  if (isObject(fcm.apns?.payload)) rows.push({ name: "apns.payload", bytes: byteCount(JSON.stringify(fcm.apns.payload)), limit: LIMIT });
  return rows;
}
