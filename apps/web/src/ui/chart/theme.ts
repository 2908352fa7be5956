/** Calls back when the width of an element has been stable for a while; at once the first time. */
export function observeWidth(
  element: HTMLElement,
  quietMs: number,
  onWidth: (width: number) => void,
): () => void {
  let known = element.clientWidth;
  let timer: ReturnType<typeof setTimeout> | undefined;
  onWidth(known);
  const observer = new ResizeObserver(() => {
    if (element.clientWidth === known) return;
    known = element.clientWidth;
    clearTimeout(timer);
    timer = setTimeout(() => onWidth(known), quietMs);
  });
  observer.observe(element);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
