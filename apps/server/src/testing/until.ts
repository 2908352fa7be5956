/**
 * Polls `probe` until it returns something other than undefined and false. Errors: Error after the time
 * limit, which only guards against hanging; errors of `probe`.
 */
export async function until<Found>(
  probe: () => Promise<Found | undefined | false> | Found | undefined | false,
  withinMs = 60_000,
): Promise<Found> {
  for (const end = Date.now() + withinMs; Date.now() < end;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("did not happen in time");
}
