import type { Services } from "#core";
import { noteFailure, type ActiveCodec } from "./store.ts";

/** A codec that reads nothing is told of this often and not with every payload. */
const quietMs = 5_000;

/**
 * Notes that a version did not read a payload of a device, for the list of versions. The payload itself rests in the exchange log.
 * A failure to note it is for the log: the uplink does not suffer for it.
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
    log.warn({ err: error, codec: codec.id }, "the failure of a codec was not noted");
  }
}
