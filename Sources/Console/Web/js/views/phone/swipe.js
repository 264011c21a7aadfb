// Swiping a notification away with a finger or the mouse.

/** From here on it is a swipe and not a tap; from the second on, letting go dismisses. In parts of the width. */
const STARTS = 0.03;
const ENOUGH = 0.35;

export function makeSwipeable(element, onDismiss) {
  let start = null;
  let moved = 0;

  const partOf = (event) => (event.clientX - start.x) / start.width;

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest("input, .n-dismiss")) return;
    start = { x: event.clientX, width: element.getBoundingClientRect().width, id: event.pointerId };
    moved = 0;
  });
  element.addEventListener("pointermove", (event) => {
    if (!start || event.pointerId !== start.id) return;
    const part = partOf(event);
    if (moved === 0 && Math.abs(part) < STARTS) return;
    if (moved === 0) element.setPointerCapture(start.id);
    moved = part;
    element.style.transform = `translateX(${part * 100}%)`;
    element.style.opacity = String(1 - Math.min(0.8, Math.abs(part)));
  });
  const end = (event) => {
    if (!start) return;
    const isEnough = event.type === "pointerup" && Math.abs(moved) > ENOUGH;
    start = null;
    if (isEnough) return onDismiss();
    element.style.transform = "";
    element.style.opacity = "";
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  // The click at the end of a swipe is no tap.
  element.addEventListener("click", (event) => {
    if (moved === 0) return;
    moved = 0;
    event.preventDefault();
    event.stopPropagation();
  }, true);
}
