import type { Text } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { Id, Seconds, ShortText } from "../core/values.ts";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Why a missing row is not requested from its meter. */
export const holeRefusals = {
  waiting: text("Уже запрашивается", "Being requested already", "Асууж байна"),
  rejected: text(
    "Получено, отвергнуто проверкой",
    "Received, but failed a check",
    "Ирсэн ч шалгалтад тэнцээгүй",
  ),
  erased: text(
    "Стёрто в приборе",
    "No longer in the memory of the device",
    "Төхөөрөмжийн санах ойгоос арчигдсан",
  ),
  not_kept: text(
    "Прибор такого архива не хранит",
    "The device keeps no such archive",
    "Төхөөрөмж ийм архив хадгалдаггүй",
  ),
  switched_off: text(
    "Прибор, шлюз или компания отключены",
    "The device, its gateway or company is switched off",
    "Төхөөрөмж, гарц эсвэл компани идэвхгүй",
  ),
  too_many: text(
    "Сверх предела одного запроса",
    "Beyond the limit of one request",
    "Нэг хүсэлтийн хязгаараас хэтэрсэн",
  ),
} as const satisfies Record<string, Text>;
export type HoleRefusal = keyof typeof holeRefusals;

/** Limits of one selection. `typeDays`: devices times message types times days. */
export const holeBounds = { devices: 1_000, days: 93, typeDays: 31_000, slots: 50_000 } as const;

const among = z.optional(z.array(Id).check(z.maxLength(1_000)));

/** Narrows the devices of a company, as the list of devices does. */
export const DeviceFilter = z.object({
  search_string: z.optional(ShortText),
  model_id: among,
  interface_id: among,
  device_group_id: among,
  gateway_ids: among,
});
export type DeviceFilter = z.infer<typeof DeviceFilter>;

/** Message types whose missing rows are requested, and the days, both included, in the zone of each device. */
export const HolePeriod = z.object({
  msg_types: z.array(z.int().check(z.gte(1), z.lte(200))).check(z.minLength(1), z.maxLength(7)),
  start_date: Seconds,
  stop_date: Seconds,
});
export type HolePeriod = z.infer<typeof HolePeriod>;

export const HoleSelection = z.extend(HolePeriod, {
  device_ids: z
    .optional(z.array(Id).check(z.minLength(1), z.maxLength(holeBounds.devices)))
    .check(z.describe("default: the devices of the company that match the filter, by name")),
  filter: z.optional(DeviceFilter),
});
export type HoleSelection = z.infer<typeof HoleSelection>;

const refusals = Object.keys(holeRefusals) as [HoleRefusal, ...HoleRefusal[]];

/** Missing rows of a selection, and how many of them are requested. */
export const HolePlan = z.object({
  missing: z.int().check(z.describe("rows due and not received, of the devices examined")),
  asked: z.int().check(z.describe("of these, the rows that are requested")),
  devices: z.int().check(z.describe("devices that are requested")),
  requests: z.int().check(z.describe("archive requests, each of at most 96 rows")),
  not_asked: z.array(z.object({ why: z.enum(refusals), title: z.string(), missing: z.int() })),
  devices_left_out: z.int().check(z.describe("devices of the selection beyond the limits, not examined")),
});
export type HolePlan = z.infer<typeof HolePlan>;

/** Progress of a task that requests missing rows. */
export const AskedHoles = z.extend(HolePeriod, {
  asked: z.int(),
  filled: z.int().check(z.describe("rows that are no longer missing")),
});
