import type { Services } from "#core";
import { noteFailure, type ActiveCodec } from "./store.ts";

/** Minimum interval between two recorded failures of a codec, which may fail with every payload. */
const quietMs = 5_000;

/**
 * Records that a version failed to decode a payload of a device, for the list of versions. The payload itself
 * is in the exchange log. A failure of the recording is only logged: it must not affect the uplink.
 */
export async function noteCodecFailure(
  { database, clock, log, parts }: Services,
  codec: ActiveCodec,
  failed: { readonly deviceId: number; readonly message: string },
): Promise<void> {
  const last = parts.codecs.failedMs;
  const nowMs = clock.monotonicMs();
  if (nowMs - (last.get(codec.id) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
  last.set(codec.id, nowMs);
  try {
    await noteFailure(database.system, { ...failed, id: codec.id, at: clock.now() });
  } catch (error) {
    log.warn({ err: error, codec: codec.id }, "the failure of a codec was not stored");
  }
}
