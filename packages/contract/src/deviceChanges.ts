import type { Text } from "@metrum/vocabulary";
import { z } from "zod/mini";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

const updates = "4:update|4:access_all";
const deletes = "4:delete|4:access_all";

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
  device_not_in_trash: text(
    "Устройство не в корзине",
    "The device is not in the trash",
    "Төхөөрөмж хогийн саванд байхгүй",
  ),
  in_poll_group: text(
    "Период задаёт группа опроса",
    "Its poll group sets the period",
    "Үеийг асуулгын бүлэг тогтооно",
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
});
export type DeviceChange = z.infer<typeof DeviceChange>;
