import { pageSize, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import {
  quarantineBounds,
  quarantineReasons,
  quarantineStates,
  type quarantine,
  type QuarantinedReading,
  type QuarantineReason,
  type QuarantineState,
} from "@metrum/contract/metering";
import { record, resolve, resolveOne, type Ctx } from "#core";
import * as store from "./quarantineStore.ts";
import { noteDecision } from "./quarantineWriteStore.ts";
import { sourceName, type Incoming } from "../rows/index.ts";

type Decision = ParsedOf<typeof quarantine.release>["body"];
type Wanted = store.QuarantineFilter & { readonly ids?: readonly string[] | undefined };
type LockedRow = Awaited<ReturnType<typeof store.lockKeys>>[number];

const namesById = <Name extends string>(table: Readonly<Record<Name, number>>): ReadonlyMap<number, Name> =>
  new Map(Object.entries<number>(table).map(([name, id]) => [id, name as Name]));
const reasonById = namesById<QuarantineReason>(quarantineReasons);
const stateById = namesById<QuarantineState>(quarantineStates);

/** A page of readings in quarantine, the newest receipt first. Problem: not_found. */
export async function quarantineList(
  ctx: Ctx,
  body: ParsedOf<typeof quarantine.list>["body"],
): Promise<ReplyOf<typeof quarantine.list>> {
  const { device_id, state = "waiting", page = 1 } = body;
  if (device_id !== undefined) await resolveOne(ctx, "device", device_id);
  const perPage = pageSize(body.per_page ?? 50);
  const { rows, total } = await store.quarantinePage(ctx.db, ctx.scope, {
    ...body,
    state: quarantineStates[state],
    limit: perPage,
    offset: (page - 1) * perPage,
  });
  return {
    readings: {
      data: rows.map(shown),
      current_page: page,
      last_page: Math.max(1, Math.ceil(total / perPage)),
      per_page: perPage,
      total,
    },
  };
}

function shown(row: store.QuarantineRow): QuarantinedReading {
  return {
    id: [row.device_id, row.received_at, row.msg_type, row.ts, row.n].join("."),
    device_id: row.device_id,
    device_name: row.device_name,
    deviceID: row.deviceID,
    device_group_id: row.device_group_id,
    msgType: row.msg_type,
    reason: reasonById.get(row.reason) ?? "no_time",
    state: stateById.get(row.state) ?? "waiting",
    datetime: row.reason === quarantineReasons.no_time ? null : row.ts,
    received_at: row.received_at,
    source: sourceName(row.source),
    values: Object.fromEntries(
      Object.entries(row.reading.values).map(([name, value]) => [name, value ?? null]),
    ),
    decided_at: row.decided_at,
    decided_by: row.decided_by,
  };
}

/** Number of waiting readings, of a device or of all visible ones. Problem: not_found. */
export async function quarantineSummary(
  ctx: Ctx,
  deviceId: number | undefined,
): Promise<ReplyOf<typeof quarantine.summary>> {
  if (deviceId !== undefined) await resolveOne(ctx, "device", deviceId);
  const reasons = await store.waitingByReason(ctx.db, ctx.scope, { device_id: deviceId });
  return {
    waiting: sumOf(reasons),
    not_kept: await store.notKept(ctx.db, ctx.scope, deviceId),
    devices: new Set(reasons.flatMap(({ devices }) => devices)).size,
    reasons: reasons.map(({ reason, count }) => ({ reason: reasonById.get(reason) ?? "no_time", count })),
  };
}

const sumOf = (reasons: readonly { readonly count: number }[]): number =>
  reasons.reduce((sum, { count }) => sum + count, 0);

/**
 * Stores readings as if their time stamps were right, and records the user. Their status is determined as
 * usual, and they keep source and receipt. Readings without a storable time stay. A second release changes
 * nothing. Problem: not_found.
 */
export async function releaseReadings(ctx: Ctx, body: Decision): Promise<ReplyOf<typeof quarantine.release>> {
  const rows = await lockWanted(ctx, body);
  const ids = await resolve(
    ctx,
    "device",
    rows.map((row) => row.device_id),
  );
  const readings = rows.flatMap((row, at): Incoming[] => {
    const deviceId = ids[at];
    return deviceId === undefined ? [] : [releasedReading(row, deviceId, ctx.scope.userId)];
  });
  const outcomes = await ctx.parts.readingStore.ingestEach(readings);
  const released = rows.filter((_, at) => outcomes[at] !== "quarantined" && outcomes[at] !== "unknown");
  const stored = outcomes.filter((outcome) => outcome === "stored" || outcome === "replaced").length;
  await decide(ctx, body, { rows: released, state: "released" });
  return { released: released.length, stored, left: await leftOf(ctx, body) };
}

function releasedReading(row: LockedRow, deviceId: Incoming["deviceId"], userId: number): Incoming {
  return {
    ...row.reading,
    deviceId,
    msgType: row.msg_type,
    // An invalid time was stored as zero: it is checked again, and stays.
    ts: row.reason === quarantineReasons.no_time ? Number.NaN : row.ts,
    receivedAt: row.received_at,
    source: sourceName(row.source),
    isReleased: true,
    userId,
    reason: "released from quarantine",
  };
}

/** Discards readings; they stay as a record until they expire. Problem: not_found. */
export async function discardReadings(ctx: Ctx, body: Decision): Promise<ReplyOf<typeof quarantine.discard>> {
  const rows = await lockWanted(ctx, body);
  await decide(ctx, body, { rows, state: "discarded" });
  return { discarded: rows.length, left: await leftOf(ctx, body) };
}

/** The readings of a decision, locked: concurrent decisions are serialised. */
async function lockWanted(ctx: Ctx, body: Wanted): Promise<LockedRow[]> {
  if (body.device_id !== undefined) await resolveOne(ctx, "device", body.device_id);
  if (!body.ids) {
    const { decided } = quarantineBounds;
    return store.lockKeys(ctx.db, await store.matchingKeys(ctx.db, ctx.scope, body, decided));
  }
  const keys = body.ids.map(keyOf);
  await resolve(
    ctx,
    "device",
    keys.map(({ device_id }) => device_id),
  );
  return store.lockKeys(ctx.db, keys);
}

/** The contract has checked the format; numbers too large for the table match nothing. */
function keyOf(id: string): store.QuarantineKey {
  const [device_id = 0, received_at = 0, msg_type = 0, ts = 0, n = 0] = id.split(".").map(Number);
  const isName = device_id < 2 ** 31 && msg_type < 32_768 && n < 32_768 && Number.isSafeInteger(ts);
  return isName
    ? { device_id, received_at, msg_type, ts, n }
    : { device_id: Math.min(device_id, 2 ** 31 - 1), received_at: 0, msg_type: 0, ts: 0, n: 0 };
}

interface Decided {
  readonly rows: readonly LockedRow[];
  readonly state: "released" | "discarded";
}

async function decide(ctx: Ctx, body: Wanted, { rows, state }: Decided): Promise<void> {
  if (rows.length === 0) return;
  await noteDecision(ctx.db, rows, { state, userId: ctx.scope.userId, at: ctx.clock.now() });
  const devices = [...new Set(rows.map((row) => row.device_id))];
  const { ids: _, ...filter } = body;
  await record(ctx, {
    action: state === "released" ? "quarantine.release" : "quarantine.discard",
    subject: devices.length === 1 ? `device ${String(devices[0])}` : `${String(devices.length)} devices`,
    after: { readings: rows.length, ...filter, devices: devices.slice(0, 100) },
  });
}

async function leftOf(ctx: Ctx, { ids: _, ...filter }: Wanted): Promise<number> {
  return sumOf(await store.waitingByReason(ctx.db, ctx.scope, filter));
}
