import { ignoreFailure } from "./ignoreFailure.ts";

/** Rarely changing answers are stored here with their ETags, so that a second start only revalidates them. */
const room = "metrum-reference";

interface Known {
  readonly tag: string;
  readonly body: unknown;
}

/** Storage key of an answer. Each language has its own; the body is part of the key. */
export function addressOfReference(path: string, language: string, body: unknown): string {
  const question = body === undefined ? "" : JSON.stringify(body);
  return `/reference/${language}${path}?${encodeURIComponent(question)}`;
}

/** Undefined if the browser stores nothing (no secure origin, private window) or after clearing. */
export async function recall(address: string | null): Promise<Known | null> {
  if (address === null) return null;
  try {
    const kept = await (await caches.open(room)).match(address);
    const tag = kept?.headers.get("etag");
    return kept === undefined || !tag ? null : { tag, body: await kept.json() };
  } catch {
    return null;
  }
}

export async function remember(address: string | null, tag: string | null, body: unknown): Promise<void> {
  if (address === null || tag === null) return;
  try {
    const kept = new Response(JSON.stringify(body), { headers: { etag: tag } });
    await (await caches.open(room)).put(address, kept);
  } catch {
    // If it cannot be stored, it is requested again.
  }
}

/** The next user of this browser may belong to another company. */
export function forgetReferences(): void {
  if (typeof caches !== "undefined") void caches.delete(room).catch(ignoreFailure);
}
