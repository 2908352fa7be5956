import type { Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Success messages of the server, by code. */
export const messages = {
  saved: text("Сохранено", "Saved", "Хадгалсан"),
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
  company_created: text("Компания создана", "The company has been created", "Компани үүсгэсэн"),
  company_switched_on: text("Компания включена", "The company is switched on", "Компани идэвхжсэн"),
  company_switched_off: text("Компания выключена", "The company is switched off", "Компани идэвхгүй болсон"),
  company_deleted: text("Компания удалена", "The company has been deleted", "Компани устгагдсан"),
  company_restored: text("Компания восстановлена", "The company has been restored", "Компани сэргээгдсэн"),
  company_moved: text("Компания перенесена", "The company has been moved", "Компани шилжсэн"),
  service_removed: text("Услуга отключена", "The service has been removed", "Үйлчилгээг хассан"),
  service_exported: text("Выгружено строк: {count}", "Rows exported: {count}", "Экспортолсон мөр: {count}"),
  company_left: text("Вы вышли из компании", "You have left the company", "Та компаниас гарлаа"),
  device_switched_on: text("Устройство включено", "The device is switched on", "Төхөөрөмж идэвхжсэн"),
  device_switched_off: text(
    "Устройство выключено",
    "The device is switched off",
    "Төхөөрөмж идэвхгүй болсон",
  ),
  polling_switched_on: text("Опрос включён", "Polling is switched on", "Асуулга идэвхжсэн"),
  polling_switched_off: text(
    "Опрос выключен: запрос вручную возможен, показания, которые прибор шлёт сам, принимаются",
    "Polling is switched off: the device can still be polled manually, and its own messages are accepted",
    "Асуулга идэвхгүй: гараар асууж болно, төхөөрөмжийн өөрөө илгээсэн заалтыг хүлээн авна",
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
  poll_group_created: text(
    "Группа опроса создана",
    "The poll group has been created",
    "Асуулгын бүлэг үүслээ",
  ),
  poll_group_switched_on: text("Опрос группы включён", "The group is polled", "Бүлгийн асуулга идэвхжсэн"),
  poll_group_switched_off: text(
    "Опрос группы выключен",
    "The group is no longer polled",
    "Бүлгийн асуулга идэвхгүй болсон",
  ),
  poll_group_moved: text(
    "Приборов перенесено в группу: {count}",
    "Devices moved to the group: {count}",
    "Бүлэгт шилжүүлсэн төхөөрөмж: {count}",
  ),
  poll_group_deleted: text(
    "Группа опроса удалена",
    "The poll group has been deleted",
    "Асуулгын бүлэг устгагдсан",
  ),
  holes_asked: text(
    "Запрошено пропусков: {count}",
    "Missing values requested: {count}",
    "Асуусан дутуу утга: {count}",
  ),
  holes_none: text(
    "Запрашивать нечего: в приборах этих значений нет или они уже запрошены",
    "Nothing to request: the meters do not have these values, or they are being requested already",
    "Асуух зүйл алга: эдгээр утга төхөөрөмжид байхгүй эсвэл аль хэдийн асуусан",
  ),
  devices_changing: text(
    "Задача на {count} устройств создана, ход — в списке задач",
    "Task for {count} devices created; the list of tasks shows its progress",
    "{count} төхөөрөмжийн даалгавар үүслээ, явцыг даалгаврын жагсаалтаас харна",
  ),
  devices_none: text(
    "Нет устройств, подходящих под фильтр",
    "No device matches the filter",
    "Шүүлтүүрт тохирох төхөөрөмж алга",
  ),
  tasks_cancelled: text(
    "Отменено запросов к приборам: {count}",
    "Requests to devices cancelled: {count}",
    "Цуцалсан төхөөрөмжийн хүсэлт: {count}",
  ),
  gateway_created: text("Шлюз создан", "The gateway has been made", "Гарц үүсгэлээ"),
  gateway_to_trash: text("Шлюз в корзине", "The gateway is in the trash", "Гарц хогийн саванд орлоо"),
  gateway_restored: text("Шлюз восстановлен", "The gateway is back", "Гарц сэргээгдлээ"),
  gateway_removed: text(
    "Шлюз удалён безвозвратно",
    "The gateway has been removed for good",
    "Гарц бүрмөсөн устлаа",
  ),
  line_saved: text("Линия сохранена", "The line has been saved", "Шугам хадгалагдлаа"),
  line_removed: text("Линия убрана", "The line has been removed", "Шугамыг хаслаа"),
  gateway_replaced: text(
    "Приборов перенесено на другой шлюз: {count}",
    "Devices moved to another gateway: {count}",
    "Өөр гарц руу шилжүүлсэн төхөөрөмж: {count}",
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
  attribute_removed: text("Атрибут удалён", "The attribute has been removed", "Шинжийг устгалаа"),
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
  registered: text(
    "Мы отправили письмо на указанный адрес. Откройте ссылку из него, чтобы завершить регистрацию",
    "We have sent a letter to this address. Open the link in it to complete the registration",
    "Бид энэ хаяг руу захидал илгээлээ. Бүртгэлээ дуусгахын тулд доторх холбоосыг нээнэ үү",
  ),
  activated: text(
    "Регистрация подтверждена, можно войти",
    "The registration is confirmed, you can sign in",
    "Бүртгэл баталгаажлаа, нэвтэрч болно",
  ),
  activated_password_sent: text(
    "Регистрация подтверждена. Пароль для первого входа отправлен письмом",
    "The registration is confirmed. The password for the first sign-in has been sent by letter",
    "Бүртгэл баталгаажлаа. Анх нэвтрэх нууц үгийг захидлаар илгээлээ",
  ),
  password_asked: text(
    "Если такой адрес есть, мы отправили на него письмо со ссылкой",
    "If an account with this address exists, we have sent it a letter with a link",
    "Ийм хаяг байгаа бол бид холбоостой захидал илгээсэн",
  ),
  password_set: text(
    "Пароль изменён, войдите с новым",
    "The password has been changed, sign in with the new one",
    "Нууц үг өөрчлөгдлөө, шинээр нэвтэрнэ үү",
  ),
  two_factor_on: text(
    "Двухфакторный вход включён, остальные сеансы завершены",
    "Two-factor sign-in is on, all other sessions have ended",
    "Хоёр шатлалт нэвтрэлт идэвхжиж, бусад холболт дууссан",
  ),
  two_factor_off: text(
    "Двухфакторный вход выключен, остальные сеансы завершены",
    "Two-factor sign-in is off, all other sessions have ended",
    "Хоёр шатлалт нэвтрэлт унтарч, бусад холболт дууссан",
  ),
  member_two_factor_off: text(
    "Двухфакторный вход пользователя выключен, его сеансы завершены",
    "Two-factor sign-in of the user is off, all their sessions have ended",
    "Хэрэглэгчийн хоёр шатлалт нэвтрэлт унтарч, холболтууд нь дууссан",
  ),
  recovery_codes_made: text(
    "Новые резервные коды готовы, прежние не действуют",
    "New recovery codes are ready, the earlier ones no longer work",
    "Шинэ нөөц код бэлэн, өмнөх код хүчингүй",
  ),
  password_changed: text(
    "Пароль изменён, остальные сеансы и ключи API завершены",
    "The password has been changed; all other sessions and API tokens have ended",
    "Нууц үг өөрчлөгдөж, бусад холболт, API түлхүүр дууссан",
  ),
  session_ended: text("Сеанс завершён", "The session has ended", "Холболт дууссан"),
  other_sessions_ended: text(
    "Остальные сеансы завершены",
    "All other sessions have ended",
    "Бусад холболт дууссан",
  ),
  token_created: text("Ключ API создан", "The API token has been created", "API түлхүүр үүсгэсэн"),
  subscribed: text("Подписка оформлена", "You are subscribed", "Та бүртгүүллээ"),
  unsubscribed: text("Подписка отключена", "You are no longer subscribed", "Бүртгэл цуцлагдлаа"),
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
  licence_taken: text("Лицензия принята", "The licence is in use", "Лицензийг хүлээн авлаа"),
  entered_left: text(
    "Вы вернулись в свою учётную запись",
    "You are back in your own account",
    "Та өөрийн бүртгэлдээ буцлаа",
  ),
  user_invited: text(
    "Приглашение отправлено: {email}",
    "The invitation has been sent: {email}",
    "Урилга илгээсэн: {email}",
  ),
  user_switched_on: text("Пользователь включён", "The user is switched on", "Хэрэглэгч идэвхжсэн"),
  user_switched_off: text(
    "Пользователь выключен, его сеансы завершены",
    "The user is switched off, all their sessions have ended",
    "Хэрэглэгч идэвхгүй болж, сешнүүд нь дууссан",
  ),
  user_deleted: text("Пользователь удалён", "The user has been removed", "Хэрэглэгчийг устгасан"),
  sessions_ended: text(
    "Все сеансы пользователя завершены",
    "All sessions of the user have ended",
    "Хэрэглэгчийн бүх сешн дууссан",
  ),
  group_created: text("Группа создана", "The group has been created", "Бүлэг үүсгэсэн"),
  group_deleted: text("Группа удалена", "The group has been removed", "Бүлгийг устгасан"),
  users_tied: text("Привязано пользователей: {count}", "Users tied: {count}", "Холбосон хэрэглэгч: {count}"),
  letter_queued: text(
    "Письмо снова в очереди",
    "The letter is queued again",
    "Захидал дахин дараалалд орлоо",
  ),
  bridge_opened: text(
    "Прозрачный порт открыт: {port}",
    "The transparent port is open: {port}",
    "Тунгалаг порт нээлттэй: {port}",
  ),
  bridge_closed: text("Прозрачный порт закрыт", "The transparent port is closed", "Тунгалаг порт хаагдсан"),
  simulation_started: text(
    "Имитация запущена, приборов: {devices}",
    "The simulation is running, devices: {devices}",
    "Загварчлал ажиллаж байна, төхөөрөмж: {devices}",
  ),
  simulation_removed: text(
    "Имитированные приборы удалены: {devices}",
    "Simulated devices removed: {devices}",
    "Загварчилсан төхөөрөмж устгагдсан: {devices}",
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
  mapping_saved: text("Сопоставление сохранено", "The mapping is saved", "Харгалзуулалт хадгалагдлаа"),
  mapping_removed: text("Сопоставление удалено", "The mapping is removed", "Харгалзуулалт устлаа"),
  mqtt_password_issued: text(
    "Новый пароль выдан, прежний больше не действует",
    "A new password is issued, the old one is no longer valid",
    "Шинэ нууц үг олголоо, хуучин нь хүчингүй",
  ),
  mqtt_password_first: text("Пароль выдан", "The password is issued", "Нууц үг олголоо"),
  network_server_saved: text(
    "Сетевой сервер сохранён",
    "The network server is saved",
    "Сүлжээний сервер хадгалагдлаа",
  ),
  network_server_removed: text(
    "Сетевой сервер удалён",
    "The network server is removed",
    "Сүлжээний сервер устлаа",
  ),
} as const satisfies Record<string, Text>;

export type MessageCode = keyof typeof messages;
