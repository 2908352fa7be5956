import type { Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/**
 * Actions of users, as named in the log. The server writes no action without a title here
 * (`AuditEntry.action` is typed by this table), so every entry can be shown.
 */
export const auditActions = {
  "auth.login": text("Вход в систему", "Sign-in", "Системд нэвтрэлт"),
  "profile.update": text("Изменение своего профиля", "Changing one's own profile", "Өөрийн профайл өөрчлөлт"),
  "profile.password": text("Смена своего пароля", "Changing one's own password", "Өөрийн нууц үг солилт"),
  "profile.sessionEnd": text(
    "Завершение своего сеанса",
    "Ending one's own session",
    "Өөрийн холболт дуусгалт",
  ),
  "profile.subscribe": text("Подписка на новости", "Subscription to news", "Мэдээний бүртгэл"),
  "twoFactor.enable": text(
    "Двухфакторный вход включён",
    "Two-factor sign-in set up",
    "Хоёр шатлалт нэвтрэлт идэвхжүүлэлт",
  ),
  "twoFactor.disable": text(
    "Двухфакторный вход выключен",
    "Two-factor sign-in turned off",
    "Хоёр шатлалт нэвтрэлт унтраалт",
  ),
  "twoFactor.reset": text(
    "Сброс двухфакторного входа пользователя",
    "Two-factor sign-in of a user turned off by an administrator",
    "Хэрэглэгчийн хоёр шатлалт нэвтрэлтийг унтраасан",
  ),
  "twoFactor.recovery": text("Новые резервные коды", "New recovery codes", "Шинэ нөөц код"),
  "token.create": text("Создание ключа API", "Creating an API token", "API түлхүүр үүсгэлт"),
  "company.enter": text("Вход в компанию", "Entering a company", "Компанид нэвтрэлт"),
  "company.exit": text("Выход из компании", "Leaving a company", "Компаниас гаралт"),
  "company.create": text("Создание компании", "Creating a company", "Компани үүсгэлт"),
  "company.update": text("Изменение компании", "Changing a company", "Компани өөрчлөлт"),
  "company.switch": text(
    "Включение или отключение компании",
    "Switching a company on or off",
    "Компани идэвхжүүлэх, идэвхгүй болгох",
  ),
  "company.delete": text("Удаление компании", "Deleting a company", "Компани устгалт"),
  "company.restore": text("Восстановление компании", "Restoring a company", "Компани сэргээлт"),
  "company.move": text("Перенос компании", "Moving a company in the hierarchy", "Компани шилжүүлэлт"),
  "listView.save": text("Общий вид списка", "A shared view of a list", "Жагсаалтын нийтийн харагдац"),
  "listView.delete": text(
    "Удаление общего вида списка",
    "Removing a shared view of a list",
    "Жагсаалтын нийтийн харагдац устгалт",
  ),
  "design.save": text("Изменение оформления", "Changing the design", "Загвар өөрчлөлт"),
  "retention.set": text("Сроки хранения", "Data retention", "Хадгалах хугацаа"),
  "peakHours.set": text("Пиковые часы", "Peak hours", "Оргил цаг"),
  "service.offer": text("Услуга в каталоге", "A service of the catalogue", "Каталогийн үйлчилгээ"),
  "service.set": text("Настройка услуги", "Setting a service", "Үйлчилгээний тохиргоо"),
  "service.remove": text("Отключение услуги", "Removing a service", "Үйлчилгээ хасалт"),
  "service.export": text("Выгрузка данных услуги", "Export of a service", "Үйлчилгээний экспорт"),
  "quarantine.release": text(
    "Показания выпущены из карантина",
    "Readings released from quarantine",
    "Заалтыг хорио цээрээс гаргасан",
  ),
  "quarantine.discard": text(
    "Показания карантина отброшены",
    "Readings in quarantine discarded",
    "Хорио цээрийн заалтыг хаясан",
  ),
  "reading.enter": text("Ввод показаний", "Entering a reading", "Заалт оруулалт"),
  "device.switch": text(
    "Включение или отключение устройства",
    "Switching a device on or off",
    "Төхөөрөмж идэвхжүүлэх, идэвхгүй болгох",
  ),
  "device.switchPolling": text(
    "Включение или отключение опроса устройства",
    "Switching the polling of a device on or off",
    "Төхөөрөмжийн асуулгыг идэвхжүүлэх, идэвхгүй болгох",
  ),
  "device.create": text("Добавление прибора", "Adding a device", "Төхөөрөмж нэмэлт"),
  "device.edit": text("Изменение прибора", "Changing a device", "Төхөөрөмж өөрчлөлт"),
  "device.attribute": text(
    "Изменение атрибута прибора",
    "Changing an attribute of a device",
    "Төхөөрөмжийн шинж өөрчлөлт",
  ),
  "device.schedule": text(
    "Изменение расписания прибора",
    "Changing the schedule of a device",
    "Төхөөрөмжийн хуваарь өөрчлөлт",
  ),
  "device.trash": text(
    "Прибор в корзину",
    "Moving a device to the trash",
    "Төхөөрөмжийг хогийн саванд хийлт",
  ),
  "device.restore": text(
    "Прибор из корзины",
    "Bringing a device back from the trash",
    "Төхөөрөмжийг хогийн савнаас сэргээлт",
  ),
  "device.remove": text("Удаление прибора", "Removing a device for good", "Төхөөрөмж бүрмөсөн устгалт"),
  "device.archive": text(
    "Прибор в архив или из архива",
    "Archiving a device or bringing it back",
    "Төхөөрөмжийг архивлах, буцаах",
  ),
  "device.settings": text("Настройка прибора", "Setting up a device", "Төхөөрөмжийн тохиргоо"),
  "device.control": text("Команда устройству", "Command to a device", "Төхөөрөмжид өгсөн команд"),
  "control.freeze": text(
    "Остановка или разрешение управления приборами",
    "Stopping or releasing the control of devices",
    "Төхөөрөмжийн удирдлагыг зогсоох, зөвшөөрөх",
  ),
  "control.policy": text(
    "Правила управления приборами",
    "Rules of the control of devices",
    "Төхөөрөмжийн удирдлагын журам",
  ),
  "device.settings_clear": text(
    "Сброс сохранённых настроек прибора",
    "Clearing the stored settings of a device",
    "Төхөөрөмжийн хадгалсан тохиргоог арилгах",
  ),
  "device.holes": text("Запрос пропусков", "Requesting missing values", "Дутуу утга асуулт"),
  "device.poll": text("Опрос устройств", "Poll of devices", "Төхөөрөмжийн асуулга"),
  "pollGroup.create": text("Создание группы опроса", "Creating a poll group", "Асуулгын бүлэг үүсгэлт"),
  "pollGroup.update": text("Изменение группы опроса", "Changing a poll group", "Асуулгын бүлэг өөрчлөлт"),
  "pollGroup.switch": text(
    "Включение или отключение группы опроса",
    "Switching a poll group on or off",
    "Асуулгын бүлэг идэвхжүүлэх, идэвхгүй болгох",
  ),
  "pollGroup.replace": text(
    "Перенос приборов в группу опроса",
    "Moving devices to a poll group",
    "Төхөөрөмжийг асуулгын бүлэгт шилжүүлэлт",
  ),
  "pollGroup.delete": text("Удаление группы опроса", "Deleting a poll group", "Асуулгын бүлэг устгалт"),
  "device.changeMany": text("Изменение многих устройств", "Changing many devices", "Олон төхөөрөмж өөрчлөлт"),
  "task.cancel": text("Отмена задач", "Cancelling tasks", "Даалгавар цуцлалт"),
  "admin.enterCompany": text(
    "Код входа в компанию выдан",
    "A code to enter a company was issued",
    "Компанид нэвтрэх код олгосон",
  ),
  "admin.userEnter": text(
    "Код входа под пользователем выдан",
    "A code to work as a user was issued",
    "Хэрэглэгчээр нэвтрэх код олгосон",
  ),
  "auth.entryRedeem": text(
    "Вход из администрирования",
    "Entering from the administration",
    "Удирдлагаас нэвтэрсэн",
  ),
  "auth.entryLeave": text(
    "Выход в администрирование",
    "Leaving for the administration",
    "Удирдлага руу гарсан",
  ),
  "license.upload": text("Замена лицензии", "A new licence", "Лиценз солилт"),
  "auth.signup": text("Регистрация компании", "Registration of a company", "Компанийн бүртгэл"),
  "auth.activate": text("Подтверждение регистрации", "Confirming a registration", "Бүртгэл баталгаажуулалт"),
  "auth.passwordCreate": text("Запрос нового пароля", "Requesting a new password", "Шинэ нууц үг хүссэн"),
  "auth.passwordReset": text("Новый пароль по ссылке", "A new password by link", "Холбоосоор шинэ нууц үг"),
  "letter.read": text("Чтение письма", "Reading a letter", "Захидал уншсан"),
  "letter.again": text("Повторная отправка письма", "Sending a letter again", "Захидлыг дахин илгээсэн"),
  "user.create": text("Приглашение пользователя", "Inviting a user", "Хэрэглэгч урилт"),
  "user.update": text("Изменение пользователя", "Changing a user", "Хэрэглэгч өөрчлөлт"),
  "user.switch": text(
    "Включение или отключение пользователя",
    "Switching a user on or off",
    "Хэрэглэгч идэвхжүүлэх, идэвхгүй болгох",
  ),
  "user.delete": text("Удаление пользователя", "Removing a user", "Хэрэглэгч устгалт"),
  "user.invite": text("Повторное приглашение", "Sending an invitation again", "Урилгыг дахин илгээлт"),
  "user.endSessions": text(
    "Завершение сеансов пользователя",
    "Ending the sessions of a user",
    "Хэрэглэгчийн сешн дуусгалт",
  ),
  "accessGroup.create": text(
    "Создание группы доступа",
    "Creating an access group",
    "Хандалтын бүлэг үүсгэлт",
  ),
  "accessGroup.update": text(
    "Изменение группы доступа",
    "Changing an access group",
    "Хандалтын бүлэг өөрчлөлт",
  ),
  "accessGroup.delete": text(
    "Удаление группы доступа",
    "Removing an access group",
    "Хандалтын бүлэг устгалт",
  ),
  "device.tieUser": text(
    "Привязка пользователей к устройству",
    "Tying users to a device",
    "Хэрэглэгчийг төхөөрөмжид холболт",
  ),
  "point.create": text("Создание точки учёта", "Creating an accounting point", "Хэмжих цэг үүсгэлт"),
  "point.update": text("Изменение точки учёта", "Changing an accounting point", "Хэмжих цэг өөрчлөлт"),
  "point.delete": text("Удаление точки учёта", "Deleting an accounting point", "Хэмжих цэг устгалт"),
  "point.place": text(
    "Привязка точки учёта к объекту",
    "Placing an accounting point at an object",
    "Хэмжих цэгийг объектод холбох",
  ),
  "point.term": text("Условие точки учёта", "A term of an accounting point", "Хэмжих цэгийн нөхцөл"),
  "point.tieDevice": text(
    "Привязка прибора к точке учёта",
    "Tying a device to an accounting point",
    "Төхөөрөмжийг хэмжих цэгт холбох",
  ),
  "point.untieDevice": text(
    "Отвязка прибора от точки учёта",
    "Untying a device from an accounting point",
    "Төхөөрөмжийг хэмжих цэгээс салгах",
  ),
  "point.replaceDevice": text(
    "Замена прибора точки учёта",
    "Replacing the device of an accounting point",
    "Хэмжих цэгийн төхөөрөмж солилт",
  ),
  "point.correctTie": text(
    "Исправление показаний при установке или снятии прибора",
    "Correcting the readings of an installed or removed device",
    "Суурилуулсан, буулгасан төхөөрөмжийн заалтыг засах",
  ),
  "point.undoReplacement": text(
    "Отмена замены прибора",
    "Undoing a replacement of a device",
    "Төхөөрөмж солилтыг буцаах",
  ),
  "object.add": text("Добавление объекта", "Adding an object", "Объект нэмэлт"),
  "object.update": text("Изменение объекта", "Changing an object", "Объект өөрчлөлт"),
  "object.move": text("Перенос объекта", "Moving an object", "Объект шилжүүлэлт"),
  "object.sort": text("Порядок объектов", "Order of objects", "Объектын дараалал"),
  "object.remove": text("Удаление ветви объектов", "Removing a branch of objects", "Объектын салаа устгалт"),
  "object.tie": text(
    "Привязка приборов, шлюзов и станций к объекту",
    "Placing devices, gateways and stations at an object",
    "Төхөөрөмж, гарц, станцыг объектод холболт",
  ),
  "object.untie": text(
    "Отвязка приборов, шлюзов и станций от объектов",
    "Taking devices, gateways and stations from objects",
    "Төхөөрөмж, гарц, станцыг объектоос салгалт",
  ),
  "object.tieUser": text(
    "Привязка пользователей к объекту",
    "Tying users to an object",
    "Хэрэглэгчийг объектод холболт",
  ),
  "object.untieUser": text(
    "Отвязка пользователя от объекта",
    "Untying a user from an object",
    "Хэрэглэгчийг объектоос салгалт",
  ),
  "object.attribute": text(
    "Изменение атрибута объекта",
    "Changing an attribute of an object",
    "Объектын шинж өөрчлөлт",
  ),
  "object.count": text(
    "Пересчёт счётчиков дерева",
    "Counting the tree anew",
    "Модны тоолуурыг дахин тоолсон",
  ),
  "period.close": text("Закрытие расчётного периода", "Closing a settlement period", "Тооцооны үе хаалт"),
  "period.correct": text(
    "Корректировка расчётного периода",
    "Correcting a settlement period",
    "Тооцооны үеийн засвар",
  ),
  "period.reopen": text(
    "Повторное открытие расчётного периода",
    "Reopening a settlement period",
    "Тооцооны үеийг дахин нээлт",
  ),
  "modem.poll": text("Опрос за модемом", "Poll behind a modem", "Модемын цаадах асуулга"),
  "gateway.create": text("Создание шлюза", "Making a gateway", "Гарц үүсгэлт"),
  "gateway.update": text("Изменение шлюза", "Changing a gateway", "Гарц өөрчлөлт"),
  "gateway.switch": text(
    "Включение или отключение шлюза",
    "Switching a gateway on or off",
    "Гарц идэвхжүүлэх, идэвхгүй болгох",
  ),
  "gateway.archive": text(
    "Шлюз в архив или из архива",
    "Archiving a gateway or bringing it back",
    "Гарцыг архивлах, буцаах",
  ),
  "gateway.trash": text("Шлюз в корзину", "Moving a gateway to the trash", "Гарцыг хогийн саванд хийлт"),
  "gateway.restore": text(
    "Шлюз из корзины",
    "Bringing a gateway back from the trash",
    "Гарцыг хогийн савнаас сэргээлт",
  ),
  "gateway.remove": text("Удаление шлюза", "Removing a gateway for good", "Гарц бүрмөсөн устгалт"),
  "device.gateway": text("Замена шлюза прибора", "Another gateway of a device", "Төхөөрөмжийн гарц солилт"),
  "baseStation.create": text("Создание базовой станции", "Making a base station", "Суурь станц үүсгэлт"),
  "baseStation.update": text("Изменение базовой станции", "Changing a base station", "Суурь станц өөрчлөлт"),
  "baseStation.switch": text(
    "Включение или отключение базовой станции",
    "Switching a base station on or off",
    "Суурь станц идэвхжүүлэх, идэвхгүй болгох",
  ),
  "baseStation.archive": text(
    "Базовая станция в архив или из архива",
    "Archiving a base station or bringing it back",
    "Суурь станцыг архивлах, буцаах",
  ),
  "baseStation.trash": text(
    "Базовая станция в корзину",
    "Moving a base station to the trash",
    "Суурь станцыг хогийн саванд хийлт",
  ),
  "baseStation.restore": text(
    "Базовая станция из корзины",
    "Bringing a base station back from the trash",
    "Суурь станцыг хогийн савнаас сэргээлт",
  ),
  "baseStation.remove": text(
    "Удаление базовой станции",
    "Removing a base station for good",
    "Суурь станц бүрмөсөн устгалт",
  ),
  "gateway.line": text("Линия шлюза", "Line of a gateway", "Гарцын шугам"),
  "line.test": text("Проверка линии", "Test of a line", "Шугамын шалгалт"),
  "inbox.create": text(
    "Добавление из неизвестных",
    "Registering an unknown caller",
    "Танигдаагүйгээс бүртгэлт",
  ),
  "bridge.open": text("Прозрачный порт открыт", "A transparent port was opened", "Тунгалаг порт нээсэн"),
  "bridge.close": text("Прозрачный порт закрыт", "A transparent port was closed", "Тунгалаг порт хаасан"),
  "simulation.start": text("Запуск имитации", "Starting a simulation", "Загварчлал эхлүүлэх"),
  "simulation.remove": text("Удаление имитации", "Removing a simulation", "Загварчлал устгах"),
  "codec.save": text("Новая версия кодека", "A new version of a codec", "Кодекийн шинэ хувилбар"),
  "codec.switch": text(
    "Включение или отключение кодека",
    "Switching a codec on or off",
    "Кодек идэвхжүүлэх, идэвхгүй болгох",
  ),
  "codec.delete": text("Удаление кодека", "Removing a codec", "Кодек устгалт"),
  "codec.decodeAgain": text(
    "Повторное декодирование посылок",
    "Decoding payloads again",
    "Илгээлтийг дахин тайлалт",
  ),
  "readings.import": text(
    "Загрузка файла показаний",
    "Importing a file of readings",
    "Заалтын файл импортлох",
  ),
  "sheet.run": text("Загрузка из таблицы", "Import from a spreadsheet", "Хүснэгтээс импорт"),
  "sheet.undo": text(
    "Отмена загрузки из таблицы",
    "Undoing an import from a spreadsheet",
    "Хүснэгтийн импортыг буцаалт",
  ),
  "networkServer.save": text(
    "Сетевой сервер LoRaWAN",
    "A LoRaWAN network server",
    "LoRaWAN сүлжээний сервер",
  ),
  "networkServer.delete": text(
    "Удаление сетевого сервера LoRaWAN",
    "Removing a LoRaWAN network server",
    "LoRaWAN сүлжээний сервер устгалт",
  ),
  "mqttMapping.save": text("Сопоставление MQTT", "An MQTT mapping", "MQTT харгалзуулалт"),
  "mqttMapping.delete": text(
    "Удаление сопоставления MQTT",
    "Removing an MQTT mapping",
    "MQTT харгалзуулалт устгалт",
  ),
  "mqttAccount.issue": text(
    "Новый пароль к брокеру MQTT",
    "A new password for the MQTT broker",
    "MQTT брокерын шинэ нууц үг",
  ),
} as const satisfies Record<string, Text>;

export type AuditAction = keyof typeof auditActions;

const byCode: ReadonlyMap<string, Text> = new Map(Object.entries(auditActions));

/** Title of an action; for one of an older version that no longer exists, its code. */
export function auditTitle(action: string): Text {
  return byCode.get(action) ?? text(action, action, action);
}
