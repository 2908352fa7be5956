import type { Command } from "./commandArguments.ts";
import type { CommandField } from "./commandFields.ts";
import { text } from "./commandText.ts";

const state = {
  changesDevice: false,
  actuates: false,
  answers: "state",
  arguments: { value: "any" },
} as const;
const schedule = { changesDevice: true, actuates: false, isRepeatable: true } as const;

/** Ends of the intervals of a tariff within a day. */
const tariff = <Key extends string, Required extends boolean>(
  key: Key,
  isRequired: Required,
  number: number,
) =>
  ({
    key,
    title: text(`Тариф ${String(number)}`, `Tariff ${String(number)}`, `Тариф ${String(number)}`),
    kind: "list",
    of: "time",
    minimum: 1,
    maximum: 2,
    isRequired,
  }) as const satisfies CommandField;

const tariffs = [
  tariff("tariff0", true, 1),
  tariff("tariff1", false, 2),
  tariff("tariff2", false, 3),
  tariff("tariff3", false, 4),
] as const;

const byte = <Key extends string>(key: Key, ru: string, en: string, mn: string) =>
  ({
    key,
    title: text(ru, en, mn),
    kind: "number",
    unit: "none",
    minimum: 0,
    maximum: 255,
    step: 1,
    isRequired: true,
  }) as const satisfies CommandField;
const parameter = <Key extends string>(key: Key, number: number) =>
  byte(key, `Параметр ${String(number)}`, `Parameter ${String(number)}`, `Параметр ${String(number)}`);

/** Tariff schedules, special days and the task scheduler of a device. */
export const scheduleCommands = [
  {
    ...state,
    key: "get_shedule_tariff",
    title: text("Прочитать тарифное расписание", "Read the tariff schedule", "Тарифын хуваарь унших"),
  },
  {
    ...schedule,
    key: "set_shedule_tariff",
    title: text("Записать тарифное расписание", "Set the tariff schedule", "Тарифын хуваарь бичих"),
    readBack: "get_shedule_tariff",
    arguments: tariffs,
  },
  {
    ...state,
    key: "get_special_day",
    title: text("Прочитать особые дни", "Read the special days", "Онцгой өдрүүдийг унших"),
  },
  {
    ...schedule,
    key: "set_special_day",
    title: text("Записать особые дни", "Set the special days", "Онцгой өдрүүдийг бичих"),
    readBack: "get_special_day",
    arguments: [
      {
        key: "shedule",
        title: text("Расписание", "Schedule", "Хуваарь"),
        kind: "group",
        fields: tariffs,
        isRequired: true,
      },
      {
        key: "day_list",
        title: text("Дни", "Days", "Өдрүүд"),
        kind: "list",
        of: "day",
        minimum: 0,
        maximum: 366,
        isRequired: true,
      },
    ],
  },
  {
    ...schedule,
    key: "task_id",
    control: "lartech_settings",
    title: text("Планировщик задач", "Task scheduler", "Даалгаврын хуваарьлагч"),
    readBack: "get_settings",
    isBeside: true,
    arguments: [
      byte("task_id", "Задача", "Task", "Даалгавар"),
      byte("delay", "Задержка", "Delay", "Саатал"),
      parameter("param1", 1),
      parameter("param2", 2),
      parameter("param3", 3),
      parameter("param4", 4),
      parameter("param5", 5),
      parameter("param6", 6),
      parameter("param7", 7),
      parameter("param8", 8),
      byte("profile", "Профиль", "Profile", "Профайл"),
      byte("refresh", "Обновление", "Refresh", "Шинэчлэлт"),
    ],
  },
] as const satisfies readonly Command[];
