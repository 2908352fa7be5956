import { pageSize, problem } from "@metrum/contract/core";
import type {
  DeviceFilter,
  DeviceListInput,
  DeviceSelection,
  DeviceState,
  MeteringDevice,
} from "@metrum/contract/metering";
import { meterModels } from "@metrum/catalogue";
import {
  fieldOf,
  resourceOfGroup,
  resourceTypeOf,
  units,
  type DeviceId,
  type FieldName,
} from "@metrum/vocabulary";
import { recordEach, offsetSec, resolve, type Ctx, type Db } from "#core";
import { appended, tiedPointsOf, titlesOf } from "./appended.ts";
import { statusOf } from "#metering/device-state";
import { dailyShares, latestReadings, typesOfModel, type LatestReading } from "#metering/messages";
import { controlsOf, modelOf, shownModel } from "#metering/models";
import { storedTariffs } from "#metering/schedules";
import * as store from "./listStore.ts";
import type { DeviceRow } from "./listStore.ts";
import { sealedNames } from "./settings/index.ts";
import { switchActive } from "./store.ts";
import { remembered } from "./totals.ts";

/** Maximum rows of one answer, also without paging. */
const largestPage = 10_000;

/** A page of the list with newest reading and completeness, read for these rows only. */
export async function devicePage(ctx: Ctx, input: DeviceListInput) {
  const {
    page: asked = 1,
    per_page,
    paginate,
    sort_field,
    sort,
    only,
    append_fields = [],
    ...filter
  } = input;
  const limit = paginate === false ? largestPage : pageSize(per_page ?? 10, largestPage);
  const current = paginate === false ? 1 : asked;
  const query: store.DevicePage = {
    filter,
    modelIds: filter.model_options && modelsWith(filter.model_options),
    sort_field: sort_field ?? "name",
    sort: sort ?? "asc",
    limit,
    offset: (current - 1) * limit,
    now: ctx.clock.now(),
  };
  const { total, rows } = await foundPage(ctx, query);
  const [shown, extra] = await Promise.all([
    show(ctx, rows),
    append_fields.length === 0 ? undefined : appended(ctx, rows, new Set(append_fields)),
  ]);
  const picked = only ? shown.map((row) => pick(row, only)) : shown;
  const data = extra ? picked.map((row, at) => ({ ...row, ...extra[at] })) : picked;
  return {
    data,
    current_page: current,
    last_page: Math.max(1, Math.ceil(total / limit)),
    per_page: limit,
    total,
  };
}

/** Ids of all devices that a filter matches, in their order. Problem: not_found for an unknown id among `ids`. */
export async function selectedDevices(ctx: Ctx, filter: DeviceSelection): Promise<DeviceId[]> {
  const { db, scope } = ctx;
  await resolve(ctx, "device", filter.ids ?? []);
  const modelIds = filter.model_options && modelsWith(filter.model_options);
  const { textIs } = await store.frequencyOf(db, scope, filter);
  return store.matchingIds(db, scope, { filter, modelIds, now: ctx.clock.now() }, textIs === "rare");
}

export interface ChosenDevices extends DeviceFilter {
  /** Named devices, also from the archive. */
  readonly ids?: readonly DeviceId[] | undefined;
  /** Only devices whose models have one of these message types. */
  readonly msgTypes?: readonly number[] | undefined;
}

/** A page by name of the devices that match a filter, without archive and trash. Rows: as `foundPage`. */
export async function chosenDevices(
  ctx: Ctx,
  { ids, msgTypes, ...filter }: ChosenDevices,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly rows: DeviceRow[] }> {
  return foundPage(ctx, {
    filter: ids ? { ...filter, ids: [...ids] } : filter,
    modelIds: msgTypes && meterModels.filter((model) => has(model.id, msgTypes)).map(({ id }) => id),
    sort_field: "name",
    sort: "asc",
    limit,
    offset,
    now: ctx.clock.now(),
  });
}

function has(modelId: number, msgTypes: readonly number[]): boolean {
  const own = typesOfModel(modelId);
  return msgTypes.some((type) => own.has(type));
}

/**
 * Total and page. If a condition matches many devices, the total is counted on a second connection while the
 * page is read: each reads the whole company in the worst case.
 */
async function foundPage(ctx: Ctx, query: store.DevicePage) {
  const { db, scope } = ctx;
  if (ctx.whole) return pageOfFile(ctx, query, ctx.whole);
  let early: Promise<DeviceRow[]> | undefined;
  const { total, ids, middle } = await remembered(ctx, query, async () => {
    const { textIs, middle } = await store.frequencyOf(db, scope, query.filter);
    if (middle === undefined) return store.find(db, scope, query, textIs === "rare");
    if (textIs === "frequent" && canBeHalved(query)) {
      const found = await inHalves(ctx, query, { middle, find: store.findHalf });
      early = store.rowsOf(db, found.ids);
      return { total: found.total, ids: null, middle };
    }
    if (textIs === "frequent" && store.isOnePass(query)) {
      const found = await store.findPage(db, scope, query);
      early = Promise.resolve(found.rows);
      return { total: found.total, ids: null };
    }
    if (!isOnlySearch(query)) return store.find(db, scope, query, false);
    early = store.page(db, scope, query, null);
    const [total] = await Promise.all([
      countBeside(ctx, query, textIs === "most" ? middle : undefined),
      early,
    ]);
    return { total, ids: null };
  });
  if (early) return { total, rows: await early };
  if (middle !== undefined && canBeHalved(query)) {
    const found = await inHalves(ctx, query, { middle, find: store.walkHalf });
    return { total, rows: await store.rowsOf(db, found.ids) };
  }
  return { total, rows: total > query.offset ? await store.page(db, scope, query, ids) : [] };
}

/**
 * The number of devices that have a text, counted on a second connection while this one reads the page; with a
 * middle only the names from there on, and this connection counts the others after its page.
 */
async function countBeside(
  { db, scope, database }: Ctx,
  query: store.DevicePage,
  middle: string | undefined,
) {
  const count = (on: Db, isFirst: boolean) =>
    store.count(on, scope, middle === undefined ? query : { ...query, half: { middle, isFirst } });
  const beside = database.beside(scope, (other) => count(other, false)) ?? count(db, false);
  const [first, second] = await Promise.all([middle === undefined ? 0 : count(db, true), beside]);
  return first + second;
}

/** The first pages by name. */
const canBeHalved = ({ sort_field, limit, offset }: store.DevicePage): boolean =>
  sort_field === "name" && limit + offset <= 1_000;

/**
 * A page by name of what many devices have, but not most: the total needs all of them, and those that have it may all come last, so
 * two connections read one half of the names each.
 */
async function inHalves(
  { db, scope, database }: Ctx,
  query: store.DevicePage,
  { middle, find }: { readonly middle: string; readonly find: typeof store.findHalf },
) {
  const { offset, limit, sort } = query;
  const half = (isFirst: boolean) => ({
    ...query,
    limit: offset + limit,
    offset: 0,
    half: { middle, isFirst },
  });
  const [near, far] = [half(sort === "asc"), half(sort !== "asc")];
  const beside = database.beside(scope, (other) => find(other, scope, far));
  // Thrown when it is awaited, if the near half has too few.
  beside?.catch(() => undefined);
  const first = await find(db, scope, near);
  const isEnough = find === store.walkHalf && first.ids.length >= offset + limit;
  const rest = isEnough ? { total: 0, ids: [] } : await (beside ?? find(db, scope, far));
  return {
    total: first.total + rest.total,
    ids: [...first.ids, ...rest.ids].slice(offset, offset + limit),
  };
}

/** The list is found once for all its pages. */
async function pageOfFile({ db, scope }: Ctx, query: store.DevicePage, whole: NonNullable<Ctx["whole"]>) {
  const { limit: _limit, offset: _offset, ...list } = query;
  const { total, ids } = await whole.page(JSON.stringify(list), query, async (part) => {
    const { textIs } = await store.frequencyOf(db, scope, query.filter);
    return store.wholeList(db, scope, { ...list, ...part }, textIs === "rare");
  });
  return { total, rows: await store.rowsOf(db, ids) };
}

/**
 * With an additional filter even a frequent text may match few devices, and sorting those is faster than
 * scanning an index.
 */
function isOnlySearch({ filter, modelIds }: store.DevicePage): boolean {
  return modelIds === undefined && Object.keys(filter).every((key) => key === "search_string");
}

/** One device with its model and the titles of its fields. Throws not_found. */
export async function openDevice(ctx: Ctx, id: number) {
  const [deviceId] = await resolve(ctx, "device", [id]);
  if (!deviceId) throw problem("not_found");
  const [row, latest, secrets, schedules, statuses, points] = await Promise.all([
    store.device(ctx.db, ctx.scope, deviceId),
    latestReadings(ctx.db, [deviceId]),
    sealedNames(ctx.db, deviceId),
    storedTariffs(ctx.db, [deviceId]),
    statusOf(ctx.db, [deviceId]),
    tiedPointsOf(ctx, [deviceId]),
  ]);
  if (!row) throw problem("not_found");
  const shown = shownDevice(ctx, row, latest.get(row.id), (await sharesOf(ctx, [row])).get(row.id) ?? []);
  const model = modelOf(row.model_id);
  const tariffs = schedules.get(row.id);
  const told = statuses.get(row.id);
  return {
    ...shown,
    status: told ? { ...told.state, told_at: told.told_at } : {},
    properties: { ...shown.properties, ...(tariffs ? { schedule_electro: tariffs } : {}) },
    tied_point: points.get(row.id) ?? null,
    model: shownModel(model),
    device_fields_titles: titlesOf(ctx.language, row),
    secrets,
  };
}

/** Switches devices on or off (null: toggles a single one); all of them or none. */
export async function switchDevices(
  ctx: Ctx,
  given: readonly number[],
  isActive: boolean | null,
): Promise<boolean> {
  const ids = await resolve(ctx, "device", given);
  const changed = await switchActive(ctx.db, ctx.scope, ids, isActive);
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
  await recordEach(
    ctx,
    "device.switch",
    changed.map(({ id, is_active }) => ({ subject: `device ${String(id)}`, after: { is_active } })),
  );
  return isActive ?? changed.every((each) => each.is_active);
}

async function show(ctx: Ctx, rows: readonly DeviceRow[]): Promise<MeteringDevice[]> {
  const [latest, completeness] = await Promise.all([
    latestReadings(
      ctx.db,
      rows.map(({ id }) => id),
    ),
    sharesOf(ctx, rows),
  ]);
  return rows.map((row) => shownDevice(ctx, row, latest.get(row.id), completeness.get(row.id) ?? []));
}

/** Shares of the last days, by device. */
function sharesOf(ctx: Ctx, rows: readonly DeviceRow[]): ReturnType<typeof dailyShares> {
  const judged = rows.map(
    ({ id, model_id, report_period_update, timezone, company_timezone, created_at }) => ({
      id,
      model_id,
      report_period_update,
      zone: timezone ?? company_timezone,
      created_at: Math.floor(created_at.getTime() / 1000),
    }),
  );
  return dailyShares(ctx.db, judged, ctx.clock.now());
}

function shownDevice(
  ctx: Ctx,
  row: DeviceRow,
  latest: LatestReading | undefined,
  completeness: readonly (number | null)[],
): MeteringDevice {
  const zone = row.timezone ?? row.company_timezone;
  return {
    id: row.id,
    name: row.name,
    place: row.place,
    deviceID: row.deviceID,
    inside_addr: row.inside_addr,
    interface_id: row.interface_id,
    model_id: row.model_id,
    model_title: row.model_title,
    device_type_id: row.device_type_id,
    device_group_id: row.device_group_id,
    report_period_update: row.report_period_update,
    warning_report_period: row.warning_report_period,
    starting_value: row.starting_value,
    impulse_weight: row.impulse_weight,
    transformation_ratio: row.transformation_ratio,
    properties: shownProperties(row.properties),
    resource_type_id:
      resourceTypeOf(resourceOfGroup(row.device_group_id), row.properties["type_water_meter"]) ?? null,
    is_active: row.is_active,
    is_archived: row.is_archived,
    last_data_at: row.last_data_at,
    gatewayID: row.gateway_device_id,
    gateway: named(row.gateway_id, row.gateway_name),
    base_station: named(row.base_station_id, row.base_station_name),
    deviceTimezone: offsetSec(zone, ctx.clock.now()) / 3600,
    timezone_name: zone,
    status: {},
    is_deleted: row.deleted_at !== null,
    state: stateOf(row, ctx.clock.now()),
    last_reading: lastReading(ctx, row, latest),
    completeness: [...completeness],
    created_at: Math.floor(row.created_at.getTime() / 1000),
    version: row.version,
  };
}

/** A password that earlier versions stored among the properties is also a secret. */
function shownProperties({ password: _, ...properties }: DeviceRow["properties"]) {
  return properties;
}

/** Whether a device reports on time. */
export function stateOf(
  row: Pick<DeviceRow, "is_active" | "last_data_at" | "silent_at">,
  now: number,
): DeviceState {
  if (!row.is_active) return "off";
  if (row.last_data_at === null) return "never";
  return row.silent_at !== null && row.silent_at <= now ? "silent" : "on_time";
}

/** The main reading of the resource, else the first value of the message. */
function lastReading(
  ctx: Ctx,
  row: DeviceRow,
  latest: LatestReading | undefined,
): MeteringDevice["last_reading"] {
  if (!latest) return null;
  const resource = resourceOfGroup(row.device_group_id);
  const names = Object.keys(latest.values) as FieldName[];
  const field = names.find((name) => name === resource.mainField) ?? names[0];
  if (!field) return null;
  return {
    field,
    value: latest.values[field] ?? null,
    unit: units[fieldOf(field, resource.key).unit][ctx.language],
    at: latest.ts,
  };
}

const named = <Id extends number>(id: Id | null, name: string | null) =>
  id === null ? null : { id, name: name ?? "" };

function modelsWith(options: readonly string[]): number[] {
  return meterModels
    .filter((model) => {
      const offered = { ...model.controls, ...controlsOf(model) };
      return options.every((option) => Object.hasOwn(offered, option));
    })
    .map((model) => model.id);
}

function pick(row: MeteringDevice, only: readonly (keyof MeteringDevice)[]): Partial<MeteringDevice> {
  const wanted: ReadonlySet<string> = new Set(only);
  return Object.fromEntries(Object.entries(row).filter(([name]) => wanted.has(name)));
}
