import type { ReadingCommand } from "./commandArguments.ts";
import { text } from "./commandText.ts";

const now = { changesDevice: false, actuates: false, answers: "readings" } as const;
const past = { changesDevice: false, actuates: false, answers: "archive", isBeside: true } as const;

/** Requests for present and past readings. */
export const readingCommands = [
  {
    ...now,
    key: "now_value",
    title: text("Запросить текущие значения", "Request current values", "Одоогийн утга асуух"),
    arguments: { value: 1 },
  },
  {
    ...now,
    key: "tariff",
    title: text("Запросить показания", "Request readings", "Заалт асуух"),
    arguments: { value: 1 },
  },
  {
    ...now,
    key: "read_info",
    title: text("Перечитать модель", "Read device information", "Төхөөрөмжийн мэдээлэл унших"),
    arguments: { value: true },
  },
  {
    ...past,
    key: "archive_profile",
    title: text("Запросить профиль мощности", "Request the power profile", "Чадлын профайл асуух"),
    arguments: [
      { key: "archive_profile", title: text("Дата", "Date", "Огноо"), kind: "datetime", isRequired: true },
    ],
  },
  {
    ...past,
    key: "archive",
    title: text("Запросить архив", "Request an archive", "Архив асуух"),
    arguments: [
      {
        key: "type",
        title: text("Вид архива", "Kind of archive", "Архивын төрөл"),
        kind: "number",
        unit: "none",
        minimum: 0,
        maximum: 125,
        step: 1,
        isRequired: true,
      },
      {
        key: "archiveTime",
        title: text("Дата и время", "Date and time", "Огноо, цаг"),
        kind: "datetime",
        isRequired: true,
      },
    ],
  },
  {
    ...past,
    key: "event_log",
    title: text("Запросить журнал событий", "Request an event journal", "Үйл явдлын журнал асуух"),
    arguments: [
      {
        key: "event_index",
        title: text("Журнал", "Journal", "Журнал"),
        kind: "number",
        unit: "none",
        minimum: 0,
        maximum: 255,
        step: 1,
        isRequired: true,
      },
    ],
  },
] as const satisfies readonly ReadingCommand[];
