import type { PointWhy } from "@metrum/contract/accounting";
import { statuses, type AccountingPointId, type FieldName } from "@metrum/vocabulary";
import { decimal, minus, numberOf, ofMicro, textOf, type Ctx, type Decimal } from "#core";
import {
  counterOrigins,
  counterTypes,
  countsFor,
  earlierReadings,
  sourceName,
  statusName,
} from "#metering/messages";
import { hasRatio, readersOf, type AddedPart, type Node, type Part, type RatioStep } from "../days/index.ts";
import { devicesOf, type PointDevice } from "../records/index.ts";
import { exchangeAt, termRows, type TermRow } from "./historyStore.ts";

export type WhyPart = PointWhy["parts"][number];
type WhyValue = NonNullable<WhyPart["start"]>;
export type WhyReading = WhyValue["around"][number];

interface Known {
  readonly ratios: readonly RatioStep[];
  readonly terms: readonly TermRow[];
  readonly devices: readonly PointDevice[];
}

/** Parts of a total with their readings, ratios and exchanges. */
export async function shownParts(
  ctx: Ctx,
  given: {
    readonly pointId: AccountingPointId;
    readonly ratios: readonly RatioStep[];
    readonly parts: readonly Part[];
  },
): Promise<WhyPart[]> {
  const { pointId, ratios, parts } = given;
  const devices = await devicesOf(ctx.db, pointId);
  const known: Known = { ratios, terms: await termRows(ctx.db, pointId), devices };
  const shown: WhyPart[] = [];
  for (const part of parts) shown.push(await shownPart(ctx, known, part));
  return shown;
}

async function shownPart(ctx: Ctx, known: Known, part: Part): Promise<WhyPart> {
  const { kind, tie, field, from, to, grown, ratio, reason } = part;
  const device = known.devices.find(
    (each) => each.device_id === tie.deviceId && each.from_ts === tie.from && each.field === tie.field,
  );
  const value = (node: Node) => valueOf(ctx, { field, device, deviceId: tie.deviceId }, node);
  const growth = grown === null ? null : ofMicro(grown);
  return {
    kind,
    reason,
    from: from.ts,
    to: to.ts,
    device_id: tie.deviceId,
    device_name: device?.device_name ?? "",
    deviceID: device?.deviceID ?? "",
    field,
    start: await value(from),
    end: await value(to),
    register_growth: growth && Number(textOf(growth)),
    is_difference: grown === to.value - from.value,
    ratio: ratio && Number(textOf(ratio)),
    ...(ratio ? ratioTitle(known, { at: from.ts, ratio, field }) : { ratio_title: "", ratio_from: null }),
    ...shownAmount(part.amount),
    note: device?.note ?? "",
    flags: flagsOf(part),
  };
}

const shownAmount = (amount: Decimal): Pick<WhyPart, "amount" | "amount_exact"> => {
  const exact = textOf(amount);
  return { amount: Number(exact), amount_exact: exact };
};

const hour = 3600;

function flagsOf({ from, to, hasRolledOver, isEstimated, isDivided, reason }: Part): WhyPart["flags"] {
  const isFar = Math.max(from.acrossSec, to.acrossSec) > hour;
  return [
    ...(reason === "reset" ? (["reset"] as const) : []),
    ...(hasRolledOver ? (["rollover"] as const) : []),
    ...(isEstimated && !isDivided ? (["estimated"] as const) : []),
    ...(isDivided ? (["divided"] as const) : []),
    ...(isFar && !isDivided ? (["interpolated"] as const) : []),
  ];
}

/** Consumption that a person has added, as far as it lies in the period. */
export const shownAdded = (added: readonly AddedPart[], field: string): WhyPart[] =>
  added.map(({ from, to, amount, note }) => ({
    ...{ kind: "amount", reason: null, from, to, device_id: null, device_name: "", deviceID: "", field },
    ...{ start: null, end: null, register_growth: null, is_difference: false },
    ...{ ratio: null, ratio_title: "", ratio_from: null },
    ...shownAmount(amount),
    note,
    flags: ["estimated" as const],
  }));

interface Register {
  readonly field: FieldName;
  readonly deviceId: Part["tie"]["deviceId"];
  readonly device: PointDevice | undefined;
}

async function valueOf(ctx: Ctx, register: Register, node: Node): Promise<WhyValue> {
  if (node.origin.kind !== "interpolated") return { ...(await readingOf(ctx, register, node)), around: [] };
  const [last, next] = [ends(node, "last"), ends(node, "next")];
  return {
    ...unread(node),
    kind: "interpolated",
    status: null,
    around: [await readingOf(ctx, register, last), await readingOf(ctx, register, next)],
  };
}

/** The value before or after an interpolated one that is not interpolated itself. */
function ends(node: Node, side: "last" | "next"): Node {
  return node.origin.kind === "interpolated" ? ends(node.origin[side], side) : node;
}

async function readingOf(ctx: Ctx, { field, deviceId, device }: Register, node: Node): Promise<WhyReading> {
  const { ts, origin } = node;
  if (origin.kind === "interpolated") throw new Error("an interpolated value is no reading");
  if (origin.kind !== "reading")
    return {
      ...unread(node),
      kind: origin.kind,
      status: statusName(statuses.manual.id),
      act: origin.kind === "noted" ? "" : (device?.act ?? ""),
    };
  const { msgType } = origin;
  const of = { deviceId, names: [field], types: counterTypes, from: ts, to: ts };
  const all = (await counterOrigins(readersOf(ctx), of)).get(field) ?? [];
  const reading = all.find((each) => each.msgType === msgType);
  if (!reading) return { ...unread(node), kind: "reading", status: statusName(node.status) };
  const { receivedAt } = reading;
  const exchange = await exchangeAt(ctx.db, { deviceId, receivedAt });
  const earlier = await earlierReadings(readersOf(ctx), { deviceId, msgType, ts, field });
  return {
    ts,
    value: reading.value,
    msg_type: msgType,
    kind: "reading",
    status: statusName(reading.status),
    source: sourceName(reading.source),
    received_at: receivedAt,
    clock_off: reading.clockOff,
    revisions: earlier.length,
    exchange: exchange ? { id: exchange.id, device_id: deviceId, at: exchange.at } : null,
    act: "",
    rivals: all
      .filter(({ value }) => Math.abs(value - reading.value) > sameWithin)
      .map((other) => ({
        value: other.value,
        msg_type: other.msgType,
        status: statusName(other.status),
        source: sourceName(other.source),
        reason: countsFor(reading, other),
      })),
  };
}

/** Stored values have six decimals. */
const sameWithin = 1e-6;

const unread = ({ ts, value }: Node) => ({
  ...{ ts, value: numberOf(value), msg_type: null, source: null, received_at: null, clock_off: null },
  ...{ revisions: 0, exchange: null, act: "", rivals: [] },
});

/** What the ratio at an instant comes from, and since when it is valid. */
function ratioTitle(
  { ratios, terms }: Known,
  { at, ratio, field }: { readonly at: number; readonly ratio: Decimal; readonly field: FieldName },
): Pick<WhyPart, "ratio_title" | "ratio_from"> {
  if (!hasRatio(field)) return { ratio_title: textOf(ratio), ratio_from: null };
  const valid = terms.filter((term) => term.from_ts <= at && (term.to_ts ?? Infinity) > at);
  const titles = valid.flatMap(({ ref_ratio }) => (ref_ratio === null ? [] : [ref_ratio]));
  const step = ratios.findLast(({ from }) => from <= at);
  return {
    ratio_title: titles.length > 0 ? titles.join(" × ") : textOf(ratio),
    ratio_from: step && Number.isSafeInteger(step.from - 1) ? step.from : null,
  };
}

/** The difference of two exact amounts; null: one of them is unknown. */
export const differenceOf = (now: string | null, before: string | null): number | null =>
  now === null || before === null ? null : Number(textOf(minus(decimal(now), decimal(before))));
