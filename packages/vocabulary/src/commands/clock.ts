import type { Command } from "./commandArguments.ts";
import { text } from "./commandText.ts";

const clock = { changesDevice: true, actuates: false, isBeside: true, readBack: "get_datetime" } as const;

/** The clock of a device. */
export const clockCommands = [
  {
    changesDevice: false,
    actuates: false,
    answers: "state",
    key: "get_datetime",
    title: text("Прочитать дату и время", "Read date and time", "Огноо, цаг унших"),
    arguments: { value: "any" },
  },
  {
    ...clock,
    key: "time_set",
    title: text("Установить дату и время", "Set date and time", "Огноо, цаг тохируулах"),
    confirmation: text(
      "Установить часы прибора? Архивы за пропущенное время останутся пустыми",
      "Set the clock of the device? Archives of skipped time stay empty",
      "Төхөөрөмжийн цагийг тохируулах уу? Алгассан хугацааны архив хоосон үлдэнэ",
    ),
    isRepeatable: true,
    arguments: [
      {
        key: "time_set",
        title: text("Дата и время", "Date and time", "Огноо, цаг"),
        kind: "datetime",
        isRequired: true,
      },
    ],
  },
  {
    ...clock,
    key: "time_correct",
    title: text("Коррекция времени", "Time correction", "Цагийн засвар"),
    isRepeatable: false,
    arguments: [
      {
        key: "time_correct",
        title: text("Поправка", "Correction", "Засвар"),
        kind: "number",
        unit: "second",
        minimum: -30,
        maximum: 30,
        step: 1,
        isRequired: true,
      },
    ],
  },
  {
    ...clock,
    key: "time_correct2",
    title: text("Точная коррекция времени", "Precise time correction", "Цагийн нарийн засвар"),
    isRepeatable: false,
    arguments: [
      {
        key: "time_correct2",
        title: text("Поправка", "Correction", "Засвар"),
        kind: "number",
        unit: "second",
        minimum: 0,
        maximum: 86_400,
        step: 0.1,
        isRequired: true,
      },
    ],
  },
] as const satisfies readonly Command[];
