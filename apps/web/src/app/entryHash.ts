const shape = /^#\/entry\/([^/?#]+)/;

/** The entry code in the address, which then holds it no more; null without one. */
export function takeEntryCode(): string | null {
  const code = shape.exec(location.hash)?.[1];
  if (code === undefined) return null;
  history.replaceState(null, "", "#/");
  return code;
}

/** A link with a code that is put into the address of the open page. Before the router: it never hears of that address. */
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
