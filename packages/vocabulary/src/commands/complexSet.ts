import type { Choice, CommandField } from "./commandFields.ts";
import { text } from "./commandText.ts";

/** Message codes of a complex set. */
const messages = [
  { value: 0, title: text("Нет", "None", "Байхгүй") },
  { value: 600, title: text("Открытая 1, основная", "Open 1, main", "Нээлттэй 1, үндсэн") },
  { value: 601, title: text("Открытая 1, дополнительная", "Open 1, additional", "Нээлттэй 1, нэмэлт") },
  { value: 602, title: text("Открытая 2, основная", "Open 2, main", "Нээлттэй 2, үндсэн") },
  { value: 603, title: text("Открытая 2, дополнительная", "Open 2, additional", "Нээлттэй 2, нэмэлт") },
  {
    value: 604,
    title: text("Закрытая, подача 1р, основная", "Closed, supply 1r, main", "Битүү, өгөх 1р, үндсэн"),
  },
  {
    value: 605,
    title: text(
      "Закрытая, подача 1р, дополнительная",
      "Closed, supply 1r, additional",
      "Битүү, өгөх 1р, нэмэлт",
    ),
  },
  {
    value: 606,
    title: text("Закрытая, подача 2р, основная", "Closed, supply 2r, main", "Битүү, өгөх 2р, үндсэн"),
  },
  {
    value: 607,
    title: text(
      "Закрытая, подача 2р, дополнительная",
      "Closed, supply 2r, additional",
      "Битүү, өгөх 2р, нэмэлт",
    ),
  },
  {
    value: 608,
    title: text(
      "ГВС с циркуляцией, основная",
      "Hot water with circulation, main",
      "Эргэлттэй халуун ус, үндсэн",
    ),
  },
  {
    value: 609,
    title: text(
      "ГВС с циркуляцией, дополнительная",
      "Hot water with circulation, additional",
      "Эргэлттэй халуун ус, нэмэлт",
    ),
  },
  { value: 610, title: text("ГВС тупиковая", "Dead-end hot water", "Мухар халуун ус") },
  { value: 611, title: text("ХВС", "Cold water", "Хүйтэн ус") },
  { value: 612, title: text("Химические параметры", "Chemical parameters", "Химийн үзүүлэлт") },
  {
    value: 613,
    title: text("Химические параметры, доп.", "Chemical parameters, additional", "Химийн үзүүлэлт, нэмэлт"),
  },
] as const satisfies readonly Choice[];

const slot = <Key extends string>(key: Key, number: number) =>
  ({
    key,
    title: text(`Сообщение ${String(number)}`, `Message ${String(number)}`, `Мессеж ${String(number)}`),
    kind: "choice",
    choices: messages,
    isRequired: true,
  }) as const satisfies CommandField;

/** Archives that a device keeps, and the messages that it sends. */
export const complexSetArguments = [
  {
    key: "arch_type",
    title: text("Архивы", "Archives", "Архивууд"),
    kind: "flags",
    flags: [
      text("Часовой", "Hourly", "Цагийн"),
      text("Суточный", "Daily", "Өдрийн"),
      text("Недельный", "Weekly", "Долоо хоногийн"),
      text("Месячный", "Monthly", "Сарын"),
      text("Квартальный", "Quarterly", "Улирлын"),
      text("Полугодовой", "Half-yearly", "Хагас жилийн"),
      text("Годовой", "Yearly", "Жилийн"),
    ],
    isRequired: true,
  },
  slot("m_msg1", 1),
  slot("m_msg2", 2),
  slot("m_msg3", 3),
  slot("m_msg4", 4),
  slot("m_msg5", 5),
  slot("m_msg6", 6),
] as const satisfies readonly CommandField[];
