import type { AccountingPoint, PointState } from "@metrum/contract/accounting";
import {
  fieldOf,
  pointTypeOf,
  resourceOfGroup,
  resourceOfType,
  units,
  type AccountingPointId,
  type DeviceId,
} from "@metrum/vocabulary";
import { exactProduct, type Ctx } from "#core";
import { latestReadings, statusName, statusOfValue, type LatestReading } from "#metering/messages";
import { modelOf, shownModel } from "#metering/models";
import { addressOf, shortAddressOf } from "./address.ts";
import * as store from "./listStore.ts";
import type { PointRow, TermNow } from "./listStore.ts";

/** Points by ids of the same transaction, as sent to clients, in their order. */
export async function shownPoints(ctx: Ctx, ids: readonly AccountingPointId[]): Promise<AccountingPoint[]> {
  const { db, scope, clock } = ctx;
  const now = clock.now();
  const rows = await store.pointRows(db, scope, { ids, now });
  const terms = new Map<AccountingPointId, TermNow[]>();
  for (const term of await store.termsNow(db, { ids, now })) {
    const known = terms.get(term.point_id);
    if (known) known.push(term);
    else terms.set(term.point_id, [term]);
  }
  const devices = rows.flatMap(({ device_id }) => (device_id === null ? [] : [device_id]));
  const latest = await latestReadings(db, [...new Set(devices)]);
  return rows.map((row) => shownPoint(ctx, row, { terms: terms.get(row.id) ?? [], latest }));
}

interface With {
  readonly terms: readonly TermNow[];
  readonly latest: ReadonlyMap<DeviceId, LatestReading>;
}

function shownPoint({ clock, language }: Ctx, row: PointRow, { terms, latest }: With): AccountingPoint {
  const type = pointTypeOf(row.resource_type_id);
  const resource = resourceOfType(row.resource_type_id);
  const title = type?.title ?? resource.title;
  return {
    id: row.id,
    title: row.name,
    name: row.name,
    city: row.city,
    street: row.street,
    house: row.house,
    innerObject: row.inner_object,
    address: addressOf(row),
    address_short: shortAddressOf(row),
    parent_id: row.object_id === null ? null : String(row.object_id),
    parent_name: row.object_name,
    resource_type_id: row.resource_type_id,
    resource_title: title.ru,
    resource_title_en: title.en,
    device_group_id: resource.deviceGroupId,
    unit: units[type?.unit ?? "kWh"][language],
    timezone: row.timezone,
    has_own_zone: row.has_own_zone,
    comment: row.comment,
    tabs: tabsOf(row),
    currentPoint: { resource_type_id: row.resource_type_id },
    ...measured(row, latest, language),
    state: stateOf(row, clock.now()),
    ...ratioOf(row, terms),
    ...shownTerms(terms),
    created_at: row.created_at,
  };
}

function tabsOf({ model_id }: PointRow): AccountingPoint["tabs"] {
  return model_id === null ? {} : shownModel(modelOf(model_id)).tabs;
}

function measured(
  row: PointRow,
  latest: With["latest"],
  language: Ctx["language"],
): Pick<AccountingPoint, "device_id" | "device" | "last_reading"> {
  const { device_id, field, device_from, model_id } = row;
  if (device_id === null || field === null || device_from === null || model_id === null)
    return { device_id: null, device: null, last_reading: null };
  return {
    device_id,
    device: {
      id: device_id,
      name: row.device_name ?? "",
      deviceID: row.device_number ?? "",
      model_id,
      model_title: row.model_title ?? "",
      field,
      from: device_from,
      last_data_at: row.last_data_at,
      is_in_trash: row.is_in_trash ?? false,
      is_archived: row.is_archived ?? false,
    },
    last_reading: lastReading(row, latest.get(device_id), language),
  };
}

/** The newest value of the main register, if it came since the device measures the point. */
function lastReading(
  { field, device_from, device_group_id }: PointRow,
  latest: LatestReading | undefined,
  language: Ctx["language"],
): AccountingPoint["last_reading"] {
  const value = field === null ? undefined : latest?.values[field];
  if (field === null || latest === undefined || typeof value !== "number") return null;
  const ts = latest.by_field?.[field]?.ts ?? latest.ts;
  if (ts < (device_from ?? 0)) return null;
  const { unit } = fieldOf(field, resourceOfGroup(device_group_id ?? 0).key);
  return { field, value, ts, status: statusName(statusOfValue(latest, field)), unit: units[unit][language] };
}

function stateOf({ device_id, is_active, silent_at }: PointRow, now: number): PointState {
  if (device_id === null) return "no_device";
  if (is_active !== true) return "off";
  if (silent_at === null) return "never";
  return silent_at <= now ? "silent" : "on_time";
}

const termOf = (terms: readonly TermNow[], kind: string): TermNow | undefined =>
  terms.find((each) => each.kind === kind);

/** The ratio that is valid now: of the transformers, else of the point, else of its device. */
function ratioOf(
  { device_ratio }: PointRow,
  terms: readonly TermNow[],
): Pick<AccountingPoint, "transformation_ratio" | "ratio_source"> {
  const [current, voltage] = [termOf(terms, "current_transformer"), termOf(terms, "voltage_transformer")];
  if (current ?? voltage)
    return {
      transformation_ratio: exactProduct(current?.ref_ratio ?? 1, voltage?.ref_ratio ?? 1),
      ratio_source: "transformers",
    };
  const own = termOf(terms, "ratio")?.number;
  if (typeof own === "number") return { transformation_ratio: own, ratio_source: "point" };
  if (device_ratio !== null) return { transformation_ratio: device_ratio, ratio_source: "device" };
  return { transformation_ratio: 1, ratio_source: "none" };
}

function shownTerms(terms: readonly TermNow[]) {
  const [consumer, supplier] = [termOf(terms, "consumer"), termOf(terms, "supplier")];
  const named = (term: TermNow | undefined) =>
    term?.ref_id == null ? null : { _id: String(term.ref_id), name: term.ref_name ?? "" };
  const transformer = (kind: string) => {
    const term = termOf(terms, kind);
    if (term?.ref_id == null) return null;
    const { ref_id: id, ref_name, ref_ratio, ref_number } = term;
    return { id, title: ref_name ?? "", ratio: ref_ratio ?? 1, number: ref_number ?? "" };
  };
  return {
    standard: termOf(terms, "standard")?.standard ?? null,
    loss_factor: termOf(terms, "loss")?.number ?? null,
    consumer_id: named(consumer)?._id ?? null,
    consumer: named(consumer),
    supplier_id: named(supplier)?._id ?? null,
    supplier: named(supplier),
    voltage_level_id: termOf(terms, "voltage_level")?.voltage_level_id ?? null,
    contract_power: termOf(terms, "contract_power")?.number ?? null,
    current_transformer: transformer("current_transformer"),
    voltage_transformer: transformer("voltage_transformer"),
  };
}
