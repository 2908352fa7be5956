import { pointBounds, problem } from "@metrum/contract";
import { pointTypeOf, resourceOfGroup, type AccountingPointId, type FieldName } from "@metrum/vocabulary";
import { isExclusionViolation, record, resolveOne, type Ctx } from "#core";
import { refuseBilled } from "./billed.ts";
import { pointsChanged } from "./changed.ts";
import * as store from "./deviceStore.ts";
import type { PointDevice, PointDeviceId, TiedDevice } from "./deviceStore.ts";
import { insertEvent } from "./eventStore.ts";
import { lockPoint, subjectOf } from "./lock.ts";
import { momentOf, refuseMoment } from "./moments.ts";
import { readingsOf, registerOf } from "./registers.ts";
import { pointColumns } from "./store.ts";
import type { RegisterValues } from "./tables.ts";

export interface Tie {
  readonly accounting_point_id: number;
  readonly device_id: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly field?: string | undefined;
  readonly starting_value?: number | null | undefined;
  readonly opening?: Readonly<Record<string, number>> | undefined;
  readonly closing?: Readonly<Record<string, number>> | undefined;
  readonly act?: string | undefined;
  readonly note?: string | undefined;
}

/**
 * A register of a device measures a point from a moment on. Problems: not_found, point_resource,
 * point_register_unknown, point_register_taken, point_device_taken, point_device_trashed, point_moment,
 * point_limit.
 */
export async function tieDevice(ctx: Ctx, given: Tie): Promise<PointDeviceId> {
  const pointId = await lockPoint(ctx, given.accounting_point_id);
  const from = momentOf(ctx, given.from, "from");
  const to = given.to === undefined ? null : momentOf(ctx, given.to, "to");
  if (to !== null && to <= from) refuseMoment("to");
  await refuseBilled(ctx, pointId, { from, to });
  const tie = await tieWithin(ctx, pointId, { ...given, from, to });
  await insertEvent(ctx.db, ctx.scope, {
    pointId,
    ts: from,
    kind: "installed",
    deviceId: tie.device.id,
    details: { point_device: tie.id },
  });
  await record(ctx, {
    action: "point.tieDevice",
    subject: subjectOf(pointId),
    after: { device_id: tie.device.id, field: tie.field, from, opening: tie.opening },
  });
  pointsChanged(ctx);
  return tie.id;
}

interface Tied {
  readonly id: PointDeviceId;
  readonly device: TiedDevice;
  readonly field: FieldName;
  readonly opening: RegisterValues;
}

/** Ties a device to a locked point, once it is proven to fit. */
export async function tieWithin(
  ctx: Ctx,
  pointId: AccountingPointId,
  { from, to, ...given }: Omit<Tie, "from" | "to"> & { readonly from: number; readonly to: number | null },
): Promise<Tied> {
  const { device, field } = await fitting(ctx, pointId, { ...given, from, to });
  const opening = readingsOf(device.model_id, {
    main: field,
    value: given.starting_value,
    by: given.opening,
    as: "opening",
  });
  const closing = readingsOf(device.model_id, {
    main: field,
    value: null,
    by: given.closing,
    as: "closing",
  });
  const { act = "", note = "" } = given;
  const tie = { pointId, deviceId: device.id, field, from, to, opening, closing, act, note };
  const id = await store.insertTie(ctx.db, ctx.scope, tie).catch((error: unknown) => {
    // Another transaction has just tied the same register.
    if (isExclusionViolation(error))
      throw problem("point_register_taken", {
        params: { point: "…" },
        attributes: { device_id: ["point_register_taken"] },
      });
    throw error;
  });
  return { id, device, field, opening };
}

interface Wanted {
  readonly device_id: number;
  readonly field?: string | undefined;
  readonly from: number;
  readonly to: number | null;
}

/** The device and register that are to measure a locked point, proven to fit. */
export async function fitting(
  ctx: Ctx,
  pointId: AccountingPointId,
  { device_id, field: given, from, to }: Wanted,
  without?: PointDeviceId,
): Promise<{ readonly device: TiedDevice; readonly field: FieldName }> {
  const { db, scope } = ctx;
  const device = await store.lockTied(db, scope, await resolveOne(ctx, "device", device_id));
  if (!device) throw problem("not_found");
  if (device.is_in_trash)
    throw problem("point_device_trashed", { attributes: { device_id: ["point_device_trashed"] } });
  await refuseResource(ctx, pointId, device);
  const field = registerOf(device, given);
  const all = await store.devicesOf(db, pointId);
  if (all.length >= pointBounds.intervals)
    throw problem("point_limit", { params: { max: pointBounds.intervals } });
  const standing = all.find(
    (each) => each.id !== without && each.from_ts < (to ?? Infinity) && (each.to_ts ?? Infinity) > from,
  );
  if (standing)
    throw problem("point_device_taken", {
      params: { device: standing.device_name },
      attributes: { accounting_point_id: ["point_device_taken"] },
    });
  const use = await store.registerUse(db, { deviceId: device.id, field, from, to });
  if (use)
    throw problem("point_register_taken", {
      params: { point: scope.onlyTiedDevices ? "…" : use.name },
      attributes: { device_id: ["point_register_taken"] },
    });
  return { device, field };
}

/** Problem: point_resource. */
async function refuseResource(
  ctx: Ctx,
  pointId: AccountingPointId,
  { device_group_id }: TiedDevice,
): Promise<void> {
  const { resource_type_id } = await pointColumns(ctx.db, pointId);
  const resource = resourceOfGroup(device_group_id);
  if ((resource.resourceTypeIds as readonly number[]).includes(resource_type_id)) return;
  throw problem("point_resource", {
    params: {
      device: resource.title[ctx.language],
      point: pointTypeOf(resource_type_id)?.title[ctx.language] ?? "",
    },
    attributes: { device_id: ["point_resource"] },
  });
}

export interface Untie {
  readonly accounting_point_id: number;
  readonly device_id: number;
  readonly to?: number | undefined;
  readonly last_value?: number | null | undefined;
  readonly closing?: Readonly<Record<string, number>> | undefined;
  readonly note?: string | undefined;
}

/**
 * The device measures the point no longer. Problems: not_found, point_device_absent, point_moment,
 * point_register_unknown.
 */
export async function untieDevice(ctx: Ctx, given: Untie): Promise<void> {
  const pointId = await lockPoint(ctx, given.accounting_point_id);
  const deviceId = await resolveOne(ctx, "device", given.device_id);
  const to = momentOf(ctx, given.to, "to");
  const all = await store.devicesOf(ctx.db, pointId);
  const tie = openTie(all, to);
  if (tie?.device_id !== deviceId)
    throw problem("point_device_absent", { attributes: { device_id: ["point_device_absent"] } });
  if (to <= tie.from_ts) refuseMoment("to");
  await refuseBilled(ctx, pointId, { from: to, to: tie.to_ts });
  const closing = await endTie(ctx, tie, { to, value: given.last_value, by: given.closing });
  await insertEvent(ctx.db, ctx.scope, {
    pointId,
    ts: to,
    kind: "removed",
    deviceId,
    details: { point_device: tie.id, ...(given.note ? { note: given.note } : {}) },
  });
  await record(ctx, {
    action: "point.untieDevice",
    subject: subjectOf(pointId),
    before: { device_id: deviceId, from: tie.from_ts },
    after: { to, closing, ...(given.note ? { note: given.note } : {}) },
  });
  pointsChanged(ctx);
}

/** The interval that has no end yet, or one after this moment. */
export const openTie = (all: readonly PointDevice[], at: number): PointDevice | undefined =>
  all.findLast(({ to_ts }) => to_ts === null || to_ts > at);

export async function endTie(
  ctx: Ctx,
  tie: PointDevice,
  end: {
    readonly to: number;
    readonly value: number | null | undefined;
    readonly by: Readonly<Record<string, number>> | undefined;
  },
): Promise<RegisterValues> {
  const closing = readingsOf(tie.model_id, { main: tie.field, value: end.value, by: end.by, as: "closing" });
  await store.closeTie(ctx.db, tie.id, { to: end.to, closing, userId: ctx.scope.userId });
  return closing;
}
