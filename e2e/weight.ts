import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

/** KiB of received bodies, by kind of file. */
export interface Weight {
  readonly scripts: number;
  readonly styles: number;
  readonly fonts: number;
  /** The socket client, which is loaded 2 s later and is not counted as a script. */
  readonly socket: number;
}

const kinds: Readonly<Record<string, keyof Weight>> = {
  Script: "scripts",
  Stylesheet: "styles",
  Font: "fonts",
};
/** Quiet time after which the page counts as loaded. */
const quietMs = 1500;

/**
 * Weighs the data a browser receives from now on; waits until the page is loaded, and with a session until
 * the socket client has arrived. With gzip, in which budgets are given, even if the server supports better
 * compression.
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

/** Hashed file name of the socket client. */
function fileOfSocket(): string {
  const path = fileURLToPath(new URL("../apps/web/dist/.vite/manifest.json", import.meta.url));
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Record<string, { readonly file: string }>;
  const key = Object.keys(manifest).find((each) => each.includes("node_modules/socket.io-client/"));
  const file = key === undefined ? undefined : manifest[key]?.file;
  if (file === undefined) throw new Error("the build has no chunk of socket.io-client");
  return file;
}
