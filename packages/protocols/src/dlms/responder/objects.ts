import { ByteWriter } from "../../core/bytes.ts";
import { instantData, instantOf, type ClockOptions } from "../objects/clock.ts";
import { attributeOf } from "../objects/registers.ts";
import { logicalName, scalerUnitData } from "../objects/values.ts";
import { controllerOf } from "../options.ts";
import { clockColumn, entryOf, rangeOf } from "../apdu/selectiveAccess.ts";
import type {
  AccessResult,
  CaptureObject,
  CosemAttribute,
  CosemMethod,
  DlmsData,
  SelectiveAccess,
} from "../types.ts";
import { controlledNames, controlledObjects, monitoredScale } from "./controlled.ts";
import type { SimulatedEvent, SimulatedMeter } from "./meter.ts";
import { columnScale, profileAttribute, readProfileAttribute, scalerRow } from "./profiles.ts";
import { results } from "./results.ts";
import { rawOf, scaleOf } from "./scales.ts";

/** Objects of a simulated meter, as seen by its clients. */
export interface MeterObjects {
  readonly read: (attribute: CosemAttribute, access: SelectiveAccess | null) => AccessResult;
  readonly write: (attribute: CosemAttribute, value: DlmsData) => number;
  readonly call: (method: CosemMethod, parameters: DlmsData | null) => number;
}

const data = (value: DlmsData): AccessResult => ({ kind: "data", value });
const failed = (code: number): AccessResult => ({ kind: "error", code });
const keyOf = ({ classId, obis, attribute }: CosemAttribute): string =>
  `${String(classId)} ${obis} ${String(attribute)}`;
const text = (value: string): DlmsData => ({ type: "octets", value: new TextEncoder().encode(value) });
const whole = (type: "uint8" | "uint16" | "uint32" | "enum", value: number): DlmsData => ({ type, value });
const nothing: DlmsData = { type: "array", items: [] };

/**
 * The objects of a simulated meter: registers, profiles and journals of its model, the objects that can be
 * changed, and the list of them all. `counter` is what the public client reads as invocation counter.
 */
export function meterObjects(meter: SimulatedMeter, counter: () => number): MeterObjects {
  const controlled = controlledObjects(meter);
  const read: MeterObjects["read"] = (attribute, access) => {
    if (attribute.attribute === 1) return data(logicalName(attribute.obis));
    if (isCounter(meter, attribute)) return data(whole("uint32", counter()));
    const value = controlled.read(attribute) ?? identification(meter, attribute);
    if (value) return data(value);
    const found =
      readRegister(meter, attribute) ?? readBuffers(meter, attribute, { access, now: controlled.now() });
    if (found) return found;
    const scale = monitoredScale(meter, attribute);
    return scale ? data(scale) : failed(results.undefined);
  };
  return {
    read,
    write: (attribute, value) =>
      controlled.write(attribute, value) ??
      (read(attribute, null).kind === "data" ? results.denied : results.undefined),
    call: (method, parameters) => controlled.call(method, parameters) ?? results.undefined,
  };
}

function identification(meter: SimulatedMeter, attribute: CosemAttribute): DlmsData | undefined {
  switch (keyOf(attribute)) {
    case "1 0.0.42.0.0.255 2":
      return text(`MTR${meter.device.deviceID.slice(-13)}`);
    case "1 0.0.96.1.0.255 2":
      return text(meter.device.deviceID);
    case "1 1.0.0.2.0.255 2":
      return text("1.0.7");
    case "15 0.0.40.0.0.255 2":
      return objectList(meter);
    default:
      return undefined;
  }
}

export function isCounter(meter: SimulatedMeter, { classId, obis, attribute }: CosemAttribute): boolean {
  const isNamed = [meter.options, controllerOf(meter.options)].some(
    ({ authentication }) => authentication.kind === "gmac" && authentication.counter?.obis === obis,
  );
  return isNamed && classId === 1 && attribute === 2;
}

function readRegister({ options, state }: SimulatedMeter, wanted: CosemAttribute): AccessResult | undefined {
  const { registers, resource } = options;
  const row = registers.find(
    (each) => each.obis === wanted.obis && attributeOf(each).classId === wanted.classId,
  );
  if (!row) return undefined;
  const scale = scaleOf(row.field, resource, row.scale);
  if (wanted.attribute === attributeOf(row).attribute)
    return data(rawOf(state(row.field), { field: row.field, resource, scale }));
  if (wanted.classId !== 1 && wanted.attribute === (wanted.classId === 5 ? 4 : 3))
    return data(scalerUnitData(scale));
  return undefined;
}

function readBuffers(
  meter: SimulatedMeter,
  { classId, obis, attribute }: CosemAttribute,
  of: { access: SelectiveAccess | null; now: number },
): AccessResult | undefined {
  const { profiles = [], journals = [] } = meter.options;
  if (classId === 3) return columnScaler(meter, obis, attribute);
  if (classId !== 7) return undefined;
  const table = profiles.find((each) => each.obis === obis);
  if (table) return readProfileAttribute(meter, table, { ...of, attribute });
  const scaled = profiles.filter(({ scalerProfile }) => scalerProfile === obis);
  if (scaled.length > 0) {
    const { captures, row } = scalerRow(meter, scaled);
    return oneRow(attribute, { captures, row: () => row });
  }
  const current = readCurrentRow(meter, obis, { ...of, attribute });
  if (current) return current;
  return journals.some((each) => each.obis === obis)
    ? readJournal(meter, obis, { ...of, attribute })
    : undefined;
}

/** The one row of current values, and its scaler profile. */
function readCurrentRow(
  meter: SimulatedMeter,
  obis: string,
  { attribute, now }: { attribute: number; now: number },
): AccessResult | undefined {
  const { current, resource, clock } = meter.options;
  if (current === undefined || (obis !== current.obis && obis !== current.scalerProfile)) return undefined;
  const isScaler = obis === current.scalerProfile;
  const columns = current.columns.map((column) => ({ ...column, scale: scaleOf(column.field, resource) }));
  const captures = columns.map(({ obis: name }) => ({
    classId: 3,
    obis: name,
    attribute: isScaler ? 3 : 2,
    index: 0,
  }));
  const row = (): DlmsData => {
    const cells = columns.map(({ field, scale }) =>
      isScaler ? scalerUnitData(scale) : rawOf(meter.state(field), { field, resource, scale }),
    );
    return { type: "structure", items: isScaler ? cells : [instantData(now, clock), ...cells] };
  };
  return oneRow(attribute, { captures: isScaler ? captures : [clockColumn, ...captures], row });
}

/** A profile that always holds one row. */
const oneRow = (
  attribute: number,
  { captures, row }: { captures: readonly CaptureObject[]; row: () => DlmsData },
): AccessResult | undefined =>
  profileAttribute(attribute, {
    captures,
    rows: () => ({ type: "array", items: [row()] }),
    period: 0,
    inUse: () => 1,
    size: 1,
  });

/** Events that a simulated journal can hold. */
const journalSize = 256;

/** Registers referred to only by profiles still report their scaler. */
function columnScaler(meter: SimulatedMeter, obis: string, attribute: number): AccessResult | undefined {
  for (const table of meter.options.profiles ?? []) {
    const column = table.columns.find((each) => each.obis === obis);
    if (column && attribute === 3) return data(scalerUnitData(columnScale(meter, table, column.field)));
  }
  return undefined;
}

function readJournal(
  meter: SimulatedMeter,
  obis: string,
  of: { attribute: number; access: SelectiveAccess | null },
): AccessResult | undefined {
  const events = (meter.manners?.events ?? []).filter(({ journal }) => journal === obis);
  const code = { classId: 1, obis: obis.replace("0.0.99.98", "0.0.96.11"), attribute: 2, index: 0 };
  return profileAttribute(of.attribute, {
    captures: [clockColumn, code],
    rows: () => ({
      type: "array",
      items: chosenEvents(events, of.access, meter.options.clock).map((event) => ({
        type: "structure",
        items: [instantData(event.at, meter.options.clock), whole("uint16", event.code)],
      })),
    }),
    period: 0,
    inUse: () => events.length,
    size: journalSize,
  });
}

function chosenEvents(
  events: readonly SimulatedEvent[],
  access: SelectiveAccess | null,
  clock: ClockOptions,
): readonly SimulatedEvent[] {
  const range = access === null ? null : rangeOf(access);
  const entry = access === null || range ? null : entryOf(access);
  if (entry) return events.slice(entry.fromEntry - 1, entry.toEntry > 0 ? entry.toEntry : undefined);
  if (!range) return events;
  const from = instantOf(range.from, clock) ?? Number.NEGATIVE_INFINITY;
  const to = instantOf(range.to, clock) ?? Number.POSITIVE_INFINITY;
  return events.filter(({ at }) => at >= from && at <= to);
}

function objectList({ options }: SimulatedMeter): DlmsData {
  const named: readonly (readonly [number, string])[] = [
    [15, "0.0.40.0.0.255"],
    [1, "0.0.42.0.0.255"],
    [1, "0.0.96.1.0.255"],
    [1, "1.0.0.2.0.255"],
    ...controlledNames,
    ...options.registers.map((row) => [attributeOf(row).classId, row.obis] as const),
    ...(options.profiles ?? []).map(({ obis }) => [7, obis] as const),
    ...(options.journals ?? []).map(({ obis }) => [7, obis] as const),
  ];
  const rights: DlmsData = { type: "structure", items: [nothing, nothing] };
  return {
    type: "array",
    items: named.map(([classId, obis]) => ({
      type: "structure",
      items: [whole("uint16", classId), whole("uint8", 0), logicalName(obis), rights],
    })),
  };
}

/** Eight bytes of a simulated meter: three letters and its number. */
export const meterTitle = (deviceID: string): Uint8Array =>
  new ByteWriter(8)
    .raw(new TextEncoder().encode("SIM"))
    .u8(0)
    .u32be(Number(deviceID.replaceAll(/\D/g, "").slice(-9) || "0"))
    .finish();
