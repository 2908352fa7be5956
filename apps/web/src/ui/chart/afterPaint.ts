/**
 * Runs once the browser has painted what stands on the page now, so that slow drawing is no part of the answer to the
 * click before it. Returns how to give up.
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => (timer = setTimeout(run)));
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
