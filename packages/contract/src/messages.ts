import type { Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** What the server says after something was done, by code. */
export const messages = {
  saved: text("Сохранено", "Saved", "Хадгалсан"),
  company_created: text("Компания создана", "The company has been created", "Компани үүсгэсэн"),
  company_switched_on: text("Компания включена", "The company is switched on", "Компани идэвхжсэн"),
  company_switched_off: text("Компания выключена", "The company is switched off", "Компани идэвхгүй болсон"),
  company_left: text("Вы вышли из компании", "You have left the company", "Та компаниас гарлаа"),
  device_switched_on: text("Устройство включено", "The device is switched on", "Төхөөрөмж идэвхжсэн"),
  device_switched_off: text(
    "Устройство выключено",
    "The device is switched off",
    "Төхөөрөмж идэвхгүй болсон",
  ),
  devices_switched_on: text(
    "Включено устройств: {count}",
    "Devices switched on: {count}",
    "Идэвхжсэн төхөөрөмж: {count}",
  ),
  devices_switched_off: text(
    "Выключено устройств: {count}",
    "Devices switched off: {count}",
    "Идэвхгүй болсон төхөөрөмж: {count}",
  ),
  signed_out: text("Вы вышли из системы", "You have signed out", "Та системээс гарлаа"),
  request_done: text("Прибор ответил", "The device has answered", "Төхөөрөмж хариу өглөө"),
  request_failed: text(
    "Прибор не опрошен: {reason}",
    "The device was not read: {reason}",
    "Төхөөрөмж уншигдсангүй: {reason}",
  ),
  request_waits: text(
    "Запрос в очереди, результат появится в журнале опроса",
    "The request is queued; its result will appear in the poll log",
    "Хүсэлт дараалалд байна, үр дүн асуулгын бүртгэлд гарна",
  ),
  task_created: text("Задача создана", "The task has been created", "Даалгавар үүслээ"),
} as const satisfies Record<string, Text>;

export type MessageCode = keyof typeof messages;
