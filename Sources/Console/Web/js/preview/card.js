// A notification as the platform draws it. The phones and the reading pane of a push use it.
//
//   notificationCard(platform, entry, options) → element
//
// platform  "ios", "android" or "web"
// entry     an entry of a device's shade (docs/devices.md): key, push, time, title, subtitle, body, image, group,
//           category, actions [{id, title}], icon, color; also surfaces and sound of a `presented` event
// options   all may be missing:
//   app        the bundle id, package or origin; the colour and letter of the icon come from it
//   appName    the name that is shown; without it the last part of `app`
//   surface    ios: "lockScreen" (the default), "banner", "list"; android: "shade", "headsUp"; web: "desktop"
//   expanded   whether the big image and the buttons are shown
//   onOpen, onDismiss, onAction(id)   what the person does; without them the card can't be used, only looked at
//   picture    the image: {src} with a blob: URL, or {reason, remedy} if there is none, or a promise of that
//              (`pictureOf` in picture.js makes it). Only needed if the entry has an image
//   iconPicture   the same for the icon of a website's notification
//   level      Apple's interruption level; "time-sensitive" and "critical" are marked
//   stacked    how many notifications of the same thread are behind this one (ios); a tap calls `onUnfold`
//   now        the time now in milliseconds; the gateway's clock may differ from the browser's
//
// Texts of pushes are hostile: they are only ever set as text, and are cut. css/preview.css has the looks.

import { androidCard } from "./android.js";
import { bundleCard } from "./bundle.js";
import { iosCard } from "./ios.js";
import { webCard } from "./web.js";

/** A folded stack: its newest notification with the others behind it, or Android's bundle. */
export function stackCard(platform, entries, size, options) {
  if (platform === "android") return bundleCard(entries, size, options);
  return notificationCard(platform, entries[0], { ...options, stacked: size - 1 });
}

const CARDS = { ios: iosCard, android: androidCard, web: webCard };

export function notificationCard(platform, entry, options = {}) {
  return (CARDS[platform] ?? iosCard)(entry, options);
}
