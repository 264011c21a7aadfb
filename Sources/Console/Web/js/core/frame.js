// Drawing at most once a frame, however often something changes.

/** `schedule()` calls `draw` in the next frame; `cancel()` forgets a call that has not been made yet. */
export function onceAFrame(draw) {
  let frame = null;
  return {
    schedule: () => {
      frame ??= requestAnimationFrame(() => {
        frame = null;
        draw();
      });
    },
    cancel: () => cancelAnimationFrame(frame),
  };
}
