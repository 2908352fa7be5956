/**
 * What `look` finds, as soon as it finds something: anything but undefined and false. Errors: Error when nothing was found within the limit, which
 * only ends what hangs; those of `look`.
 */
export async function until<Found>(
  look: () => Promise<Found | undefined | false> | Found | undefined | false,
  withinMs = 60_000,
): Promise<Found> {
  for (const end = Date.now() + withinMs; Date.now() < end;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("did not happen in time");
}
