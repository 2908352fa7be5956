import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

/** KiB of bodies that came over the wire, by kind of file. */
export interface Weight {
  readonly scripts: number;
  readonly styles: number;
  readonly fonts: number;
  /** The client of the socket, which comes 2 s after everything else and is not among the scripts. */
  readonly socket: number;
}

const kinds: Readonly<Record<string, keyof Weight>> = {
  Script: "scripts",
  Stylesheet: "styles",
  Font: "fonts",
};
/** Nothing has come for so long: the page stands still. */
const quietMs = 1500;

/**
 * Weighs what a browser receives from now on; the answer waits until the page stands still, and where there is a session until the client
 * of the socket has come. With gzip, as budgets are said in it, whatever better the server has for browsers that take it.
 */
export async function weighing(page: Page, hasSession: boolean): Promise<() => Promise<Weight>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setExtraHTTPHeaders", { headers: { "accept-encoding": "gzip" } });
  const socketFile = fileOfSocket();
  const kindOf = new Map<string, keyof Weight | undefined>();
  const bytes = { scripts: 0, styles: 0, fonts: 0, socket: 0 };
  let lastAt = Date.now();
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    kindOf.set(requestId, response.url.endsWith(socketFile) ? "socket" : kinds[type]);
  });
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    const kind = kindOf.get(requestId);
    if (kind === undefined) return;
    lastAt = Date.now();
    bytes[kind] += encodedDataLength;
  });
  return async () => {
    while (Date.now() - lastAt < quietMs || (hasSession && bytes.socket === 0))
      await page.waitForTimeout(quietMs / 5);
    const { scripts, styles, fonts, socket } = bytes;
    return { scripts: scripts / 1024, styles: styles / 1024, fonts: fonts / 1024, socket: socket / 1024 };
  };
}

/** The name that the build gave to the client of the socket. */
function fileOfSocket(): string {
  const path = fileURLToPath(new URL("../apps/web/dist/.vite/manifest.json", import.meta.url));
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Record<string, { readonly file: string }>;
  const key = Object.keys(manifest).find((each) => each.includes("node_modules/socket.io-client/"));
  const file = key === undefined ? undefined : manifest[key]?.file;
  if (file === undefined) throw new Error("the build has no chunk of socket.io-client");
  return file;
}
