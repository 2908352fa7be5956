import {
  contentText,
  fieldFault,
  problem,
  type FieldFault,
  type FieldFaultCode,
} from "@metrum/contract/core";
import { virtualBounds } from "@metrum/contract/metering";
import { isFieldName, type DeviceId } from "@metrum/vocabulary";
import { resolve, type Ctx } from "#core";
import {
  dependOn,
  dueKinds,
  isSummable,
  lockSources,
  putSources,
  shapeOf,
  sourcesInUse,
  sourcesOf,
  stopDepending,
  unused,
  virtualFieldsOf,
} from "#metering/messages";
import type { EditableDevice } from "./editable.ts";
import { putAway } from "./store.ts";

type Properties = EditableDevice["properties"];
type Faults = Record<string, (FieldFaultCode | FieldFault)[]>;

const maps = ["virtual_fields_map", "virtual_fields_map_multiple"] as const;

/** Whether its readings are computed of those of other devices. */
export const isVirtual = (properties: Properties): boolean =>
  maps.some((name) => properties[name] !== undefined);

const defined = (properties: Properties): string =>
  contentText([...maps, "concat_device"].map((name) => properties[name] ?? null));

/**
 * Checks a changed definition: its devices are of the company, in use and seen by the user, and no device is
 * computed of itself. Returns the sources; undefined: nothing has changed. Problems: not_found, wrong_input.
 */
export async function checkVirtual(
  ctx: Ctx,
  {
    id,
    before,
    wanted,
  }: { readonly id?: DeviceId; readonly before: EditableDevice; readonly wanted: EditableDevice },
): Promise<readonly DeviceId[] | undefined> {
  const { properties, gateway_id } = wanted;
  const isSame = defined(before.properties) === defined(properties);
  if (isSame && (gateway_id === before.gateway_id || !isVirtual(properties))) return undefined;
  refuse(faultsOfFields(properties, gateway_id));
  if (isSame) return undefined;
  const terms = [...virtualFieldsOf(properties).values()].flat();
  const sources = await resolve(ctx, "device", [...new Set(terms.map(({ deviceId }) => deviceId))]);
  const beside = await besideOf(ctx, properties);
  await lockSources(ctx.db, ctx.scope);
  refuse(await faultsOfDevices(ctx, { id, sources, beside, properties }));
  return sources;
}

async function besideOf(ctx: Ctx, { concat_device: beside }: Properties): Promise<readonly DeviceId[]> {
  return typeof beside === "number" ? resolve(ctx, "device", [beside]) : [];
}

function faultsOfFields(properties: Properties, gatewayId: number | null): Faults {
  const faults: Faults = {};
  const [one, several] = maps.map((name) => Object.entries(properties[name] ?? {}));
  const names = new Set(one?.map(([name]) => name));
  for (const [map, entries] of [[maps[0], one ?? []] as const, [maps[1], several ?? []] as const])
    for (const [name, value] of entries) {
      const fault = faultOfField(name, [value].flat() as readonly { readonly field: string }[]);
      if (fault) faults[`properties.${map}`] = [fault];
      if (map === maps[1] && names.has(name)) faults[`properties.${map}`] = ["virtual_twice"];
    }
  if (isVirtual(properties) && gatewayId !== null) faults["gateway_id"] = ["virtual_gateway"];
  return faults;
}

function faultOfField(
  name: string,
  terms: readonly { readonly field: string }[],
): FieldFaultCode | undefined {
  if (!isFieldName(name)) return "unknown_field";
  for (const { field } of terms) {
    if (!isFieldName(field)) return "unknown_field";
    if (!isSummable(name, field)) return "virtual_kind";
  }
  return undefined;
}

interface Devices {
  readonly id: DeviceId | undefined;
  readonly sources: readonly DeviceId[];
  readonly beside: readonly DeviceId[];
  readonly properties: Properties;
}

async function faultsOfDevices(
  { db, scope }: Ctx,
  { id, sources, beside, properties }: Devices,
): Promise<Faults> {
  const faults: Faults = {};
  const map = maps.find((name) => properties[name] !== undefined) ?? maps[0];
  const trashed = (await putAway(db, scope, [...sources, ...beside])).filter(({ is_deleted }) => is_deleted);
  if (trashed.some((each) => sources.includes(each.id))) faults[`properties.${map}`] = ["source_in_trash"];
  if (trashed.some((each) => beside.includes(each.id)))
    faults["properties.concat_device"] = ["source_in_trash"];
  if (id !== undefined && beside.includes(id)) faults["properties.concat_device"] = ["wrong"];
  if (sources.length === 0) return faults;
  const { below, above, isCycle } = await shapeOf(db, id ?? 0, sources);
  if (isCycle) faults[`properties.${map}`] = ["virtual_cycle"];
  else if (below + above > virtualBounds.levels)
    faults[`properties.${map}`] = [fieldFault("virtual_depth", { max: virtualBounds.levels })];
  return faults;
}

/**
 * Has the readings of a virtual device computed anew, now and whenever those of its sources change; without
 * sources it is virtual no longer, and its readings stay.
 */
export async function putVirtual(
  { db, scope }: Ctx,
  id: DeviceId,
  sources: readonly DeviceId[],
): Promise<void> {
  const before = await sourcesOf(db, id);
  await putSources(db, scope, id, sources);
  await dependOn(
    db,
    dueKinds.virtualDevices,
    sources.map((deviceId) => ({ deviceId, from: 0 })),
  );
  await stopDepending(db, dueKinds.virtualDevices, await unused(db, before));
}

/** Devices of which a virtual device in use is computed stay. Problem: device_is_source. */
export async function refuseSources({ db }: Ctx, ids: readonly DeviceId[]): Promise<void> {
  const [user] = await sourcesInUse(db, ids);
  if (user) throw problem("device_is_source", { params: { name: user.name, source: user.source } });
}

/** Problem: wrong_input. */
function refuse(attributes: Faults): void {
  if (Object.keys(attributes).length > 0) throw problem("wrong_input", { attributes });
}
