import { baseStationModels, modelById } from "@metrum/catalogue";
import { pageSize, problem } from "@metrum/contract/core";
import {
  mostBaseStations,
  type BaseStation,
  type BaseStationChange,
  type BaseStationListInput,
  type NewBaseStation,
} from "@metrum/contract/metering";
import type { BaseStationId } from "@metrum/vocabulary";
import { isUniqueViolation, record, recordEach, resolve, resolveOne, type Ctx } from "#core";
import { leaveBaseStation } from "#metering/devices";
import { carrierCounts, leaveStation } from "#metering/gateways";
import * as list from "./listStore.ts";
import type { BaseStationRow } from "./listStore.ts";
import * as store from "./store.ts";

/** Maximum rows of one answer, also without paging. */
const largestPage = 10_000;

/** A page of the list, with the number of base stations in use, in the archive and in the trash. */
export async function stationList(ctx: Ctx, input: BaseStationListInput) {
  const { db, scope } = ctx;
  const { page: requestedPage = 1, per_page, paginate, sort_field = "name", sort = "asc", ...filter } = input;
  const limit = paginate === false ? largestPage : pageSize(per_page ?? 10, largestPage);
  const current = paginate === false ? 1 : requestedPage;
  const offset = (current - 1) * limit;
  const { total, rows } = await list.stationPage(ctx, scope, { filter, sort_field, sort, limit, offset });
  const counts = await carrierCounts(db, scope, "base_station");
  const base_stations = {
    data: rows.map(shown),
    current_page: current,
    last_page: Math.max(1, Math.ceil(total / limit)),
    per_page: limit,
    total,
  };
  return { base_stations, counts };
}

/** One base station, also from the trash. Throws not_found. */
export async function openStation(ctx: Ctx, given: number): Promise<BaseStation> {
  return shown(await rowOf(ctx, await resolveOne(ctx, "baseStation", given)));
}

/** Problems: tied_devices_only, base_station_limit, unknown_model, identifier_taken. */
export async function createStation(ctx: Ctx, given: NewBaseStation): Promise<BaseStation> {
  const { db, scope } = ctx;
  if (scope.onlyTiedDevices) throw problem("tied_devices_only");
  if ((await store.stationsOfCompany(db, scope)) >= mostBaseStations)
    throw problem("base_station_limit", { params: { max: mostBaseStations } });
  refuseUnknownModel(given);
  const id = await unlessTaken(given.device_id, () =>
    store.insertBaseStation(db, { ...given, model_id: given.model_id ?? null, company_id: scope.companyId }),
  );
  await record(ctx, { action: "baseStation.create", subject: subjectOf(id), after: given });
  return openStation(ctx, id);
}

/**
 * Problems: not_found, base_station_in_trash, base_station_archived, tied_devices_only, unknown_model,
 * identifier_taken.
 */
export async function editStation(
  ctx: Ctx,
  { id: given, ...change }: BaseStationChange,
): Promise<BaseStation> {
  const id = await ownStation(ctx, given);
  const before = shown(await rowOf(ctx, id));
  if (before.is_deleted) throw problem("base_station_in_trash");
  if (before.is_archived) throw problem("base_station_archived");
  refuseUnknownModel(change);
  await unlessTaken(change.device_id, () => store.changeBaseStation(ctx.db, id, change));
  await record(ctx, {
    action: "baseStation.update",
    subject: subjectOf(id),
    before: Object.fromEntries(Object.entries(before).filter(([name]) => Object.hasOwn(change, name))),
    after: change,
  });
  devicesHaveChanged(ctx);
  return openStation(ctx, id);
}

/** Moves a base station to the trash or back; without effect where it is already. */
export async function putStationInTrash(ctx: Ctx, given: number, isDeleted: boolean): Promise<void> {
  const id = await ownStation(ctx, given);
  const row = await rowOf(ctx, id);
  if (row.is_deleted === isDeleted) return;
  const deleted_at = isDeleted ? new Date(ctx.clock.nowMs()) : null;
  await unlessTaken(row.device_id, () => store.changeBaseStation(ctx.db, id, { deleted_at }));
  await record(ctx, {
    action: isDeleted ? "baseStation.trash" : "baseStation.restore",
    subject: subjectOf(id),
    after: { name: row.name, device_id: row.device_id },
  });
  devicesHaveChanged(ctx);
}

/** Removes a base station in the trash for good; its devices and gateways stay without one. */
export async function removeStation(ctx: Ctx, given: number): Promise<void> {
  const id = await ownStation(ctx, given);
  const row = await rowOf(ctx, id);
  if (!row.is_deleted) throw problem("base_station_not_in_trash");
  const devices = await leaveBaseStation(ctx.db, id);
  await leaveStation(ctx.db, id);
  await store.deleteBaseStation(ctx.db, id);
  await record(ctx, {
    action: "baseStation.remove",
    subject: subjectOf(id),
    before: { name: row.name, device_id: row.device_id, device_ids: devices },
  });
  devicesHaveChanged(ctx);
}

/** Removes base stations for good that nothing uses and that need not stay in the trash. */
export async function discardStations(ctx: Ctx, given: readonly number[]): Promise<void> {
  const removed = await store.deleteBaseStations(ctx.db, await resolve(ctx, "baseStation", given));
  await recordEach(
    ctx,
    "baseStation.remove",
    removed.map(({ id, name, device_id }) => ({ subject: subjectOf(id), before: { name, device_id } })),
  );
}

/** Of base stations whose columns have been put back as they were. */
export async function returnStations(ctx: Ctx, given: readonly number[]): Promise<void> {
  const ids = await resolve(ctx, "baseStation", given);
  await recordEach(
    ctx,
    "baseStation.update",
    ids.map((id) => ({ subject: subjectOf(id), after: { undone: true } })),
  );
}

/**
 * A base station that the user may change, locked: a user tied to devices only if they see all of its
 * devices.
 * Throws not_found, tied_devices_only.
 */
async function ownStation(ctx: Ctx, given: number): Promise<BaseStationId> {
  const id = await resolveOne(ctx, "baseStation", given);
  await store.lockBaseStation(ctx.db, id);
  if ((await list.withDevicesOfOthers(ctx.db, ctx.scope, [id])).has(id)) throw problem("tied_devices_only");
  return id;
}

async function rowOf({ db, scope }: Ctx, id: BaseStationId): Promise<BaseStationRow> {
  const row = await list.stationRow(db, scope, id);
  if (!row) throw problem("not_found");
  return row;
}

function refuseUnknownModel({ model_id }: Pick<BaseStationChange, "model_id">): void {
  if (model_id === undefined || model_id === null) return;
  if (!baseStationModels.some(({ id }) => id === model_id))
    throw problem("unknown_model", { attributes: { model_id: ["unknown"] } });
}

/** A number is unique among the base stations of a company. */
async function unlessTaken<Result>(
  number: string | undefined,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw problem("identifier_taken", {
      params: { name: number ?? "" },
      attributes: { device_id: ["identifier_taken"] },
    });
  }
}

function devicesHaveChanged({ afterCommit, bus, scope: { companyId } }: Ctx): void {
  afterCommit(() => bus.publish("devicesChanged", { companyId }));
}

export const subjectOf = (id: BaseStationId): string => `base_station ${String(id)}`;

function shown(row: BaseStationRow): BaseStation {
  const { model_id } = row;
  const model_title = model_id === null ? null : (modelById(model_id)?.title ?? String(model_id));
  return { ...row, model_title };
}
