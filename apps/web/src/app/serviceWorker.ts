import { ignoreFailure } from "#lib/call";
/** Kill switch: an address with this parameter removes every worker and its caches. */
const killSwitch = "no-worker";

/** Delay, so that the first screen has the network for itself. */
const afterMs = 5000;

/**
 * Registers the worker that caches the shell for offline use. Only in production builds and supporting
 * browsers. A visit with `?no-worker` in the address removes it.
 */
export async function keepShell(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.MODE !== "production") return;
  if (new URLSearchParams(location.search).has(killSwitch)) await forgetShell();
  // Without it everything works while there is a connection.
  else setTimeout(() => void navigator.serviceWorker.register("/sw.js").catch(ignoreFailure), afterMs);
}

async function forgetShell(): Promise<void> {
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((each) => each.unregister()));
  const rooms = (await caches.keys()).filter((each) => each.startsWith("metrum-"));
  await Promise.all(rooms.map((each) => caches.delete(each)));
}
