import * as store from "../records/index.ts";
import { pointBounds } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import type { AccountingPointId, ObjectId } from "@metrum/vocabulary";
import { isZone, lockTree, record, recordEach, resolve, resolveOne, type Ctx } from "#core";
import {
  hasMeasured,
  lockPoint,
  momentOf,
  pointsChanged,
  refuseBilledPoints,
  subjectOf,
  type PointColumns,
} from "../records/index.ts";
import { tieDevices } from "./devices.ts";
import {
  changeTerm,
  putFirstTerms,
  termsFrom,
  termsOfForms,
  valueOf,
  type TermFields,
} from "../terms/index.ts";

interface PointFields extends TermFields {
  readonly title?: string | undefined;
  readonly name?: string | undefined;
  readonly city?: string | undefined;
  readonly street?: string | undefined;
  readonly house?: string | undefined;
  readonly innerObject?: string | undefined;
  readonly parent_id?: number | null | undefined;
  readonly resource_type_id?: number | undefined;
  /** Null: that of the company. */
  readonly timezone?: string | null | undefined;
  readonly has_own_zone?: boolean | undefined;
  readonly comment?: string | undefined;
  readonly valid_from?: number | undefined;
}

/** Fields of a new point. */
export interface NewPointFields extends PointFields {
  readonly resource_type_id: number;
  readonly device_id?: number | null | undefined;
}

/**
 * Makes a point with its terms and, if one is named, its device. Problems: not_found, wrong_input,
 * tied_devices_only, point_limit, and those of `tieDevices`.
 */
export async function createPoint(ctx: Ctx, body: NewPointFields): Promise<AccountingPointId> {
  const [id] = await createPoints(ctx, [body]);
  if (id === undefined) throw new Error("a point was added without an id");
  return id;
}

/** Makes points, all or none; ids in the order given. Problems: as `createPoint`. */
export async function createPoints(
  ctx: Ctx,
  bodies: readonly NewPointFields[],
): Promise<AccountingPointId[]> {
  const { db, scope } = ctx;
  await lockTree(db, scope);
  const objects = await nodesFrom(
    ctx,
    bodies.map(({ parent_id }) => parent_id ?? null),
  );
  if ((await store.countPoints(db, scope)) + bodies.length > pointBounds.points)
    throw problem("point_limit", { params: { max: pointBounds.points } });
  const planned = bodies.map((body, at) => ({
    columns: newColumns(ctx, body, objects[at] ?? null),
    from: momentOf(ctx, body.valid_from, "valid_from"),
    device_id: body.device_id,
  }));
  const terms = await termsOfForms(ctx, bodies);
  const ids = await store.insertPoints(
    db,
    scope,
    planned.map(({ columns }) => columns),
  );
  const made = planned.flatMap((plan, at) => {
    const id = ids[at];
    return id === undefined ? [] : [{ ...plan, id, terms: terms[at] ?? [] }];
  });
  await putFirstTerms(
    ctx,
    made.flatMap(({ id, from, columns, terms: own }) =>
      own.map((term) => ({ ...term, pointId: id, from, zone: columns.timezone })),
    ),
  );
  await recordEach(
    ctx,
    "point.create",
    made.map(({ id, columns, terms: own }) => ({
      subject: subjectOf(id),
      after: {
        ...columns,
        ...Object.fromEntries(own.map(({ kind, value }) => [kind, value && valueOf(value)])),
      },
    })),
  );
  await tieDevices(
    ctx,
    made.flatMap(({ id, from, device_id }) =>
      device_id == null ? [] : [{ accounting_point_id: id, device_id, from }],
    ),
  );
  pointsChanged(ctx);
  return ids;
}

/** Problem: wrong_input. */
function newColumns(ctx: Ctx, body: NewPointFields, object_id: ObjectId | null): PointColumns {
  const columns: PointColumns = {
    city: "",
    street: "",
    house: "",
    inner_object: "",
    comment: "",
    name: "",
    ...columnsFrom(body),
    ...zoneFrom(ctx, body, undefined),
    resource_type_id: body.resource_type_id,
    object_id,
  };
  refuseWrong(columns);
  return columns;
}

/**
 * Changes a point; terms hold from `valid_from` on. Problems: not_found, wrong_input, tied_devices_only,
 * point_resource_fixed, point_moment, point_limit.
 */
export async function updatePoint(
  ctx: Ctx,
  { id: given, note, ...body }: PointFields & { readonly id: number; readonly note?: string | undefined },
): Promise<AccountingPointId> {
  const { db, scope } = ctx;
  if (body.parent_id !== undefined) await lockTree(db, scope);
  const id = await lockPoint(ctx, given);
  const before = await store.pointColumns(db, id);
  const object =
    body.parent_id === undefined || body.parent_id === before.object_id
      ? {}
      : { object_id: await placeFor(ctx, id, body.parent_id) };
  const wanted = { ...before, ...columnsFrom(body), ...zoneFrom(ctx, body, before), ...object };
  refuseWrong(wanted);
  const changed = differing(before, wanted);
  if (changed.resource_type_id !== undefined && (await hasMeasured(db, id)))
    throw problem("point_resource_fixed", { attributes: { resource_type_id: ["point_resource_fixed"] } });
  const from = momentOf(ctx, body.valid_from, "valid_from");
  const names = Object.keys(changed);
  if (names.length > 0) {
    if (changed.timezone !== undefined) await refuseBilledPoints(ctx, [id]);
    await store.changePoint(db, id, changed);
    await record(ctx, {
      action: "point.update",
      subject: subjectOf(id),
      before: Object.fromEntries(names.map((name) => [name, Reflect.get(before, name) as unknown])),
      after: changed,
    });
    pointsChanged(ctx);
  }
  for (const term of await termsFrom(ctx, body))
    await changeTerm(ctx, id, { ...term, from, note, field: "valid_from" });
  return id;
}

function differing(before: PointColumns, wanted: PointColumns): Partial<PointColumns> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => value !== Reflect.get(before, name)),
  );
}

/** Columns by the names of a form, those that it sends. */
function columnsFrom({ title, name = title, innerObject, ...given }: PointFields): Partial<PointColumns> {
  const { city, street, house, comment, resource_type_id } = given;
  const columns = {
    name,
    city,
    street,
    house,
    inner_object: innerObject,
    comment,
    resource_type_id,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

type PointZone = Pick<PointColumns, "timezone" | "has_own_zone">;

/**
 * The zone of a point: its own if one is given that it does not have already, else that of the company, with which it
 * changes. A record that is sent back unchanged changes nothing.
 */
function zoneFrom(
  ctx: Ctx,
  { timezone, has_own_zone }: PointFields,
  before: PointZone | undefined,
): PointZone {
  const ofCompany = { timezone: ctx.session.companyTimeZone, has_own_zone: false };
  if ((has_own_zone === false || timezone === null) && before?.has_own_zone !== false) return ofCompany;
  const stands = before ? { timezone: before.timezone, has_own_zone: before.has_own_zone } : ofCompany;
  if (has_own_zone === false || timezone === null) return stands;
  const isOwn = has_own_zone === true || (timezone !== undefined && timezone !== stands.timezone);
  return isOwn ? { timezone: timezone ?? stands.timezone, has_own_zone: true } : stands;
}

/** Problem: wrong_input. */
function refuseWrong({ name, timezone }: PointColumns): void {
  if (name === "") throw problem("wrong_input", { attributes: { name: ["required"] } });
  if (!isZone(timezone)) throw problem("wrong_input", { attributes: { timezone: ["zone"] } });
}

/** A user tied to nodes places points only below them. Problems: not_found, tied_devices_only. */
async function nodesFrom(ctx: Ctx, given: readonly (number | null)[]): Promise<(ObjectId | null)[]> {
  if (given.includes(null) && ctx.scope.onlyTiedDevices) throw problem("tied_devices_only");
  const nodes = given.filter((id) => id !== null);
  const resolved = new Map((await resolve(ctx, "object", nodes)).map((id, at) => [nodes[at], id]));
  return given.map((id) => (id === null ? null : (resolved.get(id) ?? null)));
}

/**
 * A tied user sees the points that their devices measure, and leaves them where they are and what they are. Problem:
 * tied_devices_only.
 */
async function refuseOutside({ db, scope }: Ctx, ids: readonly AccountingPointId[]): Promise<void> {
  if (scope.onlyTiedDevices && (await store.standOutside(db, scope, ids))) throw problem("tied_devices_only");
}

/** The node at which a locked point is to be placed. Problems: not_found, tied_devices_only. */
async function placeFor(ctx: Ctx, id: AccountingPointId, object: number | null): Promise<ObjectId | null> {
  const [node = null] = await nodesFrom(ctx, [object]);
  await refuseOutside(ctx, [id]);
  return node;
}

/** Places a point at a node, or at none. Problems: not_found, tied_devices_only, point_object_absent. */
export async function placePoint(
  ctx: Ctx,
  {
    point,
    object,
    leaving,
  }: { readonly point: number; readonly object: number | null; readonly leaving?: number | undefined },
): Promise<void> {
  const { db, scope } = ctx;
  await lockTree(db, scope);
  const id = await lockPoint(ctx, point);
  const left = leaving === undefined ? undefined : await resolveOne(ctx, "object", leaving);
  const before = await store.pointColumns(db, id);
  if (left !== undefined && before.object_id !== left) throw problem("point_object_absent");
  const object_id = await placeFor(ctx, id, object);
  if (object_id === before.object_id) return;
  await store.changePoint(db, id, { object_id });
  await record(ctx, {
    action: "point.place",
    subject: subjectOf(id),
    before: { object_id: before.object_id },
    after: { object_id },
  });
  pointsChanged(ctx);
}

/**
 * Deletes points with their history. Returns how many. Problems: not_found, for one foreign id of all,
 * tied_devices_only.
 */
export async function deletePoints(ctx: Ctx, given: readonly number[]): Promise<number> {
  await lockTree(ctx.db, ctx.scope);
  const ids = [...new Set(await resolve(ctx, "accountingPoint", given))];
  await refuseOutside(ctx, ids);
  return removePoints(ctx, ids);
}

/**
 * Deletes points that came from a query of this transaction; the tree is locked. Problems: period_closed,
 * point_in_balance.
 */
export async function removePoints(ctx: Ctx, ids: readonly AccountingPointId[]): Promise<number> {
  if (ids.length === 0) return 0;
  await refuseBilledPoints(ctx, ids);
  await refuseBalanced(ctx, ids);
  const gone = await store.deletePoints(ctx.db, ctx.scope, ids);
  await recordEach(
    ctx,
    "point.delete",
    gone.map(({ id, name }) => ({ subject: subjectOf(id), before: { name } })),
  );
  pointsChanged(ctx);
  return gone.length;
}

const mostNamed = 5;

/**
 * A balance would silently lose a point of its formula. Groups that the session does not see are counted only.
 * Problem: point_in_balance.
 */
async function refuseBalanced({ db, scope }: Ctx, ids: readonly AccountingPointId[]): Promise<void> {
  const { count, names } = await store.groupsWithPoints(db, scope, { ids, most: mostNamed });
  if (count === 0) return;
  const groups = [...names, ...(count > names.length ? ["…"] : [])].join(", ");
  throw problem("point_in_balance", { params: { count, groups } });
}

/**
 * The points of a branch of the tree that is about to be removed: they stay at no node, or are deleted with it; the
 * tree is locked. Problems: period_closed, point_in_balance.
 */
export async function leaveBranch(ctx: Ctx, object: ObjectId, isDeleting: boolean): Promise<void> {
  if (isDeleting) await removePoints(ctx, await store.pointsOfBranch(ctx.db, ctx.scope, object));
  else await store.emptyBranchOfPoints(ctx.db, ctx.scope, object);
}
