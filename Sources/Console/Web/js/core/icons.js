// Icons as paths on a grid of 24. They inherit the colour of the text around them.

import { svg } from "./dom.js";

const PATHS = {
  inbox: "M4 13h4l2 3h4l2-3h4M4 13l3-8h10l3 8v6H4z",
  devices: "M7 3h10v18H7zM11 18h2",
  compose: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  faults: "M13 3 5 14h6l-1 7 8-11h-6z",
  tracking: "M4 20V10M10 20V4M16 20v-8M20 20H3",
  rules: "M6 3h12v18H6zM9 8h6M9 12h6M9 16h4",
  start: "M5 4v16l14-8z",
  inspect: "M14 10a4 4 0 1 0-4 4l1 1v2h2v2h4v-3l-4-4a4 4 0 0 0 1-2zM9 9h.01",
  ios: "M8 2h8v20H8zM11 4h2",
  android: "M7 4h10v16H7zM7 7h10M7 17h10",
  web: "M3 5h18v14H3zM3 9h18",
  many: "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 19c0-3 3-5 6-5s6 2 6 5M16 5a3 3 0 0 1 0 6M17 14c2 .5 4 2 4 5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500 19 19M19 5l-1.500 1.500M6.500 17.500 5 19",
  moon: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z",
  close: "M6 6l12 12M18 6 6 18",
  back: "M15 5l-7 7 7 7",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  send: "M3 12 21 4l-6 17-4-7z",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2",
  search: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5",
  link: "M10 14l4-4M9 11l-3 3a3 3 0 0 0 4 4l3-3M15 13l3-3a3 3 0 0 0-4-4l-3 3",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  more: "M5 11.500h.010v1h-.010zM12 11.500h.010v1h-.010zM19 11.500h.010v1h-.010z",
  down: "M6 9l6 6 6-6",
  plus: "M12 5v14M5 12h14",
  large: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v2h-2M14 20h2M18 18h2v2",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
};

export function icon(name, size = 18) {
  return svg(
    "svg",
    { width: size, height: size, viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 1.7,
      "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] ?? PATHS.rules }));
}
