/** Answers that hardly ever change rest here with their validators, so that a second start asks whether they still hold. */
const room = "metrum-reference";

interface Known {
  readonly tag: string;
  readonly body: unknown;
}

/** Where an answer rests. Each language has its own; the body is part of the question. */
export function addressOfReference(path: string, language: string, body: unknown): string {
  const question = body === undefined ? "" : JSON.stringify(body);
  return `/reference/${language}${path}?${encodeURIComponent(question)}`;
}

/** Nothing where the browser keeps nothing (no secure origin, private window) or where it was cleared. */
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
    // Kept nowhere, it is asked for again.
  }
}

/** The next one at this browser may not be of the same company. */
export function forgetReferences(): void {
  if (typeof caches !== "undefined") void caches.delete(room).catch(() => undefined);
}
