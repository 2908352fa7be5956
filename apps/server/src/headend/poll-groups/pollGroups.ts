import { modelById, type MeterModel } from "@metrum/catalogue";
import { pageSize, problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import { pollGroupLimits, type PollGroup, type pollGroups } from "@metrum/contract/headend";
import { interfaces, type DeviceId } from "@metrum/vocabulary";
import { isUniqueViolation, record, resolve, resolveOne, type Ctx } from "#core";
import { neverPolled, planAnew, renewSilence } from "#metering/device-state";
import { putPeriods } from "#metering/devices";
import * as store from "./store.ts";

const usualPage = 10;
const largestPage = 100;
/** Periods after which a device is reported silent, unless the group sets a limit. */
const silentPeriods = 3;

type Created = ParsedOf<typeof pollGroups.create>["body"];
type Changed = ParsedOf<typeof pollGroups.update>["body"];

export async function groupList(
  { db, scope }: Ctx,
  body: ParsedOf<typeof pollGroups.list>["body"],
): Promise<ReplyOf<typeof pollGroups.list>> {
  const limit = pageSize(body.per_page ?? usualPage, largestPage);
  const page = body.page ?? 1;
  const { rows, total } = await store.groupPage(db, scope, {
    text: body.search_string ?? "",
    isActive: body.is_active,
    modelIds: body.model_id,
    limit,
    offset: (page - 1) * limit,
    never: neverPolled,
  });
  return {
    data: rows.map(withRate),
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / limit)),
    per_page: limit,
    total,
    counts: await store.groupCounts(db, scope),
  };
}

/** A group with all its devices. Problem: not_found. */
export async function openGroup(ctx: Ctx, id: number): Promise<PollGroup> {
  return withRate(await rowOf(ctx, id));
}

async function rowOf({ db, scope }: Ctx, id: number): Promise<store.ShownGroup> {
  const row = await store.groupById(db, scope, id, { most: pollGroupLimits.devices, never: neverPolled });
  if (!row) throw problem("not_found");
  return row;
}

function withRate({ polled_count, ...row }: store.ShownGroup): PollGroup {
  return {
    ...row,
    model_title: modelById(row.model_id)?.title ?? "",
    success_rate: polled_count === 0 ? null : row.answered_count / polled_count,
  };
}

/** Problems: poll_group_limit, not_found, wrong_input with the fields. */
export async function createGroup(ctx: Ctx, body: Created): Promise<PollGroup> {
  const { db, scope, clock } = ctx;
  if ((await store.countGroups(db, scope)) >= pollGroupLimits.groups)
    throw problem("poll_group_limit", { params: { max: pollGroupLimits.groups } });
  const model = polledModel(body.model_id, body.device_interface_id);
  refuseUnknownArchives(model, body);
  const ids = await fittingDevices(ctx, body, body.device_ids ?? []);
  const row = {
    name: body.name,
    model_id: body.model_id,
    connection_type: "polled",
    device_interface_id: body.device_interface_id,
    poll_params: body.poll_params ?? {},
    autoload_params: body.autoload_params ?? {},
    selected_data: body.selected_data ?? {},
    is_active: body.is_active ?? true,
    poll_one: body.poll_one ?? false,
    report_period_update: body.report_period_update,
    warning_report_period: body.warning_report_period ?? body.report_period_update * silentPeriods,
    created_at: clock.now(),
  };
  const id = await store.insertGroup(db, scope, row).catch(nameTaken);
  await store.join(db, scope, id, ids);
  await applySchedule(ctx, row, ids);
  await record(ctx, {
    action: "pollGroup.create",
    subject: `poll group ${String(id)}`,
    after: { ...row, devices: ids.length },
  });
  return openGroup(ctx, id);
}

/** Problems: not_found, wrong_input with the fields. */
export async function changeGroup(ctx: Ctx, { id, device_ids, ...body }: Changed): Promise<PollGroup> {
  const { db, scope } = ctx;
  const before = await rowOf(ctx, await resolveOne(ctx, "pollGroup", id));
  refuseUnknownArchives(polledModel(before.model_id, before.device_interface_id), body);
  const present = await store.membersOf(db, scope, id);
  const wanted = device_ids ? await fittingDevices(ctx, before, device_ids) : present;
  const row = { ...before, ...given(body) };
  await store.updateGroup(db, scope, id, row).catch(nameTaken);
  const kept = new Set(wanted);
  const left = present.filter((device) => !kept.has(device));
  await store.leave(db, scope, id, left);
  await store.join(db, scope, id, wanted);
  await planAnew(db, left);
  await applySchedule(ctx, row, wanted);
  await record(ctx, {
    action: "pollGroup.update",
    subject: `poll group ${String(id)}`,
    before: { ...pick(before, body), devices: present.length },
    after: { ...given(body), devices: wanted.length },
  });
  return openGroup(ctx, id);
}

/** Problem: not_found. */
export async function switchGroup(ctx: Ctx, id: number, is_active: boolean): Promise<void> {
  const { db, scope } = ctx;
  const before = await rowOf(ctx, await resolveOne(ctx, "pollGroup", id));
  await store.updateGroup(db, scope, id, { ...before, is_active });
  await planAnew(db, await store.membersOf(db, scope, id));
  await record(ctx, {
    action: "pollGroup.switch",
    subject: `poll group ${String(id)}`,
    before: { is_active: before.is_active },
    after: { is_active },
  });
}

/** Moves devices to a group. Problems: not_found, device_in_trash, wrong_input for devices of another model. */
export async function moveToGroup(ctx: Ctx, groupId: number, deviceIds: readonly number[]): Promise<number> {
  const { db, scope } = ctx;
  const group = await rowOf(ctx, await resolveOne(ctx, "pollGroup", groupId));
  const ids = await fittingDevices(ctx, group, deviceIds);
  if (await store.isAnyInTrash(db, scope, ids)) throw problem("device_in_trash");
  await store.join(db, scope, groupId, ids);
  const all = await store.membersOf(db, scope, groupId);
  if (all.length > pollGroupLimits.devices)
    throw problem("wrong_input", { attributes: { device_ids: ["size"] } });
  await applySchedule(ctx, group, ids);
  await record(ctx, {
    action: "pollGroup.replace",
    subject: `poll group ${String(groupId)}`,
    after: { device_ids: ids.slice(0, 100), devices: ids.length },
  });
  return ids.length;
}

/** The devices keep their periods. Problem: not_found. */
export async function removeGroup(ctx: Ctx, id: number): Promise<void> {
  const { db, scope } = ctx;
  const before = await rowOf(ctx, await resolveOne(ctx, "pollGroup", id));
  const devices = await store.membersOf(db, scope, id);
  await store.deleteGroup(db, scope, id);
  await planAnew(db, devices);
  await record(ctx, {
    action: "pollGroup.delete",
    subject: `poll group ${String(id)}`,
    before: { name: before.name, model_id: before.model_id, devices: devices.length },
  });
}

/** The periods of a group are those of its devices, and their next polls are rescheduled. */
async function applySchedule(
  ctx: Ctx,
  {
    report_period_update,
    warning_report_period,
  }: Pick<store.GroupRow, "report_period_update" | "warning_report_period">,
  ids: readonly DeviceId[],
): Promise<void> {
  await putPeriods(ctx.db, ctx.scope, ids, { report_period_update, warning_report_period });
  await renewSilence(ctx.db, ids);
  await planAnew(ctx.db, ids);
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
}

/** The model, if its devices are polled and have this interface. Problem: wrong_input. */
function polledModel(modelId: number, interfaceId: number): MeterModel {
  const model = modelById(modelId);
  if (model?.kind !== "meter" || model.driver.kind !== "line")
    throw problem("wrong_input", { attributes: { model_id: ["not_polled"] } });
  const name = interfaces.find(({ id }) => id === interfaceId)?.name;
  if (name === undefined || !model.interfaces.includes(name))
    throw problem("wrong_input", { attributes: { device_interface_id: ["not_of_model"] } });
  return model;
}

/** Problem: wrong_input for an archive that the meters do not keep. */
function refuseUnknownArchives(
  { driver }: MeterModel,
  { selected_data }: Pick<Created, "selected_data">,
): void {
  const kept = driver.kind === "line" ? driver.archives.map(({ msgType }): number => msgType) : [];
  if (selected_data?.archives?.some((msgType) => !kept.includes(msgType)))
    throw problem("wrong_input", { attributes: { "selected_data.archives": ["not_of_model"] } });
}

/** Devices of the session with the model of the group. Problems: not_found, wrong_input. */
async function fittingDevices(
  ctx: Ctx,
  { model_id }: Pick<store.GroupRow, "model_id">,
  given: readonly number[],
): Promise<DeviceId[]> {
  const ids = await resolve(ctx, "device", [...new Set(given)]);
  if ((await store.countOthers(ctx.db, ctx.scope, ids, model_id)) > 0)
    throw problem("wrong_input", { attributes: { device_ids: ["not_of_model"] } });
  return ids;
}

function nameTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw problem("wrong_input", { attributes: { name: ["taken"] } });
  throw error;
}

type Fields = Omit<Changed, "id" | "device_ids">;

/** The changed fields; without arguments that are not supported yet. */
function given({ service_params: _, averaging_pp: __, ...fields }: Fields): Partial<store.GroupRow> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const pick = (row: store.ShownGroup, fields: Fields): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(given(fields), name)));
