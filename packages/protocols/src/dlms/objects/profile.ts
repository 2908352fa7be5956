import { fieldOf, type FieldName, type MessageTypeId, type ResourceKey } from "@metrum/vocabulary";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { Reading } from "../../core/reading.ts";
import { entryAccess, rangeAccess } from "../apdu/selectiveAccess.ts";
import type { SelectedRows, Session } from "../session/session.ts";
import type { CaptureObject, CosemAttribute, DlmsData, SelectiveAccess } from "../types.ts";
import { clockAttribute, instantData, instantOf, type ClockOptions } from "./clock.ts";
import { readScales, type Scales } from "./registers.ts";
import { inUnitOf, unitRatio } from "./units.ts";
import { captureObjectOf, integerOf, itemsOf, numberOf, scalerUnitOf } from "./values.ts";

/** A column of a profile and its field; found by its object, wherever the meter puts it. */
export interface ProfileColumn {
  readonly obis: string;
  readonly field: FieldName;
  /** Default 2. */
  readonly attribute?: number;
}

/** A profile of a meter that becomes messages of one type. */
export interface ProfileTable {
  readonly msgType: MessageTypeId;
  readonly obis: string;
  readonly columns: readonly ProfileColumn[];
  /** Seconds between rows; "month" for billing; "asked": attribute 4 of the meter. */
  readonly period: number | "month" | "asked";
  /** Whether a row is stamped with the end of its interval (the rule of the standard) or its beginning. */
  readonly stamp?: "end" | "start";
  /** Profile whose one row holds scaler and unit of each column (SPODES). */
  readonly scalerProfile?: string;
  /** By time, or by position for meters without range access. */
  readonly access?: "range" | "entry";
  /** Depth of the memory; absent: the default of `archivesOf`. */
  readonly depthSec?: number;
  /** Rows per request; default 96. */
  readonly rowsAtOnce?: number;
}

const monthSec = 31 * 86_400;
const defaultRowsAtOnce = 96;
/** Message types whose slot is the beginning of an interval; for others it is the time of the values. */
const intervalTypes: readonly MessageTypeId[] = [5, 10];

/** Rows without a period, or with a very short one, are requested as if this were their period. */
const shortestPageStepSec = 60;
const withoutPeriodSec = 1800;

const profileAttribute = (obis: string, attribute: number): CosemAttribute => ({
  classId: 7,
  obis,
  attribute,
});

export interface ProfileRead {
  readonly table: ProfileTable;
  readonly resource: ResourceKey;
  readonly clock: ClockOptions;
  readonly scales: Scales;
  /** Requested slots, epoch seconds UTC; `to` exclusive. */
  readonly from: number;
  readonly to: number;
}

/**
 * Rows of a profile as readings, oldest first.
 * Source: Blue Book 4.3.6. The columns are those of attribute 3 at this moment; rows are requested a bounded
 * number at a time, so that no meter has to give its whole buffer. null-data in a column: as in the row
 * before; in the clock: one period later, and no row where there is no period.
 * Units: the vocabulary's; energy of an interval becomes its mean power where the field is a power.
 * Errors: ProtocolError "unexpected" (no clock among the columns, a row of another shape, a unit that does
 * not fit its field), "unsupported" (no such profile), "refused" with the meter's code.
 */
export function* readProfile(session: Session, read: ProfileRead): Conversation<Reading[]> {
  const { table } = read;
  const layout = yield* readLayout(session, read);
  const shift = shiftOf(table, layout);
  const wanted = { from: read.from + shift, to: read.to + shift };
  const rows =
    table.access === "entry"
      ? yield* readByEntry(session, { ...read, ...wanted }, layout)
      : yield* readByRange(session, { ...read, ...wanted }, layout);
  const found = new Map<number, Reading>();
  for (const { stamp, values } of rows)
    if (stamp >= wanted.from && stamp < wanted.to)
      found.set(stamp, { msgType: table.msgType, at: stamp - shift, meterAt: stamp, values });
  return [...found.values()].sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
}

/**
 * Seconds between the slot of a row and its time stamp. A meter that captures on events or by an external
 * trigger reports a period of 0. Errors: ProtocolError "unsupported" for a period of 0 with rows of
 * intervals: their length is then unknown.
 */
function shiftOf({ msgType, stamp, obis }: ProfileTable, { periodSec }: ProfileLayout): number {
  if (!intervalTypes.includes(msgType)) return 0;
  if (periodSec <= 0)
    throw new ProtocolError("unsupported", `${obis} has no capture period, so its intervals are unknown`);
  return stamp === "start" ? 0 : periodSec;
}

/** Columns of a row. */
export interface ProfileLayout {
  readonly captures: readonly CaptureObject[];
  readonly clockAt: number;
  /** 0: rows have no period. */
  readonly periodSec: number;
  readonly isMonthly: boolean;
  readonly columns: readonly { readonly at: number; readonly field: FieldName; readonly ratio: number }[];
}

export function* readCaptures(session: Session, obis: string): Conversation<CaptureObject[]> {
  const list = yield* session.value(profileAttribute(obis, 3));
  return itemsOf(list, "capture objects").map(captureObjectOf);
}

export const isClock = ({ classId, attribute }: CaptureObject): boolean => classId === 8 && attribute === 2;

function* readLayout(
  session: Session,
  { table, resource, scales }: ProfileRead,
): Conversation<ProfileLayout> {
  const captures = yield* readCaptures(session, table.obis);
  const clockAt = captures.findIndex(isClock);
  if (clockAt < 0) throw new ProtocolError("unexpected", `${table.obis} has no column of the clock`);
  const periodSec =
    table.period === "month"
      ? monthSec
      : table.period === "asked"
        ? integerOf(yield* session.value(profileAttribute(table.obis, 4)), "capture period")
        : table.period;
  const places = table.columns.flatMap(({ obis, field, attribute = 2 }) => {
    const at = captures.findIndex((each) => each.obis === obis && each.attribute === attribute);
    const object = captures[at];
    return object === undefined ? [] : [{ at, field, object }];
  });
  if (places.length === 0)
    throw new ProtocolError("unexpected", `${table.obis} has none of the columns that the model names`);
  if (table.scalerProfile !== undefined) yield* readScalerProfile(session, table.scalerProfile, scales);
  yield* readScales(
    session,
    places.map(({ object }) => object).filter(({ classId }) => classId !== 1),
    scales,
  );
  const columns = places.map(({ at, field, object }) => {
    const scale = scales.get(object.obis) ?? { scaler: 0, unit: 255 };
    const ratio = unitRatio(scale, fieldOf(field, resource).unit, periodSec);
    if (ratio === undefined)
      throw new ProtocolError(
        "unexpected",
        `${object.obis} is in unit ${String(scale.unit)}, which ${field} is not`,
      );
    return { at, field, ratio };
  });
  return { captures, clockAt, periodSec, isMonthly: table.period === "month", columns };
}

/**
 * Scaler and unit of the columns of other profiles: each column is attribute 3 of a register, and a single
 * row has them all.
 */
export function* readScalerProfile(session: Session, obis: string, scales: Scales): Conversation<void> {
  const result = yield* session.get(profileAttribute(obis, 3));
  // Otherwise the units come from the registers themselves.
  if (result.kind === "error") return;
  const captures = itemsOf(result.value, "capture objects").map(captureObjectOf);
  const [row] = itemsOf(yield* session.value(profileAttribute(obis, 2)), "buffer");
  const cells = itemsOf(row, "row of scalers");
  for (const [at, { obis: name, classId, attribute }] of captures.entries()) {
    const cell = cells[at];
    if (cell?.type === "structure" && attribute === (classId === 5 ? 4 : 3))
      scales.set(name, scalerUnitOf(cell));
  }
}

export interface ProfileRow {
  readonly stamp: number;
  readonly values: Reading["values"];
}

interface Page {
  readonly access: SelectiveAccess;
  readonly rows: SelectedRows;
}

function* readPage(session: Session, page: Page, of: { read: ProfileRead; layout: ProfileLayout }) {
  const buffer = yield* session.value(profileAttribute(of.read.table.obis, 2), page);
  return rowsOf(itemsOf(buffer, "buffer"), of.layout, of.read.clock);
}

const day = (at: number): string => new Date(at * 1000).toISOString().slice(0, 16);

function* readByRange(
  session: Session,
  read: ProfileRead,
  layout: ProfileLayout,
): Conversation<ProfileRow[]> {
  const rows: ProfileRow[] = [];
  const between = layout.periodSec > 0 ? Math.max(layout.periodSec, shortestPageStepSec) : withoutPeriodSec;
  const step = between * Math.max(1, read.table.rowsAtOnce ?? defaultRowsAtOnce);
  for (let from = read.from; from < read.to; from += step) {
    // Both ends of a range are inclusive.
    const last = Math.min(from + step, read.to) - 1;
    const access = rangeAccess({
      restricting: { ...clockAttribute(2), index: 0 },
      from: instantData(from, read.clock),
      to: instantData(last, read.clock),
      columns: [],
    });
    const range = { from: { local: day(from) }, to: { local: day(last) } };
    rows.push(...(yield* readPage(session, { access, rows: range }, { read, layout })));
  }
  return rows;
}

/**
 * Newest last, as in the standard's FIFO; pages are read backwards until one begins before the requested
 * range.
 */
function* readByEntry(
  session: Session,
  read: ProfileRead,
  layout: ProfileLayout,
): Conversation<ProfileRow[]> {
  const inUse = integerOf(yield* session.value(profileAttribute(read.table.obis, 7)), "entries in use");
  const size = read.table.rowsAtOnce ?? defaultRowsAtOnce;
  const rows: ProfileRow[] = [];
  for (let last = inUse; last >= 1; last -= size) {
    const first = Math.max(1, last - size + 1);
    const access = entryAccess({ fromEntry: first, toEntry: last, fromColumn: 1, toColumn: 0 });
    const page = yield* readPage(session, { access, rows: { first, last } }, { read, layout });
    rows.unshift(...page);
    if (page.some(({ stamp }) => stamp < read.from)) break;
  }
  return rows;
}

/**
 * Rows of a buffer with omitted values filled in. A row whose time stamp cannot be determined is omitted.
 * Errors: ProtocolError "unexpected" when a row has another number of columns.
 */
export function rowsOf(
  buffer: readonly DlmsData[],
  layout: ProfileLayout,
  clock: ClockOptions,
): ProfileRow[] {
  const rows: ProfileRow[] = [];
  let before: readonly DlmsData[] = [];
  let stamp: number | null = null;
  for (const each of buffer) {
    const sent = itemsOf(each, "row");
    if (sent.length !== layout.captures.length)
      throw new ProtocolError(
        "unexpected",
        `a row of ${String(sent.length)} columns where ${String(layout.captures.length)} are captured`,
      );
    const isSilent = sent[layout.clockAt]?.type === "null";
    stamp = isSilent ? nextStamp(stamp, layout) : instantOf(sent[layout.clockAt], clock);
    before = sent.map((cell, at) => (cell.type === "null" ? (before[at] ?? cell) : cell));
    if (stamp !== null) rows.push({ stamp, values: valuesOf(before, layout) });
  }
  return rows;
}

/** A month has no fixed length, nor have rows without a period: one without its own time stamp is omitted. */
const nextStamp = (stamp: number | null, { periodSec, isMonthly }: ProfileLayout): number | null =>
  stamp === null || isMonthly || periodSec <= 0 ? null : stamp + periodSec;

function valuesOf(cells: readonly DlmsData[], layout: ProfileLayout): Reading["values"] {
  return Object.fromEntries(
    layout.columns.map(({ at, field, ratio }) => {
      const raw = numberOf(cells[at]);
      return [field, raw === null ? null : inUnitOf(field, raw, ratio)];
    }),
  );
}
