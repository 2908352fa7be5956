import { fields, withoutNoise, type FieldName, type UnitKey } from "@metrum/vocabulary";
import type { UplinkDriver } from "../../core/driver.ts";
import { fromHex } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { withSerial, withWarnings, type DecodedValue, type Reading } from "../../core/reading.ts";
import { aesKeyForm } from "../../core/secretForms.ts";
import { encodeApdu } from "../apdu/apdu.ts";
import { decodeDlmsApdu, type DlmsDecodeOptions } from "../decode/decode.ts";
import { decodeDlmsHdlc } from "../decode/decodeHdlc.ts";
import { dateTimeBytes, fromEpoch } from "../data/dateTime.ts";
import { explainDlms, explainDlmsApdu } from "../decode/explain.ts";
import { clientAddress, encodeHdlc, hdlcFlag, llc } from "../link/hdlc.ts";
import { logicalName, scalerUnitData } from "../objects/values.ts";
import { cosemUnits } from "./pushLists.ts";
import { textOf } from "../data/show.ts";
import type { DlmsData } from "../types.ts";

interface PushRow {
  /** Name returned by the decoder of pushed lists. */
  readonly name: string;
  readonly field: FieldName;
  readonly obis: string;
  readonly scaler: number;
  readonly unit: number;
  /** Factor from the unit of the list to that of the field. */
  readonly ratio: number;
}

const row = (
  name: string,
  field: FieldName,
  of: Pick<PushRow, "obis" | "scaler" | "unit" | "ratio">,
): PushRow => ({
  name,
  field,
  ...of,
});

const phases = [1, 2, 3] as const;
/**
 * Quantities of the pushed lists that have a field, with the OBIS code and unit under which our simulator
 * sends them.
 */
const rows: readonly PushRow[] = [
  row("active_power_import", "power_active", { obis: "1.0.1.7.0.255", scaler: 0, unit: 27, ratio: 1000 }),
  row("reactive_power_import", "power_reactive", { obis: "1.0.3.7.0.255", scaler: 0, unit: 29, ratio: 1000 }),
  ...phases.map((phase) =>
    row(`current_l${String(phase)}`, `current${phase}`, {
      obis: `1.0.${String(11 + 20 * phase)}.7.0.255`,
      scaler: -2,
      unit: 33,
      ratio: 1,
    }),
  ),
  ...phases.map((phase) =>
    row(`voltage_l${String(phase)}`, `voltage${phase}`, {
      obis: `1.0.${String(12 + 20 * phase)}.7.0.255`,
      scaler: -1,
      unit: 35,
      ratio: 1,
    }),
  ),
  ...(
    [
      ["active_power_import_total", "tariff0", 1, 30],
      ["active_power_export_total", "tariff_negative0", 2, 30],
      ["reactive_power_import_total", "tariff_reactive0", 3, 32],
      ["reactive_power_export_total", "tariff_reactive_negative0", 4, 32],
    ] as const
  ).map(([name, field, quantity, unit]) =>
    row(name, field, { obis: `1.0.${String(quantity)}.8.0.255`, scaler: 0, unit, ratio: 1000 }),
  ),
];

/**
 * Driver of meters that push their lists through a HAN port (Aidon, Kaifa, Kamstrup), by a gateway that
 * passes them on.
 * Source: shared corpus of pushed lists, see `push.ts`. Layout: a payload is one HDLC message from flag to
 * flag, or a DataNotification with or without its link header; encrypted ones are opened with the keys of the
 * device. The list has no use for a port (fport).
 * Units: the vocabulary's; a voltage, current or power beyond `greatest` is null, with a warning; a number whose unit neither list nor manufacturer defines is omitted. Counters
 * become type 1, the rest type 2; what has no field (list names, power that is exported) is dropped. The number of
 * the meter is that which the list names. The time is that of the reception: the lists give the meter's local time
 * without a zone.
 * Errors: ProtocolError of the decoder, "unexpected" for a list that gives no reading.
 */
export const hanPush: UplinkDriver = {
  kind: "uplink",
  protocol: "dlms-push",
  secrets: { encryption: aesKeyForm, authentication: aesKeyForm },
  decode(payload, _fport, { keys }) {
    const key = (keys?.encryption ?? "") + (keys?.authentication ?? "");
    const options: DlmsDecodeOptions = key === "" ? {} : { key };
    const decoded =
      payload[0] === hdlcFlag ? decodeDlmsHdlc(payload, options) : decodeDlmsApdu(payload, options);
    const readings = readingsOf(decoded.readings);
    if (readings.length === 0)
      throw new ProtocolError("unexpected", "no value of the list has a field and a known unit");
    return readings;
  },
  encode: (_device, state, at) => ({ fport: 1, payload: pushFrame(state, at) }),
  explain: (payload) => (payload[0] === hdlcFlag ? explainDlms(payload, "hdlc") : explainDlmsApdu(payload)),
};

/**
 * Greatest sensible values by unit, of meters that are connected without transformers: beyond it the list has
 * a scale that it does not name (a Kamstrup Omnipower sends hundredths of a volt).
 */
const greatest: Readonly<Partial<Record<UnitKey, number>>> = { V: 1000, A: 1000, kW: 1000, kvar: 1000 };

/** Tag and length in front of the characters of a text. */
const textHead = 2;

/** The number that a list names of its meter; undefined: none, or bytes that are no text. */
function numberIn(found: readonly DecodedValue[]): string | undefined {
  const raw = found.find(({ name }) => name === "meter_id")?.raw;
  const text = raw === undefined ? undefined : textOf(fromHex(raw).subarray(textHead));
  return text !== undefined && /\d/.test(text) ? text.trim() : undefined;
}

function readingsOf(found: readonly DecodedValue[]): Reading[] {
  const warnings: string[] = [];
  const values = rows.flatMap(({ name, field, ratio, unit }) => {
    const sent = found.find((each) => each.name === name && each.unit === cosemUnits[unit])?.value;
    if (typeof sent !== "number") return [];
    const value = withoutNoise(sent / ratio);
    const isSensible = Math.abs(value) <= (greatest[fields[field].unit] ?? Infinity);
    if (!isSensible)
      warnings.push(`${name}: ${String(sent)} ${cosemUnits[unit] ?? ""} cannot be, its scale is not known`);
    return [[field, isSensible ? value : null] as const];
  });
  const readings = ([1, 2] as const)
    .map((msgType): Reading => ({
      msgType,
      at: null,
      values: Object.fromEntries(
        values.filter(([field]) => (fields[field].kind === "counter") === (msgType === 1)),
      ),
    }))
    .filter((reading) => Object.keys(reading.values).length > 0);
  return withSerial(withWarnings(readings, warnings), numberIn(found));
}

/**
 * A list as the DataNotification that carries it; `time` as `dateTimeBytes` writes it, empty for none.
 * Errors: as `encodeApdu`.
 */
export const notificationOf = (body: DlmsData, time: Uint8Array = new Uint8Array(0)): Uint8Array =>
  encodeApdu({
    type: "dataNotification",
    invoke: {
      id: 0,
      isSelfDescriptive: false,
      isBreakingOnError: false,
      isConfirmed: false,
      isHighPriority: false,
    },
    time,
    isTimeTagged: false,
    body,
  });

/** A list as Aidon sends it: code, value, scaler and unit. */
function pushFrame(state: (field: string) => number, at: number): Uint8Array {
  const items = rows.map(({ field, obis, scaler, unit, ratio }): DlmsData => ({
    type: "structure",
    items: [
      logicalName(obis),
      { type: "uint32", value: Math.max(0, Math.round((state(field) * ratio) / 10 ** scaler)) % 2 ** 32 },
      scalerUnitData({ scaler, unit }),
    ],
  }));
  const apdu = notificationOf({ type: "array", items }, dateTimeBytes(fromEpoch(at, { deviation: null })));
  return encodeHdlc({
    destination: clientAddress(pushClient),
    source: { upper: pushClient, lower: null, bytes: 1 },
    control: { type: "ui", isFinal: true },
    isSegmented: false,
    information: Uint8Array.of(...llc.fromServer, ...apdu),
  });
}

const pushClient = 32;
