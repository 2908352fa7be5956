import type { Page } from "playwright-core";

/** KiB of received bodies, by kind of file. */
export interface Weight {
  readonly scripts: number;
  readonly styles: number;
  readonly fonts: number;
}

const kinds: Readonly<Record<string, keyof Weight>> = {
  Script: "scripts",
  Stylesheet: "styles",
  Font: "fonts",
};
/** Quiet time after which the page counts as loaded; longer than the socket waits before it connects. */
const quietMs = 2500;

/**
 * Weighs the data a browser receives from now on, until the page is loaded. With gzip, in which budgets are
 * given, even if the server supports better compression.
 */
export async function weighing(page: Page): Promise<() => Promise<Weight>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setExtraHTTPHeaders", { headers: { "accept-encoding": "gzip" } });
  const kindOf = new Map<string, keyof Weight | undefined>();
  const bytes = { scripts: 0, styles: 0, fonts: 0 };
  let lastAt = Date.now();
  session.on("Network.responseReceived", ({ requestId, type }) => {
    kindOf.set(requestId, kinds[type]);
  });
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    const kind = kindOf.get(requestId);
    if (kind === undefined) return;
    lastAt = Date.now();
    bytes[kind] += encodedDataLength;
  });
  return async () => {
    while (Date.now() - lastAt < quietMs) await page.waitForTimeout(quietMs / 5);
    const { scripts, styles, fonts } = bytes;
    return { scripts: scripts / 1024, styles: styles / 1024, fonts: fonts / 1024 };
  };
}
