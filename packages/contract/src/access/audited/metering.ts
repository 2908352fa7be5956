import { title } from "./title.ts";

/** Actions on devices, their carriers and their readings. */
export const meteringActions = {
  "quarantine.release": title(
    "Показания выпущены из карантина",
    "Readings released from quarantine",
    "Заалтыг хорио цээрээс гаргасан",
  ),
  "quarantine.discard": title(
    "Показания карантина отброшены",
    "Readings in quarantine discarded",
    "Хорио цээрийн заалтыг хаясан",
  ),
  "reading.confirm": title("Подтверждение показаний", "Confirming a reading", "Заалт баталгаажуулалт"),
  "reading.enter": title("Ввод показаний", "Entering a reading", "Заалт оруулалт"),
  "device.switch": title(
    "Включение или отключение устройства",
    "Switching a device on or off",
    "Төхөөрөмж идэвхжүүлэх, идэвхгүй болгох",
  ),
  "device.switchPolling": title(
    "Включение или отключение опроса устройства",
    "Switching the polling of a device on or off",
    "Төхөөрөмжийн асуулгыг идэвхжүүлэх, идэвхгүй болгох",
  ),
  "device.create": title("Добавление прибора", "Adding a device", "Төхөөрөмж нэмэлт"),
  "device.edit": title("Изменение прибора", "Changing a device", "Төхөөрөмж өөрчлөлт"),
  "device.attribute": title(
    "Изменение атрибута прибора",
    "Changing an attribute of a device",
    "Төхөөрөмжийн шинж өөрчлөлт",
  ),
  "device.schedule": title(
    "Изменение расписания прибора",
    "Changing the schedule of a device",
    "Төхөөрөмжийн хуваарь өөрчлөлт",
  ),
  "device.trash": title(
    "Прибор в корзину",
    "Moving a device to the trash",
    "Төхөөрөмжийг хогийн саванд хийлт",
  ),
  "device.restore": title(
    "Прибор из корзины",
    "Bringing a device back from the trash",
    "Төхөөрөмжийг хогийн савнаас сэргээлт",
  ),
  "device.remove": title("Удаление прибора", "Removing a device for good", "Төхөөрөмж бүрмөсөн устгалт"),
  "device.archive": title(
    "Прибор в архив или из архива",
    "Archiving a device or bringing it back",
    "Төхөөрөмжийг архивлах, буцаах",
  ),
  "device.settings": title("Настройка прибора", "Setting up a device", "Төхөөрөмжийн тохиргоо"),
  "device.control": title("Команда устройству", "Command to a device", "Төхөөрөмжид өгсөн команд"),
  "device.settings_clear": title(
    "Сброс сохранённых настроек прибора",
    "Clearing the stored settings of a device",
    "Төхөөрөмжийн хадгалсан тохиргоог арилгах",
  ),
  "device.holes": title("Запрос пропусков", "Requesting missing values", "Дутуу утга асуулт"),
  "device.poll": title("Опрос устройств", "Poll of devices", "Төхөөрөмжийн асуулга"),
  "device.changeMany": title(
    "Изменение многих устройств",
    "Changing many devices",
    "Олон төхөөрөмж өөрчлөлт",
  ),
  "device.tieUser": title(
    "Привязка пользователей к устройству",
    "Tying users to a device",
    "Хэрэглэгчийг төхөөрөмжид холболт",
  ),
  "gateway.create": title("Создание шлюза", "Making a gateway", "Гарц үүсгэлт"),
  "gateway.update": title("Изменение шлюза", "Changing a gateway", "Гарц өөрчлөлт"),
  "gateway.switch": title(
    "Включение или отключение шлюза",
    "Switching a gateway on or off",
    "Гарц идэвхжүүлэх, идэвхгүй болгох",
  ),
  "gateway.archive": title(
    "Шлюз в архив или из архива",
    "Archiving a gateway or bringing it back",
    "Гарцыг архивлах, буцаах",
  ),
  "gateway.trash": title("Шлюз в корзину", "Moving a gateway to the trash", "Гарцыг хогийн саванд хийлт"),
  "gateway.restore": title(
    "Шлюз из корзины",
    "Bringing a gateway back from the trash",
    "Гарцыг хогийн савнаас сэргээлт",
  ),
  "gateway.remove": title("Удаление шлюза", "Removing a gateway for good", "Гарц бүрмөсөн устгалт"),
  "baseStation.create": title("Создание базовой станции", "Making a base station", "Суурь станц үүсгэлт"),
  "baseStation.update": title("Изменение базовой станции", "Changing a base station", "Суурь станц өөрчлөлт"),
  "baseStation.switch": title(
    "Включение или отключение базовой станции",
    "Switching a base station on or off",
    "Суурь станц идэвхжүүлэх, идэвхгүй болгох",
  ),
  "baseStation.archive": title(
    "Базовая станция в архив или из архива",
    "Archiving a base station or bringing it back",
    "Суурь станцыг архивлах, буцаах",
  ),
  "baseStation.trash": title(
    "Базовая станция в корзину",
    "Moving a base station to the trash",
    "Суурь станцыг хогийн саванд хийлт",
  ),
  "baseStation.restore": title(
    "Базовая станция из корзины",
    "Bringing a base station back from the trash",
    "Суурь станцыг хогийн савнаас сэргээлт",
  ),
  "baseStation.remove": title(
    "Удаление базовой станции",
    "Removing a base station for good",
    "Суурь станц бүрмөсөн устгалт",
  ),
  "device.gateway": title("Замена шлюза прибора", "Another gateway of a device", "Төхөөрөмжийн гарц солилт"),
  "gateway.line": title("Линия шлюза", "Line of a gateway", "Гарцын шугам"),
  "inbox.create": title(
    "Добавление из неизвестных",
    "Registering an unknown caller",
    "Танигдаагүйгээс бүртгэлт",
  ),
  "codec.save": title("Новая версия кодека", "A new version of a codec", "Кодекийн шинэ хувилбар"),
  "codec.switch": title(
    "Включение или отключение кодека",
    "Switching a codec on or off",
    "Кодек идэвхжүүлэх, идэвхгүй болгох",
  ),
  "codec.delete": title("Удаление кодека", "Removing a codec", "Кодек устгалт"),
  "codec.decodeAgain": title(
    "Повторное декодирование посылок",
    "Decoding payloads again",
    "Илгээлтийг дахин тайлалт",
  ),
  "readings.import": title(
    "Загрузка файла показаний",
    "Importing a file of readings",
    "Заалтын файл импортлох",
  ),
  "sheet.run": title("Загрузка из таблицы", "Import from a spreadsheet", "Хүснэгтээс импорт"),
  "sheet.undo": title(
    "Отмена загрузки из таблицы",
    "Undoing an import from a spreadsheet",
    "Хүснэгтийн импортыг буцаалт",
  ),
  "sheet.delete": title("Удаление файла загрузки", "Deleting a file of an import", "Импортын файлыг устгалт"),
};
