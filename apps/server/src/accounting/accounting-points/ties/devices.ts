import * as store from "../records/index.ts";
import { pointBounds } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import { pointTypeOf, resourceOfGroup, type AccountingPointId, type FieldName } from "@metrum/vocabulary";
import { isExclusionViolation, recordEach, resolve, type Ctx } from "#core";
import {
  columnsOf,
  columnsOfPoints,
  insertEvents,
  lockPoints,
  momentOf,
  pointsChanged,
  readingsOf,
  refuseBilledSpans,
  refuseMoment,
  registerOf,
  subjectOf,
  type PointColumns,
  type PointDevice,
  type PointDeviceId,
  type RegisterValues,
  type TiedDevice,
} from "../records/index.ts";

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
  /** Why readings count that others contradict. */
  readonly confirmed?: string | undefined;
}

/**
 * Registers of devices measure points from a moment on, all or none; a point is named once at most. Problems: not_found,
 * point_resource, point_register_unknown, point_register_taken, point_device_taken, point_device_trashed, point_moment,
 * point_limit.
 */
export async function tieDevices(ctx: Ctx, given: readonly Tie[]): Promise<Tied[]> {
  if (given.length === 0) return [];
  const ids = await lockPoints(
    ctx,
    given.map(({ accounting_point_id }) => accounting_point_id),
  );
  const wanted = given.map((tie, at): WantedTie => {
    const from = momentOf(ctx, tie.from, "from");
    const to = tie.to === undefined ? null : momentOf(ctx, tie.to, "to");
    if (to !== null && to <= from) refuseMoment("to");
    return { ...tie, pointId: ids[at] ?? refuseGone(), from, to };
  });
  const points = await columnsOfPoints(ctx.db, ids);
  await refuseBilledSpans(
    ctx,
    wanted.map(({ pointId, from, to }) => ({
      from,
      to,
      zone: columnsOf(points, pointId).timezone,
      field: "from",
    })),
  );
  const ties = await tieAll(ctx, wanted);
  await insertEvents(
    ctx.db,
    ctx.scope,
    ties.map(({ id, pointId, from, device }) => ({
      pointId,
      ts: from,
      kind: "installed",
      deviceId: device.id,
      details: { point_device: id },
    })),
  );
  await recordEach(
    ctx,
    "point.tieDevice",
    ties.map(({ pointId, device, field, from, opening, confirmed }) => ({
      subject: subjectOf(pointId),
      after: { device_id: device.id, field, from, opening, ...(confirmed ? { confirmed } : {}) },
    })),
  );
  pointsChanged(ctx);
  return ties;
}

function refuseGone(): never {
  throw problem("not_found");
}

interface WantedTie extends Omit<Tie, "from" | "to" | "accounting_point_id">, Wanted {
  readonly pointId: AccountingPointId;
}

export interface Tied {
  readonly id: PointDeviceId;
  readonly pointId: AccountingPointId;
  readonly from: number;
  readonly to: number | null;
  readonly device: TiedDevice;
  readonly field: FieldName;
  readonly opening: RegisterValues;
  readonly closing: RegisterValues;
  readonly confirmed?: string | undefined;
}

/** Ties a device to a locked point, once it is proven to fit. */
export async function tieWithin(
  ctx: Ctx,
  pointId: AccountingPointId,
  given: Omit<Tie, "from" | "to"> & { readonly from: number; readonly to: number | null },
): Promise<Tied> {
  const [tied = refuseGone()] = await tieAll(ctx, [{ ...given, pointId }]);
  return tied;
}

async function tieAll(ctx: Ctx, wanted: readonly WantedTie[]): Promise<Tied[]> {
  const fit = await fittingAll(ctx, wanted);
  const ties = wanted.map(({ pointId, from, to, starting_value, act = "", note = "", ...given }, at) => {
    const { device, field } = fit[at] ?? refuseGone();
    const readings = (as: "opening" | "closing", value: number | null | undefined) =>
      readingsOf(device.model_id, { main: field, value, by: given[as], as });
    const opening = readings("opening", starting_value);
    const closing = readings("closing", null);
    const { confirmed } = given;
    return { pointId, deviceId: device.id, field, from, to, opening, closing, act, note, device, confirmed };
  });
  const stored = ties.map(({ device: _, confirmed: __, ...tie }) => tie);
  const ids = await store.insertTies(ctx.db, ctx.scope, stored).catch((error: unknown) => {
    // Another transaction has just tied the same register, or another tie of these.
    if (isExclusionViolation(error))
      throw problem("point_register_taken", {
        params: { point: "…" },
        attributes: { device_id: ["point_register_taken"] },
      });
    throw error;
  });
  return ties.map((tie, at) => ({ ...tie, id: ids[at] ?? refuseGone() }));
}

interface Wanted {
  readonly device_id: number;
  readonly field?: string | undefined;
  readonly from: number;
  readonly to: number | null;
}

interface Fitting {
  readonly device: TiedDevice;
  readonly field: FieldName;
}

/** The device and register that are to measure a locked point, proven to fit. */
export async function fitting(
  ctx: Ctx,
  pointId: AccountingPointId,
  wanted: Wanted,
  without?: PointDeviceId,
): Promise<Fitting> {
  const [found = refuseGone()] = await fittingAll(ctx, [{ ...wanted, pointId, without }]);
  return found;
}

/** The same for several points, in their order. */
async function fittingAll(
  ctx: Ctx,
  wanted: readonly (Wanted & {
    readonly pointId: AccountingPointId;
    readonly without?: PointDeviceId | undefined;
  })[],
): Promise<Fitting[]> {
  const { db, scope } = ctx;
  const deviceIds = await resolve(
    ctx,
    "device",
    wanted.map(({ device_id }) => device_id),
  );
  const devices = await store.lockTied(db, scope, deviceIds);
  const pointIds = wanted.map(({ pointId }) => pointId);
  const points = await columnsOfPoints(db, pointIds);
  const ties = await store.devicesOfPoints(db, pointIds);
  const standing = new Map<AccountingPointId, PointDevice[]>(pointIds.map((id) => [id, []]));
  for (const tie of ties) standing.get(tie.point_id)?.push(tie);
  const found = wanted.map(({ pointId, field, from, to, without }, at) => {
    const device = devices.get(deviceIds[at] ?? refuseGone()) ?? refuseGone();
    if (device.is_in_trash)
      throw problem("point_device_trashed", { attributes: { device_id: ["point_device_trashed"] } });
    refuseResource(ctx, columnsOf(points, pointId), device);
    const register = registerOf(device, field);
    refuseStanding(standing.get(pointId) ?? [], { from, to, without });
    return { device, field: register, deviceId: device.id, from, to, without };
  });
  const use = (await store.registerUses(db, found)).find((each) => each !== undefined);
  if (use)
    throw problem("point_register_taken", {
      params: { point: scope.onlyTiedDevices ? "…" : use.name },
      attributes: { device_id: ["point_register_taken"] },
    });
  return found;
}

/** Problems: point_limit, point_device_taken. */
function refuseStanding(
  all: readonly PointDevice[],
  { from, to, without }: Pick<Wanted, "from" | "to"> & { readonly without?: PointDeviceId | undefined },
): void {
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
}

/** Problem: point_resource. */
function refuseResource(
  { language }: Pick<Ctx, "language">,
  { resource_type_id }: Pick<PointColumns, "resource_type_id">,
  { device_group_id }: TiedDevice,
): void {
  const resource = resourceOfGroup(device_group_id);
  if ((resource.resourceTypeIds as readonly number[]).includes(resource_type_id)) return;
  throw problem("point_resource", {
    params: {
      device: resource.title[language],
      point: pointTypeOf(resource_type_id)?.title[language] ?? "",
    },
    attributes: { device_id: ["point_resource"] },
  });
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
