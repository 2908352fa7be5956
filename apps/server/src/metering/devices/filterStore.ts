import { modelById } from "@metrum/catalogue";
import type { DeviceState } from "@metrum/contract/metering";
import { resources } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { containing, inBranches, visibleDevices, type Scope } from "#core";
import { isFreeForPoints } from "./pointStore.ts";
import type { DevicePage, Matched } from "./listStore.ts";

/** Conditions on the row of the device itself, without the search. */
export function ofDevice(scope: Scope, { filter, modelIds, half }: Matched): RawBuilder<unknown>[] {
  return [
    ...(half ? [sql`device.name ${half.isFirst ? sql`<` : sql`>=`} ${half.middle}`] : []),
    visibleDevices(scope, filter.is_deleted ? { trash: "only" } : { archive: archiveOf(filter) }),
    ...among(sql`device.id`, filter.ids),
    ...(filter.object_ids === undefined
      ? []
      : [sql`device.id in (${inBranches("device", sql`${filter.object_ids}::int[]`)})`]),
    ...ofModels(filter.model_id),
    ...ofModels(modelIds),
    ...among(sql`device.interface_id`, filter.interface_id),
    ...among(sql`device.device_group_id`, filter.device_group_id),
    ...among(sql`device.gateway_id`, filter.gateway_ids),
    ...(filter.device_state === undefined
      ? []
      : [sql`device.is_active = ${filter.device_state === "active"}`]),
    ...(filter.available_accounting_points ? [isFreeForPoints(groupsWithPoints)] : []),
    ...inColumns(scope, filter),
  ];
}

/** Groups of devices whose resources have accounting points. */
const groupsWithPoints = resources
  .filter(({ resourceTypeIds }) => resourceTypeIds.length > 0)
  .map(({ deviceGroupId }) => Number(deviceGroupId));

/** The archive is listed only on request, and together with other devices only by ids. */
function archiveOf({ is_archived, ids }: DevicePage["filter"]): "excluded" | "included" | "only" {
  if (is_archived === undefined) return ids === undefined ? "excluded" : "included";
  return is_archived ? "only" : "excluded";
}

const speaking = ["on_time", "silent", "never"] as const;

/**
 * The states as a set of ids, for counting: most devices report on time, so their number is computed from the
 * others, which reads the least of device_state.
 */
export function inStates(scope: Scope, { filter, now }: Matched): RawBuilder<unknown>[] {
  const states = filter.fields_filter?.state ?? [];
  if (states.length === 0) return [];
  const isOnTime = states.includes("on_time");
  const named = speaking.filter((state) => states.includes(state) !== isOnTime);
  const times = any(named.map((state) => inTime(state, now)));
  const ids = sql`(
    select device_id from device_state where device_state.company_id = ${scope.companyId}::int and ${times})`;
  const parts = [
    ...(states.includes("off") ? [sql`not device.is_active`] : []),
    ...(states.some((state) => state !== "off")
      ? [
          sql`(device.is_active ${named.length === 0 ? sql`` : sql`and device.id ${isOnTime ? sql`not in` : sql`in`} ${ids}`})`,
        ]
      : []),
  ];
  return [any(parts)];
}

export function inState(state: DeviceState, now: number): RawBuilder<unknown> {
  return state === "off" ? sql`not device.is_active` : sql`(device.is_active and ${inTime(state, now)})`;
}

function inTime(state: Exclude<DeviceState, "off">, now: number): RawBuilder<unknown> {
  switch (state) {
    case "never":
      return sql`device_state.silent_at is null`;
    case "silent":
      return sql`device_state.silent_at <= ${now}::bigint`;
    case "on_time":
      return sql`device_state.silent_at > ${now}::bigint`;
  }
}

function among(
  column: RawBuilder<unknown>,
  given: number | readonly number[] | undefined,
): RawBuilder<unknown>[] {
  if (given === undefined) return [];
  return [sql`${column} = any(${typeof given === "number" ? [given] : given}::int[])`];
}

/** Devices of these models; their titles allow device_by_model, unless one is no longer in the catalogue. */
function ofModels(given: number | readonly number[] | undefined): RawBuilder<unknown>[] {
  if (given === undefined) return [];
  const ids = typeof given === "number" ? [given] : given;
  const titles = ids.map((id) => modelById(id)?.title);
  const known = titles.filter((title) => title !== undefined);
  return [
    ...among(sql`device.model_id`, ids),
    ...(known.length === ids.length ? [sql`device.model_title = any(${[...new Set(known)]}::text[])`] : []),
  ];
}

/**
 * Pattern of the text by which the index of the search can be used, undefined without one: that of the search,
 * or of a column that the index holds in full.
 */
export function sought({ search_string, fields_filter }: DevicePage["filter"]): string | undefined {
  const text = [search_string, fields_filter?.name, fields_filter?.deviceID].find((each) => each);
  return text ? containing(text.toLowerCase()) : undefined;
}

const textColumns = {
  name: sql`device.name`,
  place: sql`device.place`,
  deviceID: sql`device."deviceID"`,
  inside_addr: sql`device.inside_addr`,
} as const;

/** Columns that contain a text; attributes with one of some values, by device_attribute_used. */
function inColumns(
  { companyId }: Scope,
  { fields_filter = {} }: DevicePage["filter"],
): RawBuilder<unknown>[] {
  const columns = Object.entries(textColumns).flatMap(([name, column]) => {
    const text: unknown = Reflect.get(fields_filter, name);
    return typeof text === "string" ? [sql`lower(${column}) like ${containing(text.toLowerCase())}`] : [];
  });
  const attributes = Object.entries(fields_filter.attributes ?? {}).map(
    ([name, values]) => sql`device.id in (
      select device_id from device_attribute
      where company_id = ${companyId}::int and name = ${name} and value = any(${values}::text[]))`,
  );
  return [...columns, ...attributes];
}

export const all = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);
export const any = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` or `)})`;
