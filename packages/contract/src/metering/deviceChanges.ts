import type { Text } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { Id } from "../core/values.ts";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

const updates = "4:update|4:access_all";
const deletes = "4:delete|4:access_all";
/** As of the ties of one device. */
const ties = "4:read&1:read&6:read";

/** Changes that a task makes to many devices: the right each needs, and the title of its task. Stored: never rename. */
export const deviceChanges = {
  switch_on: {
    right: updates,
    title: text("Включение устройств", "Switching devices on", "Төхөөрөмж идэвхжүүлэлт"),
  },
  switch_off: {
    right: updates,
    title: text("Выключение устройств", "Switching devices off", "Төхөөрөмж идэвхгүй болголт"),
  },
  period: {
    right: updates,
    title: text("Период опроса устройств", "Poll period of devices", "Төхөөрөмжийн асуулгын үе"),
  },
  group: {
    right: updates,
    title: text("Устройства в группу опроса", "Devices to a poll group", "Төхөөрөмж асуулгын бүлэгт"),
  },
  tie: {
    right: ties,
    title: text("Привязка пользователей", "Tying users to devices", "Хэрэглэгч холболт"),
  },
  untie: {
    right: ties,
    title: text("Отвязка пользователей", "Untying users from devices", "Хэрэглэгч салгалт"),
  },
  archive: {
    right: deletes,
    title: text("Устройства в архив", "Archiving devices", "Төхөөрөмж архивлалт"),
  },
  unarchive: {
    right: deletes,
    title: text("Устройства из архива", "Devices back from the archive", "Төхөөрөмж архиваас буцаалт"),
  },
  trash: {
    right: deletes,
    title: text("Устройства в корзину", "Devices to the trash", "Төхөөрөмж хогийн саванд"),
  },
  restore: {
    right: deletes,
    title: text("Устройства из корзины", "Devices back from the trash", "Төхөөрөмж сэргээлт"),
  },
  remove: {
    right: deletes,
    title: text("Удаление устройств навсегда", "Removing devices for good", "Төхөөрөмж бүрмөсөн устгалт"),
  },
} as const satisfies Record<string, { right: string; title: Text }>;
export type DeviceChangeAction = keyof typeof deviceChanges;

/** Why a device of such a task was not changed. Stored: never rename. */
export const deviceChangeFaults = {
  not_found: text("Устройство удалено", "The device has been removed", "Төхөөрөмж устгагдсан"),
  device_in_trash: text(
    "Устройство в корзине",
    "The device is in the trash",
    "Төхөөрөмж хогийн саванд байна",
  ),
  device_put_away: text(
    "Прибор в архиве или в корзине",
    "The device is in the archive or in the trash",
    "Төхөөрөмж архивт эсвэл хогийн саванд байна",
  ),
  device_not_in_trash: text(
    "Устройство не в корзине",
    "The device is not in the trash",
    "Төхөөрөмж хогийн саванд байхгүй",
  ),
  is_source: text(
    "Из его показаний вычисляется виртуальный прибор",
    "A virtual device is computed of its readings",
    "Түүний заалтаас виртуал төхөөрөмж тооцоологдоно",
  ),
  point_history: text(
    "На его показаниях держатся точки учёта",
    "Accounting points rest on its readings",
    "Түүний заалтад хэмжих цэгийн түүх тулгуурладаг",
  ),
  in_poll_group: text(
    "Период задаёт группа опроса",
    "Its poll group sets the period",
    "Үеийг асуулгын бүлэг тогтооно",
  ),
  not_of_model: text(
    "Модель не та, что у группы опроса",
    "Of another model than the poll group",
    "Асуулгын бүлгээс өөр загвар",
  ),
  poll_group_full: text("Группа опроса заполнена", "The poll group is full", "Асуулгын бүлэг дүүрсэн"),
  poll_group_gone: text(
    "Группа опроса удалена",
    "The poll group has been deleted",
    "Асуулгын бүлэг устгагдсан",
  ),
  identifier_taken: text(
    "Идентификатор занят другим устройством",
    "Another device has the identifier",
    "Танигчийг өөр төхөөрөмж эзэлсэн",
  ),
  device_limit_reached: text(
    "Нет места по лицензии",
    "The licence has no place left",
    "Лицензийн тоо дүүрсэн",
  ),
  licence_expired: text("Лицензия закончилась", "The licence has expired", "Лицензийн хугацаа дууссан"),
  internal: text("Внутренняя ошибка", "Internal error", "Дотоод алдаа"),
} as const satisfies Record<string, Text>;
export type DeviceChangeFault = keyof typeof deviceChangeFaults;

const daySec = 86_400;
const actions = Object.keys(deviceChanges) as [DeviceChangeAction, ...DeviceChangeAction[]];

/** A change of many devices. */
export const DeviceChange = z.object({
  action: z.enum(actions),
  report_period_update: z
    .optional(z.int().check(z.gte(60), z.lte(31 * daySec)))
    .check(z.describe("seconds between polls or reports; with action period")),
  poll_group_id: z.optional(Id).check(z.describe("with action group; others do not use it")),
  user_ids: z
    .optional(z.array(Id).check(z.minLength(1), z.maxLength(1000)))
    .check(z.describe("with actions tie and untie: users tied or untied beside the others")),
});
export type DeviceChange = z.infer<typeof DeviceChange>;

/** The argument that an action needs. */
export const deviceChangeArguments = {
  report_period_update: ["period"],
  poll_group_id: ["group"],
  user_ids: ["tie", "untie"],
} as const satisfies Record<Exclude<keyof DeviceChange, "action">, readonly DeviceChangeAction[]>;
