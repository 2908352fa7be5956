import { loadTexts } from "#lib/i18n";
import { loadSession } from "#lib/session";
import { screens } from "./screens.ts";

/** Whether an address below `/cloud` is that of a screen; a segment "$id" stands for any one. */
function isAt(path: string, address: string): boolean {
  const [parts, wanted] = [path.split("/"), address.split("/")];
  return (
    parts.length === wanted.length &&
    parts.every((part, at) => (part.startsWith("$") ? wanted[at] !== "" : part === wanted[at]))
  );
}

/**
 * Requests the session, and the texts and the chunk of the screen at an address, before the router asks for
 * them one after another. Failures are handled there.
 */
export function prepareScreen(href: string): void {
  void loadSession();
  const address = /^\/cloud\/([^?]+)/.exec(href)?.[1] ?? "";
  const screen = screens.find(({ path }) => isAt(path, address));
  void screen?.component?.preload?.();
  void loadTexts("shell", ...(screen?.texts ?? []));
}
