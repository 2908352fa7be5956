import { modelById } from "@metrum/catalogue";
import {
  finiteReadings,
  ProtocolError,
  warningsOf,
  type UplinkDevice,
  type UplinkDriver,
} from "@metrum/protocols/core";
import { activeCodec, decodeWith, noteCodecFailure, type ActiveCodec } from "#metering/codecs";
import { standardOffsetSec, type Services } from "#core";
import {
  keepFormats,
  knownFormats,
  secretsOf,
  sendsCompact,
  type AskedDevice,
  type KnownFormats,
} from "#headend/exchanges";
import type { Interpretation } from "./interpretation.ts";
import type { Content } from "../uplink.ts";
import { readEvent, readSenderValues } from "./senderValues.ts";

/** The driver that reads uplinks of this model; undefined: the model sends none. */
export function uplinkDriver(modelId: number): UplinkDriver | undefined {
  const model = modelById(modelId);
  return model?.kind === "meter" && model.driver.kind === "uplink" ? model.driver : undefined;
}

/** A payload of a device with its time of reception, epoch seconds UTC. */
export interface Undecoded {
  readonly content: Content;
  readonly receivedAt: number;
  /** A stored payload to be re-decoded: lower priority than incoming ones. */
  readonly isRedecoding?: boolean;
}

/**
 * Decodes an uplink: with the company's codec if there is one for the model, else with the driver of the
 * model. Layouts that the device sent in full are stored for its compact telegrams; a telegram whose layout
 * is not known yet is logged and can be re-decoded later. A payload that cannot be read, or whose values are
 * no numbers after scaling, is an outcome for the log, with its bytes.
 */
export async function decode(
  services: Services,
  device: AskedDevice,
  heard: Undecoded,
): Promise<Interpretation> {
  const { content } = heard;
  if (content.kind === "event") return readEvent(device, content.event);
  if (content.kind === "readings") return outcomeOf(() => readSenderValues(device, content));
  const codec = await activeCodec(services, device);
  if (codec) return decodeByCodec(services, { device, codec }, { ...heard, content });
  const driver = uplinkDriver(device.modelId);
  if (!driver) return failed(new ProtocolError("unsupported", "the model takes no uplinks"));
  const formats = sendsCompact(driver) ? await knownFormats(services.database.system, device.id) : undefined;
  const decoded = outcomeOf(() => {
    const of = known(services, device, { receivedAt: heard.receivedAt, formats });
    const readings = finiteReadings(driver.decode(content.bytes, content.fPort, of));
    return { result: "ok", message: warningsOf(readings), readings };
  });
  if (formats) await keepFormats(services, device.id, formats);
  return decoded;
}

function outcomeOf(read: () => Interpretation): Interpretation {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return failed(error);
  }
}

type ReceivedPayload = Omit<Undecoded, "content"> & {
  readonly content: Extract<Content, { kind: "payload" }>;
};

async function decodeByCodec(
  services: Services,
  { device, codec }: { readonly device: AskedDevice; readonly codec: ActiveCodec },
  { content, receivedAt, isRedecoding = false }: ReceivedPayload,
): Promise<Interpretation> {
  const { companyId, impulseWeight, startingValue } = device;
  const { bytes, fPort } = content;
  try {
    const owner = { companyId, scale: { impulseWeight, startingValue }, isRedecoding };
    const { readings, warnings } = await decodeWith(services, codec, { bytes, fPort, receivedAt }, owner);
    return { result: "ok", message: warnings.join("; ").slice(0, 500), readings, codec: codec.id };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    if (!isRedecoding)
      await noteCodecFailure(services, codec, { deviceId: device.id, message: error.message });
    return { ...failed(error), codec: codec.id };
  }
}

function failed({ kind, message, offset }: ProtocolError): Interpretation {
  const error = { kind, message, ...(offset === undefined ? {} : { offset }) };
  return { result: kind, message, readings: [], error };
}

/** Keys that cannot be unsealed are treated as missing: decoding then fails and the log says so. */
function known(
  { secretBox, log }: Services,
  device: AskedDevice,
  { receivedAt, formats }: { readonly receivedAt: number; readonly formats: KnownFormats | undefined },
): UplinkDevice {
  const { impulseWeight, startingValue, deviceID, zone } = device;
  const utcOffsetMinutes = standardOffsetSec(zone, receivedAt) / 60;
  const own = formats ? { formats } : {};
  const plain = { impulseWeight, startingValue, deviceID, utcOffsetMinutes, receivedAt, ...own };
  try {
    const { keys } = secretsOf(secretBox, device);
    return keys === undefined ? plain : { ...plain, keys };
  } catch (error) {
    log.error({ err: error, device: device.id }, "secrets of a device do not open");
    return plain;
  }
}
