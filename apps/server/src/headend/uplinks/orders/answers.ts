import type { Services } from "#core";
import type { AskedDevice } from "#headend/exchanges";
import { uplinkDriver } from "../read/decode.ts";
import type { Uplink } from "../uplink.ts";
import { sendDownlink } from "./downlinks.ts";

/**
 * Answers a request of a device (time synchronisation), once it is committed. A failure is only logged: the
 * device repeats its request, and its uplink is acknowledged regardless.
 */
export async function answerDevice(services: Services, device: AskedDevice, uplink: Uplink): Promise<void> {
  const { content, at } = uplink;
  if (content.kind !== "payload") return;
  const driver = uplinkDriver(device.modelId);
  const answer = driver?.answer?.(content.bytes, content.fPort, at ?? services.clock.now());
  if (!answer) return;
  try {
    const down = { fPort: answer.fport, payload: answer.payload, confirmed: false };
    // A delayed time answer would set a wrong time.
    await sendDownlink(services, device, down, { waitMs: 0, expiresInSec: 5 });
  } catch (error) {
    services.log.warn({ err: error, device: device.id }, "a device is left without an answer");
  }
}
