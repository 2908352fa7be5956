/**
 * Calls back when the width of an element has been stable for a while; the first time before the next paint,
 * when the browser has laid out the page, instead of forcing a layout.
 */
export function observeWidth(
  element: HTMLElement,
  quietMs: number,
  onWidth: (width: number) => void,
): () => void {
  let known: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new ResizeObserver(() => {
    const width = element.clientWidth;
    if (width === known) return;
    clearTimeout(timer);
    if (known === undefined) onWidth(width);
    else timer = setTimeout(() => onWidth(width), quietMs);
    known = width;
  });
  observer.observe(element);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
