// What the form for a fault offers.

/** Effect, label, and what it means. */
export const KINDS = [
  ["answer", "Answer with an error", "The request gets this answer, in the form of Apple or Google."],
  ["recorded", "Answer as Google did", "One of Google's answers, byte for byte where that is known."],
  ["wire", "A fault with a name", ""],
  ["delay", "Answer late", "The answer is sent this much later, measured on the gateway's clock."],
  ["silence", "Never answer", "No answer comes. The stream stays open."],
  ["end", "Close the connection", "The connection ends without a GOAWAY."],
  ["reset", "Reset the connection", "The TCP connection is reset."],
  ["blackHole", "Black hole", "The connection stays open but is dead. Not even a PING is answered."],
];

export const WHEN = [
  ["always", "all of them"], ["times", "at most this many"], ["nth", "only the n-th"], ["every", "every n-th"], ["after", "all after the n-th"],
];

const apns = (status, ...reasons) => reasons.map((reason) => ({ provider: "apns", status, reason }));
const fcm = (status, reason) => ({ provider: "fcm", status, reason });

/** Reasons with their statuses. */
export const ANSWERS = [
  ...apns("400", "BadDeviceToken", "DeviceTokenNotForTopic", "BadTopic", "TopicDisallowed"),
  ...apns("403", "ExpiredProviderToken", "InvalidProviderToken", "BadCertificateEnvironment"),
  ...apns("410", "Unregistered", "ExpiredToken"), ...apns("413", "PayloadTooLarge"),
  ...apns("429", "TooManyRequests", "TooManyProviderTokenUpdates"),
  ...apns("500", "InternalServerError"), ...apns("503", "ServiceUnavailable", "Shutdown"),
  fcm("400", "INVALID_ARGUMENT"), fcm("401", "THIRD_PARTY_AUTH_ERROR"), fcm("403", "SENDER_ID_MISMATCH"),
  fcm("404", "UNREGISTERED"), fcm("429", "QUOTA_EXCEEDED"), fcm("500", "INTERNAL"), fcm("503", "UNAVAILABLE"),
];
