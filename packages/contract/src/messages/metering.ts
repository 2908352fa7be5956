import { text, type Messages } from "./text.ts";

/** Messages of success of models, devices, readings and imports. */
export const meteringMessages = {
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
  gateway_created: text("Шлюз создан", "The gateway has been made", "Гарц үүсгэлээ"),
  gateway_to_trash: text("Шлюз в корзине", "The gateway is in the trash", "Гарц хогийн саванд орлоо"),
  gateway_restored: text("Шлюз восстановлен", "The gateway is back", "Гарц сэргээгдлээ"),
  gateway_removed: text(
    "Шлюз удалён безвозвратно",
    "The gateway has been removed for good",
    "Гарц бүрмөсөн устлаа",
  ),
  gateways_archived: text(
    "Шлюзов в архиве: {count}",
    "Gateways archived: {count}",
    "Архивласан гарц: {count}",
  ),
  gateways_unarchived: text(
    "Шлюзов возвращено из архива: {count}",
    "Gateways back from the archive: {count}",
    "Архиваас буцаасан гарц: {count}",
  ),
  carriers_changed: text("Изменено: {count}", "Changed: {count}", "Өөрчилсөн: {count}"),
  carriers_changed_partly: text(
    "Изменено: {count}, не изменено: {refused}",
    "Changed: {count}, not changed: {refused}",
    "Өөрчилсөн: {count}, өөрчлөөгүй: {refused}",
  ),
  gateway_replaced: text(
    "Приборов перенесено на другой шлюз: {count}",
    "Devices moved to another gateway: {count}",
    "Өөр гарц руу шилжүүлсэн төхөөрөмж: {count}",
  ),
  base_stations_archived: text(
    "Базовых станций в архиве: {count}",
    "Base stations archived: {count}",
    "Архивласан суурь станц: {count}",
  ),
  base_stations_unarchived: text(
    "Базовых станций возвращено из архива: {count}",
    "Base stations back from the archive: {count}",
    "Архиваас буцаасан суурь станц: {count}",
  ),
  base_station_created: text(
    "Базовая станция создана",
    "The base station has been made",
    "Суурь станц үүсгэлээ",
  ),
  base_station_to_trash: text(
    "Базовая станция в корзине",
    "The base station is in the trash",
    "Суурь станц хогийн саванд орлоо",
  ),
  base_station_restored: text(
    "Базовая станция восстановлена",
    "The base station is back",
    "Суурь станц сэргээгдлээ",
  ),
  base_station_removed: text(
    "Базовая станция удалена безвозвратно",
    "The base station has been removed for good",
    "Суурь станц бүрмөсөн устлаа",
  ),
  device_created: text("Прибор добавлен", "The device has been added", "Төхөөрөмж нэмэгдлээ"),
  schedule_removed: text("Расписание удалено", "The schedule has been removed", "Хуваарийг устгалаа"),
  attribute_removed: text("Атрибут удалён", "The attribute has been removed", "Шинжийг устгалаа"),
  device_to_trash_tied: text(
    "Устройство в корзине. Оно измеряет точки учёта: {points}",
    "The device is in the trash. It measures the accounting points: {points}",
    "Төхөөрөмж хогийн саванд орлоо. Хэмждэг цэгүүд: {points}",
  ),
  device_to_trash: text("Прибор в корзине", "The device is in the trash", "Төхөөрөмж хогийн саванд орлоо"),
  devices_to_trash: text(
    "В корзину перемещено приборов: {count}",
    "Devices moved to the trash: {count}",
    "Хогийн саванд хийсэн төхөөрөмж: {count}",
  ),
  device_restored: text("Прибор восстановлен", "The device is back", "Төхөөрөмж сэргээгдлээ"),
  devices_restored: text(
    "Восстановлено приборов: {count}",
    "Devices brought back: {count}",
    "Сэргээсэн төхөөрөмж: {count}",
  ),
  device_removed: text(
    "Прибор удалён безвозвратно",
    "The device has been removed for good",
    "Төхөөрөмж бүрмөсөн устлаа",
  ),
  trash_cleared: text(
    "Корзина очищена, удалено приборов: {count}",
    "The trash is empty, devices removed: {count}",
    "Хогийн сав хоосорлоо, устгасан төхөөрөмж: {count}",
  ),
  devices_archived: text(
    "Перенесено в архив приборов: {count}",
    "Devices archived: {count}",
    "Архивласан төхөөрөмж: {count}",
  ),
  devices_unarchived: text(
    "Возвращено из архива приборов: {count}",
    "Devices brought back from the archive: {count}",
    "Архиваас буцаасан төхөөрөмж: {count}",
  ),
  entered_left: text(
    "Вы вернулись в свою учётную запись",
    "You are back in your own account",
    "Та өөрийн бүртгэлдээ буцлаа",
  ),
  codec_saved: text(
    "Сохранена версия {version}",
    "Version {version} has been saved",
    "{version}-р хувилбар хадгалагдлаа",
  ),
  codec_switched_on: text(
    "Устройства теперь декодирует версия {version}",
    "Version {version} now decodes the payloads",
    "Төхөөрөмжийг одоо {version}-р хувилбар тайлна",
  ),
  codec_switched_off: text(
    "Кодек отключён, работает встроенный",
    "The codec is off, the built-in one is used",
    "Кодек унтарч, суурилагдсан нь ажиллана",
  ),
  codec_deleted: text(
    "Версия {version} удалена",
    "Version {version} has been removed",
    "{version}-р хувилбар устгагдлаа",
  ),
  readings_imported: text(
    "Показаний принято: {count}",
    "Readings imported: {count}",
    "Хүлээж авсан заалт: {count}",
  ),
  reading_confirmed: text("Сохранено и подтверждено", "Saved and confirmed", "Хадгалж, баталгаажуулсан"),
  reading_differs: text(
    "Сохранено как сомнительное, до подтверждения не учитывается: прибор передал {measured}, введено {given}",
    "Saved as suspect, counts once it is confirmed: the meter said {measured}, {given} was entered",
    "Сэжигтэй гэж хадгалсан, баталгаажтал тооцохгүй: тоолуур {measured} гэж өгсөн, {given} оруулсан",
  ),
  reading_grown: text(
    "Сохранено как сомнительное, до подтверждения не учитывается: прирост {grown} велик для предыдущего показания {before}",
    "Saved as suspect, counts once it is confirmed: the growth of {grown} is large for the reading before it, {before}",
    "Сэжигтэй гэж хадгалсан, баталгаажтал тооцохгүй: {grown} өсөлт өмнөх {before} заалтын хувьд их",
  ),
  readings_released: text(
    "Выпущено показаний: {count}",
    "Readings released: {count}",
    "Гаргасан заалт: {count}",
  ),
  readings_discarded: text(
    "Отброшено показаний: {count}",
    "Readings discarded: {count}",
    "Хаясан заалт: {count}",
  ),
} as const satisfies Messages;
