import { loadTexts } from "#lib/i18n";
import { loadSession } from "#lib/session";
import { readSearch } from "./address.ts";
import { screens } from "./screens.ts";
import { ignoreFailure } from "#lib/call";

/**
 * Parameters of an address below `/cloud` if it is that of a screen, else null; a segment "$id" stands for any
 * one.
 */
function paramsOf(path: string, address: string): Readonly<Record<string, string>> | null {
  const [parts, given] = [path.split("/"), address.split("/")];
  const isAt =
    parts.length === given.length &&
    parts.every((part, at) => (part.startsWith("$") ? given[at] !== "" : part === given[at]));
  if (!isAt) return null;
  return Object.fromEntries(
    parts.flatMap((part, at) => (part.startsWith("$") ? [[part.slice(1), given[at] ?? ""]] : [])),
  );
}

/**
 * Requests the session, and the texts, the chunk and the first data of the screen at an address, before the
 * router needs them one after another. Failures are handled there.
 */
export function prepareScreen(href: string): void {
  void loadSession();
  const [, address = "", query = ""] = /^\/cloud\/([^?]+)\??(.*)/.exec(href) ?? [];
  const found = screens.flatMap((screen) => {
    const params = paramsOf(screen.path, address);
    return params === null ? [] : [{ screen, params }];
  })[0];
  found?.screen.start?.(found.params, readSearch(query)).catch(ignoreFailure);
  // A task later: the calls above would wait for one of the few connections behind a dozen small files.
  setTimeout(() => {
    void found?.screen.component?.preload?.();
    void loadTexts("shell", ...(found?.screen.texts ?? []));
  });
}
