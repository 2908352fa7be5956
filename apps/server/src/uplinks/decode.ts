import { modelById } from "@metrum/catalogue";
import type { PollResult } from "@metrum/contract";
import { ProtocolError, type Reading, type UplinkDevice, type UplinkDriver } from "@metrum/protocols";
import type { Services } from "#core";
import { secretsOf, type AskedDevice, type LoggedStep } from "#exchanges";
import type { Content } from "./delivery.ts";

/** What a model or codec made of a delivery: readings, or why there are none. */
export interface Decoded {
  readonly result: PollResult;
  readonly message: string;
  readonly readings: readonly Reading[];
  readonly error?: LoggedStep["error"];
}

/** The driver that reads what devices of this model send by themselves; undefined: the model says nothing unasked. */
export function uplinkDriver(modelId: number): UplinkDriver | undefined {
  const model = modelById(modelId);
  return model?.kind === "meter" && model.driver.kind === "uplink" ? model.driver : undefined;
}

/** Reads a delivery. A payload that cannot be read is an outcome for the log, with its bytes. */
export function decode(services: Services, device: AskedDevice, content: Content): Decoded {
  if (content.kind === "readings") return { result: "ok", message: "", readings: content.readings };
  const driver = uplinkDriver(device.modelId);
  if (!driver) return failed(new ProtocolError("unsupported", "the model takes no uplinks"));
  try {
    const readings = driver.decode(content.bytes, content.fPort, known(services, device));
    return { result: "ok", message: "", readings };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return failed(error);
  }
}

function failed({ kind, message, offset }: ProtocolError): Decoded {
  const error = { kind, message, ...(offset === undefined ? {} : { offset }) };
  return { result: kind, message, readings: [], error };
}

/** Keys that do not open are as good as none: what is encrypted fails to decode and says so in the log. */
function known({ config, log }: Services, device: AskedDevice): UplinkDevice {
  const { impulseWeight, startingValue, deviceID } = device;
  const scaled = { impulseWeight, startingValue, deviceID };
  try {
    const { keys } = secretsOf(config, device);
    return keys === undefined ? scaled : { ...scaled, keys };
  } catch (error) {
    log.error({ err: error, device: device.id }, "secrets of a device do not open");
    return scaled;
  }
}
