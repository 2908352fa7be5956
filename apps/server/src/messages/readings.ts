import { meterModels, modelById, type MeterModel } from "@metrum/catalogue";
import {
  fieldFault,
  messageLimit,
  problem,
  type ParsedOf,
  type readings,
  type ReplyOf,
} from "@metrum/contract";
import {
  fieldOf,
  messageTypes,
  resourceByKey,
  resourceOfGroup,
  units,
  type Language,
  type MessageTypeId,
} from "@metrum/vocabulary";
import { record, offsetSec, resolveOne, type Ctx, type Services } from "#core";
import { doorOf } from "./ingest.ts";
import * as store from "./store.ts";
import { rowsOf, tableOf, type Table } from "./table.ts";
import type { Values } from "./types.ts";

type ListBody = ParsedOf<typeof readings.list>["body"];
type Answer = ReplyOf<typeof readings.list>;
/** A device has no losses of its own, and its type of message says which group it is of. */
type Wanted = Omit<ListBody, "tab" | "kind" | "msgGroup" | "with_loss_factor">;

const readingsType = 1;
const profileType = 5;
const storedStep = 1800;

/** Messages of a device in a period, with what is computed from them. */
export async function listMessages(ctx: Ctx, body: Wanted): Promise<Answer> {
  const device = await deviceOf(ctx, body.device_id);
  const limit = body.limit ?? messageLimit;
  const isHourly = body.msgType === profileType && body.profile_type === 60;
  const wanted = {
    deviceId: device.id,
    msgType: body.msgType,
    from: body.startDate,
    to: body.stopDate,
    limit: limit + 1,
  };
  const rows = isHourly
    ? await store.readHours(ctx.db, { ...wanted, offsetSec: offsetSec(device.zone, body.startDate) })
    : await store.readSeries(ctx.db, wanted);
  const truncated = rows.length > limit;
  const shown = truncated ? rows.slice(-limit) : rows;
  const before = truncated
    ? rows.at(-limit - 1)
    : await store.readBefore(ctx.db, { ...wanted, before: body.startDate });
  const { sets } = doorOf(ctx);
  await sets.load([...shown, ...(before ? [before] : [])].map((row) => row.field_set_id));
  const table = tableOf(shown, {
    resource: resourceOfGroup(device.device_group_id).key,
    language: ctx.language,
    setOf: (id) => sets.byId(id),
    msgType: body.msgType,
    before,
    ratio: body.with_transformation_ratio === false ? 1 : device.transformation_ratio,
    energyFactor: body.is_energy ? (isHourly ? 1 : storedStep / 3600) : undefined,
    withRA: body["r/a"] ?? false,
    extraFields: body.extra_fields ?? [],
  });
  return answerOf(table, { truncated, isColumns: body.shape === "columns" });
}

function answerOf(table: Table, how: { truncated: boolean; isColumns: boolean }): Answer {
  const rest = { fields_headers: table.headers, "max_r/a": 0, truncated: how.truncated };
  if (how.isColumns) return { columns: table.columns, ...rest };
  // The contract names the columns that every row has; `tableOf` makes them.
  return { data: rowsOf(table) as Extract<Answer, { data: unknown }>["data"], ...rest };
}

export async function lastMessage(
  ctx: Ctx,
  id: number,
  msgType: number,
): Promise<ReplyOf<typeof readings.last>> {
  const device = await deviceOf(ctx, id);
  const row = await store.readLatest(ctx.db, { deviceId: device.id, msgType });
  if (!row) return {};
  const { sets } = doorOf(ctx);
  await sets.load([row.field_set_id]);
  const table = tableOf([row], {
    resource: resourceOfGroup(device.device_group_id).key,
    language: ctx.language,
    setOf: (setId) => sets.byId(setId),
    msgType,
    ratio: device.transformation_ratio,
    withRA: false,
    extraFields: [],
  });
  return (rowsOf(table)[0] ?? {}) as ReplyOf<typeof readings.last>;
}

async function deviceOf(ctx: Ctx, id: number): Promise<store.ShownDevice> {
  const device = await store.shownDevice(ctx.db, ctx.scope, await resolveOne(ctx, "device", id));
  if (!device) throw problem("not_found");
  return device;
}

/** Tab of the data page and longest period of one request in days, by message type. */
const views: Readonly<Record<MessageTypeId, { tab: string; days: number }>> = {
  1: { tab: "tariffs", days: 366 },
  2: { tab: "instant_readings", days: 366 },
  3: { tab: "alarm", days: 366 },
  5: { tab: "power_profiles", days: 100 },
  6: { tab: "service_information", days: 366 },
  7: { tab: "journal_device", days: 100 },
  10: { tab: "energy_profiles", days: 100 },
  100: { tab: "archives", days: 100 },
  101: { tab: "archives", days: 732 },
  103: { tab: "archives", days: 3660 },
};

type ShownType = ReplyOf<typeof readings.types>["types"][number];

export function allTypes(): ShownType[] {
  return Object.entries(messageTypes).map(([id, { title }]) => ({
    id: Number(id),
    title: title.ru,
    title_en: title.en,
    tab: views[Number(id) as MessageTypeId].tab,
    max_period_request: views[Number(id) as MessageTypeId].days,
  }));
}

/** Types that a model has in its tabs, or in one of them. */
export async function typesOf(ctx: Ctx, body: ParsedOf<typeof readings.types>["body"]): Promise<ShownType[]> {
  const modelId =
    body.device_id === undefined ? body.model_id : (await deviceOf(ctx, body.device_id)).model_id;
  if (modelId === undefined) return allTypes().filter(({ tab }) => !body.tab || tab === body.tab);
  const model = modelById(modelId);
  if (model?.kind !== "meter") throw problem("not_found");
  const ofTabs = Object.entries(model.tabs)
    .filter(([tab]) => !body.tab || tab === body.tab)
    .flatMap(([tab, { msgTypes }]) => msgTypes.map((id) => ({ id, tab })));
  return allTypes().flatMap((type) => {
    const own = ofTabs.find(({ id }) => id === type.id);
    return own ? [{ ...type, tab: own.tab }] : [];
  });
}

/** Each field once for every device type that has it: the same name can carry another unit. */
export function fieldTitles(language: Language): ReplyOf<typeof readings.fieldTitles>["fields"] {
  return [...ofDevices(), ...ofFields(language)];
}

/** What a poll tells of the device itself, whatever its type. */
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
      };
    });
  });
}

const manualFields = ["tariff1", "tariff2", "tariff3", "tariff4", "tariff5", "in1"] as const;

/** Readings are entered for every meter; another type of message only where the model shows it. */
function mayBeEntered(modelId: number, msgType: number): boolean {
  if (msgType === readingsType) return true;
  const model = modelById(modelId);
  return model?.kind === "meter" && Object.values(model.tabs).some((tab) => holds(tab.msgTypes, msgType));
}

const holds = (types: readonly number[], type: number): boolean => types.includes(type);

/** Water has no tariffs: a value that no meter of the resource has would be shown nowhere. Problem: wrong_input with each such field. */
function checkFields(modelId: number, entered: readonly (typeof manualFields)[number][]): void {
  const model = modelById(modelId);
  if (model?.kind !== "meter") return;
  const wrong = entered.filter((name) => !isOfResource(model.resource, name));
  const faults = wrong.map((name) => [`message.${name}`, [fieldFault("value_field", { name })]] as const);
  if (faults.length > 0) throw problem("wrong_input", { attributes: Object.fromEntries(faults) });
}

/** Where there is a first tariff there may be others. */
function isOfResource(resource: MeterModel["resource"], name: (typeof manualFields)[number]): boolean {
  const counted = name === "in1" ? name : "tariff1";
  return meterModels.some((model) => model.resource === resource && model.fields.includes(counted));
}

/** A reading entered by hand: worth more than what the meter says, and never without its author. */
export async function enterReading(
  ctx: Ctx,
  { device_id, msgType, message }: ParsedOf<typeof readings.dirtyOne>["body"],
): Promise<void> {
  const { id: deviceId, model_id } = await deviceOf(ctx, device_id);
  if (!mayBeEntered(model_id, msgType ?? readingsType))
    throw problem("wrong_input", { attributes: { msgType: ["no such type of message in this model"] } });
  const entered = manualFields.filter((name) => message[name] !== undefined);
  const values: Values = Object.fromEntries(entered.map((name) => [name, message[name]]));
  if (entered.length === 0)
    throw problem("wrong_input", { attributes: { message: ["no value was entered"] } });
  checkFields(model_id, entered);
  const { reason, method } = message;
  const answer = await doorOf(ctx satisfies Services).ingest([
    {
      deviceId,
      msgType: msgType ?? readingsType,
      ts: message.datetime,
      ...(message.realdatetime === undefined ? {} : { meterAt: message.realdatetime }),
      receivedAt: ctx.clock.now(),
      source: "manual",
      values,
      extra: { reason: reason ?? null, method: method ?? null },
      userId: ctx.scope.userId,
      reason: "entered by hand",
    },
  ]);
  if (answer.aside > 0)
    throw problem("wrong_input", { attributes: { "message.datetime": ["out of the possible range"] } });
  if (answer.refused > 0)
    throw problem("wrong_input", { attributes: { "message.datetime": ["a corrected value stands there"] } });
  await record(ctx, { action: "reading.enter", subject: `device ${String(deviceId)}`, after: message });
}
