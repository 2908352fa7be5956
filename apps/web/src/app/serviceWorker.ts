/** Where a worker that misbehaves is put out of the way: an address with this takes every worker and what they keep. */
const killSwitch = "no-worker";

/** The first screen has the network for itself. */
const afterMs = 5000;

/**
 * Keeps the shell at hand without a connection. Only in a build for production, and only where the browser lets it. A visit with
 * `?no-worker` in the address undoes it.
 */
export async function keepShell(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.MODE !== "production") return;
  if (new URLSearchParams(location.search).has(killSwitch)) await forgetShell();
  // Without it everything works as long as there is a connection.
  else setTimeout(() => void navigator.serviceWorker.register("/sw.js").catch(() => undefined), afterMs);
}

async function forgetShell(): Promise<void> {
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((each) => each.unregister()));
  const rooms = (await caches.keys()).filter((each) => each.startsWith("metrum-"));
  await Promise.all(rooms.map((each) => caches.delete(each)));
}
