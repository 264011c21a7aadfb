// The image of a notification. The gateway gets it as the phone would; the page never loads an image's own URL.

import { query, request } from "../core/api.js";
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";

const MOST = 40;
const pictures = new Map();

/** `{src}` with a blob: URL, or `{reason}`; a promise of it, which is kept for the next who asks. */
export function pictureOf(url) {
  if (pictures.has(url)) return pictures.get(url);
  const loading = load(url).catch((problem) => ({ reason: problem.message }));
  pictures.set(url, loading);
  loading.then((picture) => picture.src || pictures.delete(url));
  if (pictures.size > MOST) forget(pictures.keys().next().value);
  return loading;
}

async function load(url) {
  const answer = await request(`api/v1/media/content${query({ url })}`);
  if (!answer.ok) return { reason: await sentence(answer) };
  const bytes = await answer.blob();
  if (!/^(image|video|audio)\//.test(bytes.type)) return { reason: `the file is ${bytes.type || "of an unknown type"}, not an image` };
  return { src: URL.createObjectURL(bytes), type: bytes.type };
}

async function sentence(answer) {
  try {
    return (await answer.json()).error.message;
  } catch {
    return `the gateway answered ${answer.status}`;
  }
}

function forget(url) {
  pictures.get(url)?.then(({ src }) => src && URL.revokeObjectURL(src));
  pictures.delete(url);
}

/** An element that shows a picture, or the reason why there is none. */
export function pictureBox(picture, className) {
  const box = h("span", { class: `n-picture ${className}` });
  const show = ({ src, type = "image/", reason, remedy } = {}) => {
    if (src && type.startsWith("image/")) {
      const image = h("img", { src, alt: "" });
      image.addEventListener("error", () => show({ reason: "the browser can't show the file" }), { once: true });
      return box.replaceChildren(image);
    }
    box.classList.add("missing");
    box.title = [reason, remedy].filter(Boolean).join("\n");
    box.replaceChildren(icon(src ? "start" : "image", 20), h("span", { class: "n-reason" }, src ? type : `No image${reason ? `: ${reason}` : ""}`));
  };
  if (typeof picture?.then === "function") picture.then(show);
  else show(picture);
  return box;
}
