import { meterModels, modelById, type MeterModel } from "@metrum/catalogue";
import { problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { readings } from "@metrum/contract/metering";
import {
  archiveTypeIds,
  archiveTypes,
  fieldOf,
  isMessageType,
  messageTypes,
  resourceByKey,
  units,
  type Language,
  type MessageTypeId,
} from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { deviceOf } from "./deviceOf.ts";

/** Tab of the data page and longest period of one request in days, by message type. */
const views: Readonly<Record<MessageTypeId, { tab: string; days: number }>> = {
  1: { tab: "tariffs", days: 366 },
  2: { tab: "instant_readings", days: 366 },
  3: { tab: "alarm", days: 366 },
  5: { tab: "power_profiles", days: 100 },
  6: { tab: "service_information", days: 366 },
  7: { tab: "journal_device", days: 100 },
  10: { tab: "energy_profiles", days: 100 },
  100: { tab: "archives", days: archiveTypes[100].maxDays },
  101: { tab: "archives", days: archiveTypes[101].maxDays },
  103: { tab: "archives", days: archiveTypes[103].maxDays },
};

type ShownType = ReplyOf<typeof readings.types>["types"][number];

const storedTypes = (): ShownType[] =>
  Object.entries(messageTypes).map(([id, { title }]) => ({
    id: Number(id),
    title: title.ru,
    title_en: title.en,
    tab: views[Number(id) as MessageTypeId].tab,
    max_period_request: views[Number(id) as MessageTypeId].days,
  }));

/** Types that are stored, and all archives that can be requested. */
export function allTypes(): ShownType[] {
  const archives = archiveTypeIds
    .filter((id) => !isMessageType(id))
    .map((id) => ({
      id,
      title: archiveTypes[id].title.ru,
      title_en: archiveTypes[id].title.en,
      tab: "archives",
      max_period_request: archiveTypes[id].maxDays,
    }));
  return [...storedTypes(), ...archives];
}

/** Message types in the tabs of a model, or in one of them; without a model, those that are usual in a tab. */
export async function typesOf(ctx: Ctx, body: ParsedOf<typeof readings.types>["body"]): Promise<ShownType[]> {
  const modelId =
    body.device_id === undefined ? body.model_id : (await deviceOf(ctx, body.device_id)).model_id;
  if (modelId === undefined)
    return body.tab ? storedTypes().filter(({ tab }) => tab === body.tab) : allTypes();
  const model = modelById(modelId);
  if (model?.kind !== "meter") throw problem("not_found");
  const ofTabs = Object.entries(model.tabs)
    .filter(([tab]) => !body.tab || tab === body.tab)
    .flatMap(([tab, { msgTypes }]) => msgTypes.map((id) => ({ id, tab })));
  return storedTypes().flatMap((type) => {
    const own = ofTabs.find(({ id }) => id === type.id);
    return own ? [{ ...type, tab: own.tab }] : [];
  });
}

/** Each field once per device type that has it: the same name can have another unit. */
export function fieldTitles(language: Language): ReplyOf<typeof readings.fieldTitles>["fields"] {
  return [...ofDevices(), ...ofFields(language)];
}

/** Fields of a poll that concern the device itself, whatever its type. */
function ofDevices(): ReplyOf<typeof readings.fieldTitles>["fields"] {
  const titles = [
    ["model", "Модель", "Model"],
    ["serial_number", "Серийный номер", "Serial number"],
    ["datetime", "Время прибора", "Device time"],
  ] as const;
  return titles.map(([name, title, title_en]) => ({
    name,
    title,
    title_en,
    unit: { title: "" },
    device_group_id: 0,
    device_type_id: 0,
    protocol_id: 0,
    device_id: null,
  }));
}

function ofFields(language: Language): ReplyOf<typeof readings.fieldTitles>["fields"] {
  const byType = new Map<number, MeterModel[]>();
  for (const model of meterModels)
    byType.set(model.deviceTypeId, [...(byType.get(model.deviceTypeId) ?? []), model]);
  return [...byType].flatMap(([device_type_id, models]) => {
    const resource = models[0]?.resource ?? "other";
    return [...new Set(models.flatMap((model) => model.fields))].map((name) => {
      const field = fieldOf(name, resource);
      return {
        name,
        title: field.title.ru,
        title_en: field.title.en,
        unit: { title: units[field.unit][language] },
        device_group_id: resourceByKey[resource].deviceGroupId,
        device_type_id,
        protocol_id: 0,
        device_id: null,
      };
    });
  });
}
