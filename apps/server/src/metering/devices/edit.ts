import { meterModels, type MeterModel } from "@metrum/catalogue";
import { problem, type ParsedOf } from "@metrum/contract/core";
import {
  deviceRecord,
  type DeviceEditInput,
  type DeviceSettings,
  type NewDeviceInput,
} from "@metrum/contract/metering";
import { secretKinds, type DeviceId, type GatewayId } from "@metrum/vocabulary";
import { recordEach, resolve, resolveOne, serve, storableJson, withMessage, type Api, type Ctx } from "#core";
import { refuseNewDevices } from "#access/licence";
import { planAnew, renewSilence } from "#metering/device-state";
import { modelOf, secretsOfModel } from "#metering/models";
import { refuseTaken } from "./add.ts";
import { openDevice } from "./devices.ts";
import { isInPollGroup } from "./changeStore.ts";
import {
  changedColumns,
  changedSettings,
  editableOf,
  emptyDevice,
  withFields,
  type DeviceFields,
  type EditableDevice,
  type ShownTime,
} from "./editable.ts";
import { faultsOf } from "./editFaults.ts";
import { device as deviceRow, type DeviceRow } from "./listStore.ts";
import { setRatioFrom } from "./pointStore.ts";
import { notedSettings, putDeviceSecret, putSecrets, sealedNames } from "./settings/index.ts";
import "./ratioUse.ts";
import { editDevice, gatewayInUse, gatewaysIdentified, insertDevices, lockDevice } from "./store.ts";
import { timeUuid } from "./uuid.ts";
import { checkVirtual, putVirtual } from "./virtual.ts";

export function serveRecord(api: Api): void {
  serve(api, deviceRecord, {
    create: async ({ body }, ctx) => {
      const id = await createDevice(ctx, body);
      return withMessage({ metering_device: await openDevice(ctx, id) }, "device_created");
    },
    edit: async ({ body }, ctx) => {
      await changeDevice(ctx, body);
      return withMessage({ metering_device: await openDevice(ctx, body.id) }, "saved");
    },
    setConnectionParams: async ({ params, body }, ctx) => {
      await setConnection(ctx, params.id, body);
      return withMessage({ metering_device: await openDevice(ctx, params.id) }, "saved");
    },
    uuid: (_, { clock }) => ({ uuid: timeUuid(clock.nowMs()) }),
  });
}

/**
 * Adds a device. Problems: not_found (a gateway or base station of another company), unknown_model,
 * wrong_input, identifier_taken, device_limit_reached, licence_expired.
 */
export async function createDevice(ctx: Ctx, body: NewDeviceInput): Promise<DeviceId> {
  const [id] = await createDevices(ctx, [body]);
  if (id === undefined) throw new Error("a device was added without an id");
  return id;
}

/** Adds devices, all or none; ids in the order given. Problems: as `createDevice`. */
export async function createDevices(ctx: Ctx, bodies: readonly NewDeviceInput[]): Promise<DeviceId[]> {
  const { db, scope } = ctx;
  const gateways = await gatewaysNamed(ctx, bodies);
  const planned: PlannedDevice[] = [];
  for (const body of bodies) planned.push(await plan(ctx, body, gateways));
  await refuseNewDevices(ctx, bodies.length);
  await refuseTaken(
    db,
    scope.companyId,
    planned.map(({ wanted }) => wanted),
  );
  const ids = await insertDevices(
    db,
    planned.map(({ wanted }) => ({
      ...wanted,
      company_id: scope.companyId,
      properties: storableJson(wanted.properties),
    })),
  );
  for (const [at, id] of ids.entries()) {
    const { settings = {}, sources } = planned[at] ?? {};
    await putSecrets(ctx, id, settings);
    if (sources?.length) await putVirtual(ctx, id, sources);
  }
  await tell(
    ctx,
    "device.create",
    ids.map((id, at) => {
      const { wanted, settings = {} } = planned[at] ?? {};
      return { id, after: { ...wanted, ...secretsNoted(settings) } };
    }),
  );
  return ids;
}

/** A device that may be added, if its identifier is free. */
interface PlannedDevice {
  readonly wanted: EditableDevice;
  readonly settings: DeviceSettings;
  readonly sources: readonly DeviceId[] | undefined;
}

async function plan(ctx: Ctx, body: NewDeviceInput, gateways: Gateways): Promise<PlannedDevice> {
  const model = knownModel(body.model_id);
  const given = await withOwnIds(ctx, body, { gateways });
  const empty = emptyDevice(model);
  const wanted = withFields(empty, model, given, { zone: "", now: ctx.clock.now() });
  const settings = changedSettings(changedColumns(empty, wanted), given);
  refuse(faultsOf({ model, given, wanted, settings, hasPassword: (settings.password ?? "") !== "" }));
  return { wanted, settings, sources: await checkVirtual(ctx, { before: empty, wanted }) };
}

/**
 * Changes the given fields of a device. Problems: those of `createDevice`, device_put_away, and conflict if
 * another user has saved since the given version, and period_closed for a ratio of billed months.
 */
export async function changeDevice(
  ctx: Ctx,
  { id, version, ratio_from, ...body }: DeviceEditInput,
): Promise<void> {
  const row = await lockedRow(ctx, id);
  if (version !== undefined && version !== row.version) throw problem("conflict");
  const given = await withOwnIds(ctx, body, { gateways: await gatewaysNamed(ctx, [body]), own: row });
  const before = editableOf(row);
  const model = body.model_id === undefined ? modelOf(row.model_id) : knownModel(body.model_id);
  const wanted = withFields(before, model, given, shownTime(ctx, row));
  const changed = changedColumns(before, wanted);
  const settings = changedSettings(changed, given);
  const password =
    settings.password ?? ((await sealedNames(ctx.db, row.id)).includes("password") ? "stored" : "");
  const faults = faultsOf({ model, given, wanted, settings, hasPassword: password !== "" });
  const isOfGroup = changed.report_period_update !== undefined && (await isInPollGroup(ctx.db, row.id));
  refuse({
    ...(changed.model_id === undefined ? ofChanges(faults, { ...given, ...changed }) : faults),
    ...(isOfGroup ? { report_period_update: ["in_poll_group"] } : {}),
  });
  const sources = await checkVirtual(ctx, { id: row.id, before, wanted });
  if (changed.transformation_ratio !== undefined) await beginRatio(ctx, row.id, ratio_from);
  await store(ctx, { row, before, changed, settings, model });
  if (sources) await putVirtual(ctx, row.id, sources);
}

/** 2000-01-01: no reading is older. */
const earliest = 946_684_800;

/** The moment from which the ratio that is about to be stored holds. Problems: wrong_input, period_closed. */
async function beginRatio(ctx: Ctx, deviceId: DeviceId, given: number | undefined): Promise<void> {
  const from = ratioFrom(ctx, given);
  await ctx.parts.ratioUse.refuseBilled(ctx, { deviceId, from, field: "ratio_from" });
  await setRatioFrom(ctx.db, from);
}

/** A ratio of the future cannot be shown as the present one. Problem: wrong_input. */
function ratioFrom({ clock }: Ctx, given: number | undefined): number {
  const now = clock.now();
  if (given === undefined) return now;
  if (given < earliest || given > now)
    throw problem("wrong_input", { attributes: { ratio_from: ["range"] } });
  return given;
}

interface Change {
  readonly row: DeviceRow;
  readonly before: EditableDevice;
  readonly changed: Partial<EditableDevice>;
  readonly settings: DeviceSettings;
  readonly model: MeterModel;
}

async function store(ctx: Ctx, { row, before, changed, settings, model }: Change): Promise<void> {
  const { db, scope } = ctx;
  const { id } = row;
  const noted = secretsNoted(settings);
  if (Object.keys(changed).length + Object.keys(noted).length === 0) return;
  if (changed.deviceID !== undefined) await refuseTaken(db, scope.companyId, [{ ...before, ...changed }], id);
  const { properties, ...columns } = changed;
  await editDevice(db, id, {
    ...columns,
    ...(properties === undefined ? {} : { properties: storableJson(properties) }),
  });
  await putSecrets(ctx, id, settings);
  if (changed.model_id !== undefined) await dropForeignSecrets(ctx, id, model);
  if (plannedBy.some((name) => changed[name] !== undefined)) await planAnew(db, [id]);
  if (changed.warning_report_period !== undefined) await renewSilence(db, [id]);
  const names = Object.keys(changed);
  await tell(ctx, "device.edit", [
    {
      id,
      before: Object.fromEntries(names.map((name) => [name, Reflect.get(before, name)])),
      after: { ...changed, ...noted },
    },
  ]);
}

/** Columns that decide when and over which line a device is polled. */
const plannedBy = ["model_id", "gateway_id", "inside_addr", "report_period_update", "properties"] as const;

/** Of devices whose columns have been put back as they were: their polls are planned anew. */
export async function returnDevices(ctx: Ctx, given: readonly number[]): Promise<void> {
  const ids = await resolve(ctx, "device", given);
  await planAnew(ctx.db, ids);
  await renewSilence(ctx.db, ids);
  await recordEach(
    ctx,
    "device.edit",
    ids.map((id) => ({ subject: `device ${String(id)}`, after: { undone: true } })),
  );
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
}

/** Problems: not_found, wrong_input, device_put_away. */
async function setConnection(
  ctx: Ctx,
  id: number,
  { interface_id, poll_params = {} }: ParsedOf<typeof deviceRecord.setConnectionParams>["body"],
): Promise<void> {
  const row = await lockedRow(ctx, id);
  const { inside_addr, echo, fixed_baud } = poll_params;
  const before = editableOf(row);
  const model = modelOf(row.model_id);
  const given: DeviceFields = {
    ...(interface_id === undefined ? {} : { interface_id }),
    ...(inside_addr === undefined ? {} : { inside_addr }),
  };
  const kept = withFields(before, model, given, shownTime(ctx, row));
  const line = {
    ...(echo === undefined ? {} : { echo: echo ? true : undefined }),
    ...(fixed_baud === undefined ? {} : { fixed_baud: fixed_baud ?? undefined }),
  };
  const wanted = { ...kept, properties: { ...kept.properties, ...line } };
  const changed = changedColumns(before, wanted);
  const { inside_addr: address, ...faults } = ofChanges(
    faultsOf({ model, given, wanted, settings: {}, hasPassword: true }),
    given,
  );
  refuse({ ...faults, ...(address ? { "poll_params.inside_addr": address } : {}) });
  await store(ctx, { row, before, changed, settings: {}, model });
}

const shownTime = ({ clock }: Ctx, row: DeviceRow): ShownTime => ({
  zone: row.timezone ?? row.company_timezone,
  now: clock.now(),
});

/** The device, locked for this transaction. Problems: not_found, device_put_away. */
async function lockedRow(ctx: Ctx, given: number): Promise<DeviceRow> {
  const id = await resolveOne(ctx, "device", given);
  await lockDevice(ctx.db, ctx.scope, id);
  const row = await deviceRow(ctx.db, ctx.scope, id);
  if (!row) throw problem("not_found");
  if (row.deleted_at !== null || row.is_archived) throw problem("device_put_away");
  return row;
}

function knownModel(id: number): MeterModel {
  const model = meterModels.find((each) => each.id === id);
  if (!model) throw problem("unknown_model", { attributes: { model_id: ["unknown"] } });
  return model;
}

/** Gateways in use by their identifiers. */
type Gateways = ReadonlyMap<string, GatewayId>;

/** Gateways that bodies name by their identifiers. */
const gatewaysNamed = (
  { db, scope }: Ctx,
  bodies: readonly Pick<DeviceEditInput, "gateway_id" | "gatewayID">[],
): Promise<Gateways> =>
  gatewaysIdentified(
    db,
    scope,
    bodies.flatMap(({ gateway_id, gatewayID }) => (gateway_id === undefined && gatewayID ? [gatewayID] : [])),
  );

interface Known {
  readonly gateways: Gateways;
  readonly own?: Pick<DeviceRow, "gateway_id" | "gateway_device_id">;
}

/**
 * The gateway by its id, or by its identifier; null or empty means none. A trashed one can stay, but cannot
 * be assigned.
 * Problems: not_found, wrong_input.
 */
async function gatewayFrom(
  { db, scope }: Ctx,
  { gateway_id, gatewayID }: Pick<DeviceEditInput, "gateway_id" | "gatewayID">,
  { gateways, own }: Known,
): Promise<Pick<DeviceFields, "gateway_id">> {
  if (gateway_id === undefined) {
    if (gatewayID === undefined || gatewayID === own?.gateway_device_id) return {};
    if (gatewayID === null || gatewayID === "") return { gateway_id: null };
    const identified = gateways.get(gatewayID);
    if (identified !== undefined) return { gateway_id: identified };
    throw problem("wrong_input", { attributes: { gatewayID: ["unknown_gateway"] } });
  }
  if (gateway_id === null) return { gateway_id };
  if (gateway_id === own?.gateway_id) return {};
  const found = await gatewayInUse(db, scope, gateway_id);
  if (found === undefined) throw problem("not_found");
  return { gateway_id: found };
}

async function withOwnIds(
  ctx: Ctx,
  body: Omit<DeviceEditInput, "id" | "version" | "ratio_from">,
  known: Known,
): Promise<DeviceFields> {
  const { gateway_id, gatewayID, base_station_id, ...given } = body;
  return {
    ...given,
    ...(await gatewayFrom(ctx, { gateway_id, gatewayID }, known)),
    ...(base_station_id === undefined
      ? {}
      : {
          base_station_id:
            base_station_id === null ? null : await resolveOne(ctx, "baseStation", base_station_id),
        }),
  };
}

/** Problem: wrong_input. */
function refuse(attributes: ReturnType<typeof faultsOf>): void {
  if (Object.keys(attributes).length > 0) throw problem("wrong_input", { attributes });
}

/** Fields that are checked together: a fault of one is shown when the other was touched. */
const partners: Readonly<Record<string, string>> = {
  login: "password",
  password: "login",
  warning_report_period: "report_period_update",
};

/** Faults of touched fields: what was stored before the checks existed does not stop other changes. */
function ofChanges(faults: ReturnType<typeof faultsOf>, touched: object): ReturnType<typeof faultsOf> {
  const isTouched = (field: string): boolean => {
    const [root = ""] = field.split(".");
    return [root, partners[root] ?? root].some((name) => Object.hasOwn(touched, name));
  };
  return Object.fromEntries(Object.entries(faults).filter(([field]) => isTouched(field)));
}

/** Secrets that the new model of a device does not have. */
async function dropForeignSecrets(ctx: Ctx, deviceId: DeviceId, model: MeterModel): Promise<void> {
  const known = secretsOfModel(model);
  for (const name of secretKinds)
    if (!known.includes(name)) await putDeviceSecret(ctx, { deviceId, name, text: "" });
}

/** Of secrets, only that they were set or removed. */
function secretsNoted({ password, keys }: DeviceSettings): object {
  return notedSettings({
    ...(password === undefined ? {} : { password }),
    ...(keys === undefined ? {} : { keys }),
  });
}

interface Told {
  readonly id: DeviceId;
  readonly before?: object;
  readonly after: object;
}

async function tell(ctx: Ctx, action: "device.create" | "device.edit", told: readonly Told[]): Promise<void> {
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
  await recordEach(
    ctx,
    action,
    told.map(({ id, ...entry }) => ({ subject: `device ${String(id)}`, ...entry })),
  );
}
