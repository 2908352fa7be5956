import type { Ctx, Db } from "#core";
import type { DeviceId } from "@metrum/vocabulary";
import {
  counterRange,
  growth,
  knowingLoads,
  readLoads,
  withoutRollover,
  type SamplesOf,
} from "#metering/messages";
import {
  comparableDevices,
  isState,
  isTrusted,
  judgedDevices,
  judgedProfile,
  judgedRegister,
  judgedState,
  profileField,
  profileSteps,
  ratioOf,
  readValues,
  stepsOf,
  type Judged,
  type JudgedDevice,
  type RatioOver,
  type Step,
} from "../judged/index.ts";
import { frameOf, type Sources } from "../estimate/index.ts";
import type { ExceptionRow } from "./listStore.ts";
import { givenOf, valuesAround } from "../run/index.ts";

const daySec = 86_400;
const aheadSec = 32 * daySec;

/** One exception with everything that a decision about it rests on. */
export interface Opened {
  readonly row: ExceptionRow;
  readonly device: JudgedDevice | undefined;
  /** Every value of the exception was read. */
  readonly isWhole: boolean;
  /** Of its time, not of today. */
  readonly ratioOver: RatioOver;
  /** The series that the exception is about, and the register of the device. */
  readonly judged: Judged | undefined;
  readonly register: Judged | undefined;
  /** What it can be estimated from; undefined without a value before it. */
  readonly sources: Sources | undefined;
}

/** Reads values around an exception: two months before it, and up to a month after it. */
export const openSources = (ctx: Ctx, row: ExceptionRow): Promise<Opened> =>
  knowingLoads(readLoads(ctx.db), (samplesOf) => openWith(ctx, row, samplesOf));

async function openWith(ctx: Ctx, row: ExceptionRow, samplesOf: SamplesOf): Promise<Opened> {
  const { db } = ctx;
  const [device] = await judgedDevices(db, [row.device_id]);
  const nothing = { row, device, isWhole: true, judged: undefined, register: undefined, sources: undefined };
  if (!device) return { ...nothing, ratioOver: () => 1 };
  const ratioOver = await ratioOf(db, device, { field: row.field, at: row.from_ts });
  const to = Math.min(row.to_ts + aheadSec, Math.max(ctx.clock.now(), row.to_ts));
  const span = { from: row.from_ts, to };
  const values = await valuesAround(ctx, db, device.id, span);
  const given = await givenOf(ctx, db, device, { span, values, samplesOf });
  if (!given) return { ...nothing, ratioOver };
  const isOther = row.field === profileField || isState(row.field);
  const register = judgedRegister(isOther ? given : { ...given, field: row.field });
  const judged = isState(row.field)
    ? judgedState(given, row.field)
    : row.field === profileField
      ? judgedProfile(given)
      : register;
  const doubt = { kind: row.kind, field: row.field, from: row.from_ts, to: row.to_ts };
  const frame = judged && frameOf(judged, doubt, register);
  askLoads(register, row);
  const sources =
    judged && frame
      ? {
          // What is doubted is no history for its own estimate.
          judged: {
            ...judged,
            steps: judged.steps.filter(
              (step) => step.to <= row.from_ts || step.from >= row.to_ts || row.kind === "gap",
            ),
          },
          frame,
          lastYear: await yearBefore(ctx, db, row),
          group: await groupSteps(ctx, db, device, row),
        }
      : undefined;
  return { row, device, isWhole: values.wholeTo >= row.to_ts, ratioOver, judged, register, sources };
}

/** A decision looks at what follows the exception, when no load can be read any more. */
function askLoads({ levels, rangeOf }: Judged, { field, from_ts }: ExceptionRow): void {
  const values = levels.get(field) ?? [];
  const before = values.findLast(({ ts, status }) => ts < from_ts && isTrusted(status));
  for (const value of values) if (before && value.ts >= from_ts) growth(before, value, rangeOf(value.field));
}

async function stepsBetween(
  ctx: Ctx,
  db: Db,
  of: {
    readonly deviceId: DeviceId;
    readonly field: ExceptionRow["field"];
    readonly from: number;
    readonly to: number;
  },
): Promise<readonly Step[]> {
  const { readingStore } = ctx.parts;
  const { levels } = await readValues(db, readingStore.sets, of);
  const values = levels.get(of.field) ?? [];
  const metadata = (await readingStore.metadata.of([of.deviceId])).get(of.deviceId);
  if (of.field === profileField) return profileSteps(values);
  return knowingLoads(readLoads(db), (samplesOf) =>
    stepsOf(
      values,
      metadata ? counterRange(metadata, of.field, samplesOf(of.deviceId, of.field)) : withoutRollover,
    ),
  );
}

const yearBefore = (ctx: Ctx, db: Db, row: ExceptionRow): Promise<readonly Step[]> =>
  stepsBetween(ctx, db, {
    deviceId: row.device_id,
    field: row.field,
    from: row.from_ts - 366 * daySec,
    to: row.to_ts - 362 * daySec,
  });

async function groupSteps(
  ctx: Ctx,
  db: Db,
  device: JudgedDevice,
  row: ExceptionRow,
): Promise<(readonly Step[])[]> {
  const ids = await comparableDevices(db, device);
  const all: (readonly Step[])[] = [];
  for (const deviceId of ids)
    all.push(
      await stepsBetween(ctx, db, {
        deviceId,
        field: row.field,
        from: row.from_ts - daySec,
        to: row.to_ts + daySec,
      }),
    );
  return all;
}
