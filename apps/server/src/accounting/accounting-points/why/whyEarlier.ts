import type { PointWhy } from "@metrum/contract/accounting";
import { isFieldName, statuses, type DeviceId, type FieldName, type Text } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { counterTypes, earlierReadings, replacedReadings, sourceName } from "#metering/messages";
import { countedBefore, readersOf, type CountedBefore } from "../days/index.ts";
import { enteredBy, userNames } from "./historyStore.ts";
import type { WhyPart, WhyReading } from "./whyParts.ts";

const most = 100;

/** The instant up to which a reading counts as the last one. */
interface Edge {
  readonly deviceId: DeviceId;
  readonly field: FieldName;
  readonly boundary: number;
  readonly value: WhyReading;
}

/** A value that counted at an edge before. */
interface Earlier {
  /** Epoch milliseconds. */
  readonly replacedAt: number;
  readonly value: number | null;
  readonly reason: string | null;
  readonly userId: number | null;
}

/**
 * What counted before at the edges of the parts, newest first: earlier and refused versions of their readings, values
 * of other rows that were refused since, and those of another type or estimated that gave way to another row.
 */
export async function earlierValues(
  ctx: Ctx,
  parts: readonly WhyPart[],
  end: number,
): Promise<PointWhy["earlier"]> {
  const found = new Map<string, Earlier>();
  for (const edge of parts.flatMap((part) => edgesOf(part, parts, end)))
    for (const each of await earlierAt(ctx, edge))
      found.set([edge.deviceId, edge.field, edge.value.ts, each.replacedAt, each.value].join(), each);
  const all = [...found.values()].sort((a, b) => b.replacedAt - a.replacedAt).slice(0, most);
  const userIds = new Set(all.flatMap(({ userId }) => userId ?? []));
  const names = await userNames(ctx.db, [...userIds]);
  return all.map(({ replacedAt, value, reason, userId }) => ({
    at: Math.floor(replacedAt / 1000),
    value,
    reason: reason === null ? "" : (reasonWords[reason]?.[ctx.language] ?? reason),
    user: userId === null ? null : (names.get(userId) ?? null),
  }));
}

/** The last reading of a part counts until the next part or the end of the period, an interpolated one until then. */
function edgesOf(part: WhyPart, parts: readonly WhyPart[], end: number): Edge[] {
  const { device_id, field } = part;
  if (device_id === null || !isFieldName(field)) return [];
  const of = { deviceId: device_id as DeviceId, field };
  const next = parts.find((each) => each.from >= part.to && each !== part)?.from ?? Math.max(end, part.to);
  const edges = [part.start, part.end].flatMap((value, at): Edge[] => {
    if (value === null) return [];
    if (value.kind !== "interpolated")
      return [{ ...of, value, boundary: at === 0 ? value.ts : Math.max(value.ts, next) }];
    const [last, following] = value.around;
    return [
      ...(last ? [{ ...of, value: last, boundary: value.ts }] : []),
      ...(following ? [{ ...of, value: following, boundary: following.ts }] : []),
    ];
  });
  return edges.filter(({ value }) => value.msg_type !== null);
}

async function earlierAt(ctx: Ctx, edge: Edge): Promise<Earlier[]> {
  const { deviceId, field, boundary, value } = edge;
  const own = value.msg_type === null ? [] : await versionsOf(ctx, edge, value.msg_type);
  const span = { from: value.ts, to: boundary };
  const others = (await replacedReadings(readersOf(ctx), { deviceId, field, types: counterTypes, ...span }))
    .filter((row) => row.ts !== value.ts || (row.msgType !== value.msg_type && row.value !== value.value))
    .map((row) => ({ ...row, replacedAt: row.replaced_at, userId: row.replaced_by }));
  const known = new Set([...own, ...others].map((each) => each.value));
  const gaveWay = await gaveWayAt(ctx, edge);
  return [...own, ...others, ...gaveWay.filter((each) => !known.has(each.value))];
}

async function versionsOf(ctx: Ctx, { deviceId, field, value }: Edge, msgType: number): Promise<Earlier[]> {
  if (value.revisions === 0) return [];
  const rows = await earlierReadings(readersOf(ctx), { deviceId, msgType, ts: value.ts, field });
  return rows.map((row) => ({ ...row, replacedAt: row.replaced_at, userId: row.replaced_by }));
}

/** Rows that gave way to one another at an edge are followed so far. */
const mostSteps = 5;

/** Values of other rows that counted at an edge until a better row came. */
async function gaveWayAt(ctx: Ctx, { deviceId, field, boundary, value }: Edge): Promise<Earlier[]> {
  if (value.msg_type === null || value.received_at === null) return [];
  const found: Earlier[] = [];
  let now: CountedBefore = {
    ...{ ts: value.ts, value: value.value, receivedAt: value.received_at, source: value.source ?? "" },
  };
  for (let n = 0; n < mostSteps; n++) {
    const before = await countedBefore(ctx, { deviceId, field, boundary }, now);
    const isKnown = before && (before.ts === now.ts || before.status === statuses.estimated.id);
    if (!isKnown) break;
    const isManual = now.source === "manual";
    if (before.value !== now.value)
      found.push({
        replacedAt: now.receivedAt * 1000,
        value: before.value,
        reason: isManual ? "entered by hand" : "another reading",
        userId: isManual ? await enteredBy(ctx.db, { deviceId, at: now.receivedAt }) : null,
      });
    now = { ...before, source: sourceName(before.source) };
  }
  return found;
}

const words = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Reasons that readings are replaced for, as they are stored. */
const reasonWords: Readonly<Record<string, Text>> = {
  "different value": words("другое значение", "different value", "өөр утга"),
  "worth less": words("менее достоверно, не принято", "worth less, not accepted", "итгэл багатай, авсангүй"),
  "entered by hand": words("введено вручную", "entered by hand", "гараар оруулсан"),
  "entered by hand, not confirmed": words(
    "введено вручную, не подтверждено",
    "entered by hand, not confirmed",
    "гараар оруулсан, баталгаажаагүй",
  ),
  "imported, not confirmed": words(
    "из файла, не подтверждено",
    "imported, not confirmed",
    "файлаас, баталгаажаагүй",
  ),
  "another source counts": words(
    "другой источник того же момента засчитан",
    "another source of that time counts",
    "тэр үеийн өөр эх сурвалж тооцогдсон",
  ),
  "another reading": words("другое показание", "another reading", "өөр заалт"),
};
