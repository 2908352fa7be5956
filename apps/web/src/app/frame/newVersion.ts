import { onSocketEvent } from "#lib/socket";
import { ignoreFailure } from "#lib/call";

const everyMs = 10 * 60_000;
let hasNew = false;
const listeners = new Set<() => void>();

/** The build of this page; none in development. */
function ownBuild(): string | null {
  const build = document.querySelector("meta[name=build]")?.getAttribute("content") ?? "";
  return /^[\da-f]+$/.test(build) ? build : null;
}

async function look(): Promise<void> {
  const build = ownBuild();
  if (build === null || hasNew) return;
  const response = await fetch("/version", { cache: "no-store" }).catch(ignoreFailure);
  const served: unknown = response?.ok === true ? await response.json().catch(ignoreFailure) : null;
  if (!isBuild(served) || served.build === build) return;
  hasNew = true;
  for (const each of listeners) each();
}

function isBuild(value: unknown): value is { readonly build: string } {
  return typeof value === "object" && value !== null && "build" in value && typeof value.build === "string";
}

/** Checks at intervals, and when the connection is restored: the server may have been updated. */
export function watchVersion(): () => void {
  void look();
  const timer = setInterval(() => void look(), everyMs);
  const stop = onSocketEvent("joined", () => void look());
  return () => {
    clearInterval(timer);
    stop();
  };
}

export const newVersion = {
  get: () => hasNew,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Loads the page of the new build after deleting the cached old one. */
export async function reloadToNew(): Promise<void> {
  const workers = "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistrations() : [];
  await Promise.all(workers.map((each) => each.update().catch(ignoreFailure)));
  location.reload();
}
