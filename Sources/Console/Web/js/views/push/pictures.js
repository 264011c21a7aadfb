// The images of a notification for its card.

import { pictureOf } from "../../preview/picture.js";

/** `{picture, iconPicture}`: the bytes as the phone gets them, or why the phone has none. */
export function pictureFor(message, platform, entry, missing = null) {
  const options = {};
  if (missing) options.picture = missing;
  else if (entry.image) options.picture = pictureOf(entry.image);
  const icon = platform === "web" ? entry.icon || message.request.body?.message?.webpush?.notification?.icon : null;
  if (typeof icon === "string" && icon) options.iconPicture = pictureOf(icon);
  return options;
}
