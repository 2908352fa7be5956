import type { appendedFields } from "@metrum/contract/metering";
import { fieldOf, resourceByKey, units, type DeviceId, type Language } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { attributesOf } from "#metering/attributes";
import { modelOf, shownModel } from "#metering/models";
import type { DeviceRow } from "./listStore.ts";
import { tiedPoints } from "./pointStore.ts";
import { sealedNamesOf } from "./settings/index.ts";

type Appended = (typeof appendedFields)[number];

/** The fields that a list adds to each of these rows, read for all of them at once. */
export async function appended(ctx: Ctx, rows: readonly DeviceRow[], wanted: ReadonlySet<Appended>) {
  const ids = rows.map(({ id }) => id);
  const [attributes, secrets, points] = await Promise.all([
    wanted.has("attributes") ? attributesOf(ctx.db, ids) : undefined,
    wanted.has("secrets") ? sealedNamesOf(ctx.db, ids) : undefined,
    wanted.has("tied_point") ? tiedPointsOf(ctx, ids) : undefined,
  ]);
  return rows.map((row) => ({
    ...(points ? { tied_point: points.get(row.id) ?? null } : {}),
    ...(wanted.has("model") ? { model: shownModel(modelOf(row.model_id)) } : {}),
    ...(wanted.has("device_fields_titles") ? { device_fields_titles: titlesOf(ctx.language, row) } : {}),
    ...(attributes ? { attributes: attributes.get(row.id) ?? [] } : {}),
    ...(secrets ? { secrets: secrets.get(row.id) ?? [] } : {}),
  }));
}

/** The points that these devices measure now, as their records show them. */
export async function tiedPointsOf({ db, clock }: Pick<Ctx, "db" | "clock">, ids: readonly DeviceId[]) {
  const points = await tiedPoints(db, { ids, now: clock.now() });
  return new Map(
    [...points].map(([device, { id, title, resource_type_id, parent_id, standard }]) => [
      device,
      { id, title, resource_type_id, parent_id, standard },
    ]),
  );
}

/** Titles and units of the fields of a device; they do not depend on its protocol. */
export function titlesOf(language: Language, { id, model_id }: Pick<DeviceRow, "id" | "model_id">) {
  const model = modelOf(model_id);
  return model.fields.map((name) => {
    const { title, unit } = fieldOf(name, model.resource);
    return {
      name,
      title: title.ru,
      title_en: title.en,
      unit: { title: units[unit][language] },
      device_group_id: Number(resourceByKey[model.resource].deviceGroupId),
      protocol_id: 0,
      device_type_id: model.deviceTypeId,
      device_id: Number(id),
    };
  });
}
