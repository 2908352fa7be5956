import { undecoded } from "../core/spans.ts";
import type { ResourceKey } from "@metrum/vocabulary";
import { ByteReader, ByteWriter, type Span } from "../core/bytes.ts";
import type { UplinkDriver } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { decodeTelegram, type Telegram } from "../mbus/application.ts";
import { inZoneOf, prepareRow, readingsOf, type MbusRow, type ReadingPlan } from "../mbus/readings.ts";
import { decodeRecords } from "../mbus/records.ts";
import { encodeRows, filledSpans } from "./driver.ts";

/** A family of devices that send M-Bus records over LoRaWAN or NB-IoT. */
export interface MbusPayloadOptions {
  readonly resource: ResourceKey;
  /** Records of the payload in the order of sending. */
  readonly records: readonly MbusRow[];
  /** Port of the payload; default: any, and 1 for the simulator. */
  readonly fport?: number;
  /** CI 78 in front of the records of the simulator; read with or without. */
  readonly hasCi?: boolean;
  readonly utcOffsetMinutes?: number;
}

const cis: readonly number[] = [0x72, 0x78, 0x7a];

/**
 * Driver of devices whose payload is the application layer of M-Bus, without its own link layer.
 * Source: EN 13757-3. Layout: CI 72, 7A or 78 with its header and records, or records from the first byte on:
 * none of the three can begin a record of an answer (coding 8 or A or 2 "during error" at storage 1 is sent
 * by no known meter). Encryption is that of the network.
 * Units: the vocabulary's for the resource. Errors: ProtocolError as `decodeTelegram`, "unsupported" for
 * another port, "unexpected" with none of the model's records, or when the header names another meter than
 * the device's `deviceID` ends in.
 */
export function mbusPayload(options: MbusPayloadOptions): UplinkDriver {
  const { resource, utcOffsetMinutes = 0 } = options;
  const rows = options.records.map((row) => prepareRow(row, resource));
  const plan: ReadingPlan = { resource, utcOffsetMinutes, rows, archives: [] };
  return {
    kind: "uplink",
    protocol: "mbus-payload",
    decode(payload, fport, device) {
      if (options.fport !== undefined && fport !== options.fport)
        throw new ProtocolError("unsupported", `port ${String(fport)}`, { detail: fport });
      const { header, records } = readMbusPayload(payload);
      if (
        header?.id !== undefined &&
        /\d{8}$/.test(device.deviceID ?? "") &&
        !device.deviceID?.endsWith(header.id)
      )
        throw new ProtocolError("unexpected", `the payload of meter ${header.id}`);
      const readings = readingsOf(inZoneOf(plan, device), records);
      if (readings.length === 0)
        throw new ProtocolError("unexpected", "none of the records that the model names is in the payload");
      return readings;
    },
    encode(device, state, at) {
      const id = device.deviceID.replaceAll(/\D/g, "").slice(-8);
      const records = encodeRows(rows, id, { state, at }, inZoneOf(plan, device).utcOffsetMinutes);
      const writer = new ByteWriter().raw(options.hasCi === true ? [0x78] : []).raw(records);
      return { fport: options.fport ?? 1, payload: writer.finish() };
    },
    explain(payload) {
      const trace: Span[] = [];
      try {
        readMbusPayload(payload, trace);
        return filledSpans(payload, trace, "not_named");
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        return filledSpans(payload, trace, undecoded(error));
      }
    },
  };
}

/** Reads the application layer at the first byte. Source, layout, errors: as `mbusPayload`. */
export function readMbusPayload(payload: Uint8Array, trace?: Span[]): Telegram {
  const reader = new ByteReader(payload, { trace });
  const ci = reader.peek();
  if (ci === undefined) return reader.fail("an empty payload");
  if (!cis.includes(ci)) return decodeRecords(payload, { trace });
  reader.u8("ci_layer");
  return decodeTelegram(ci, payload.subarray(1), { trace, base: 1 });
}
