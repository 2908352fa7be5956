import { setTimeout as pause } from "node:timers/promises";
import type { launchBrowser } from "../../e2e/browser.ts";

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
export type Page = Awaited<ReturnType<Browser["newPage"]>>;
export type Locator = ReturnType<Page["locator"]>;

/** A browser and its pages, with a session of the engineer of the demonstration. */
export interface Opened {
  readonly browser: Browser;
  readonly address: string;
  readonly token: string;
}

/** Milliseconds: the largest paint, and the slowest response to a user action. */
export interface Times {
  readonly lcp: number;
  readonly inp: number;
}

const slowerProcessor = 4;
const bytesPerSecond = 9_000_000 / 8;
/** The consequences of an event have ended by then, so that measurements do not overlap. */
const settleMs = 250;

interface Envelope<Data> {
  readonly data: Data;
}

export async function signIn(
  address: string,
): Promise<{ readonly token: string; readonly deviceId: number }> {
  const ask = async <Data>(path: string, body: object, token?: string): Promise<Data> => {
    const response = await fetch(`${address}/api/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as Envelope<Data>).data;
  };
  const account = { email: "engineer@metrum.example", password: "Metrum!2026" };
  const { access_token: token } = await ask<{ access_token: string }>("auth/login", account);
  const { metering_devices } = await ask<{ metering_devices: { data: readonly { id: number }[] } }>(
    "device/metering_devices",
    { search_string: "SDM630" },
    token,
  );
  return { token, deviceId: metering_devices.data[0]?.id ?? 0 };
}

/** An unloaded page that records its own times. */
export async function newPage({ browser, address, token }: Opened, isStranger: boolean): Promise<Page> {
  const storage = [
    { name: "metrum.language", value: "ru" },
    ...(isStranger ? [] : [{ name: "metrum.token", value: token }]),
  ];
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins: [{ origin: address, localStorage: storage }] },
  });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const times = { lcp: 0, inp: 0 };
    Object.assign(globalThis, { times });
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) times.lcp = startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    const interactions = { type: "event", buffered: true, durationThreshold: 16 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ("interactionId" in entry && entry.interactionId !== 0)
          times.inp = Math.max(times.inp, entry.duration);
    }).observe(interactions);
  });
  return page;
}

export const timesOf = (page: Page): Promise<Times> =>
  page.evaluate(() => (globalThis as unknown as { readonly times: Times }).times);

export async function slow(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowerProcessor });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/**
 * Proxy between the page and its socket: live events of the server are held back, so that only those of the
 * measurement arrive.
 */
export async function listenLive(page: Page) {
  let send: (text: string) => void = () => undefined;
  let joined: () => void = () => undefined;
  const isJoined = new Promise<void>((resolve) => (joined = resolve));
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const server = socket.connectToServer();
    send = (text) => socket.send(text);
    server.onMessage((text) => {
      if (!String(text).startsWith("42")) socket.send(text);
      // The answer to "join".
      if (String(text).startsWith("43")) joined();
    });
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const scriptMs = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "ScriptDuration")?.value ?? 0);
  };
  return {
    isJoined,
    /** Script time between an event of this device and the end of its consequences. */
    async scriptOf(deviceId: number): Promise<number> {
      const before = await scriptMs();
      const to = Math.floor(Date.now() / 1000) + 60;
      send(`42${JSON.stringify(["device_data", { device_id: deviceId, msgType: 1, from: to, to }])}`);
      await pause(settleMs);
      return (await scriptMs()) - before;
    },
  };
}
