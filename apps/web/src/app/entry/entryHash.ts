const shape = /^#\/entry\/([^/?#]+)/;

/** Removes the entry code from the address and returns it; null without one. */
export function takeEntryCode(): string | null {
  const code = shape.exec(location.hash)?.[1];
  if (code === undefined) return null;
  history.replaceState(null, "", "#/");
  return code;
}

/** Handles an entry link pasted into an open page, before the router sees the address. */
export function onEntryCode(enter: (code: string) => void): void {
  const take = (event: Event): void => {
    const code = takeEntryCode();
    if (code === null) return;
    event.stopImmediatePropagation();
    enter(code);
  };
  addEventListener("popstate", take);
  addEventListener("hashchange", take);
}
