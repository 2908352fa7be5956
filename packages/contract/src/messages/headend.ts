import { text, type Messages } from "./text.ts";

/** Messages of success of polling, tasks, lines and network servers. */
export const headendMessages = {
  polling_switched_on: text("Опрос включён", "Polling is switched on", "Асуулга идэвхжсэн"),
  polling_switched_off: text(
    "Опрос выключен: запрос вручную возможен, показания, которые прибор шлёт сам, принимаются",
    "Polling is switched off: the device can still be polled manually, and its own messages are accepted",
    "Асуулга идэвхгүй: гараар асууж болно, төхөөрөмжийн өөрөө илгээсэн заалтыг хүлээн авна",
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
  line_saved: text("Линия сохранена", "The line has been saved", "Шугам хадгалагдлаа"),
  line_removed: text("Линия убрана", "The line has been removed", "Шугамыг хаслаа"),
  request_done: text("Прибор ответил", "The device has answered", "Төхөөрөмж хариу өглөө"),
  request_failed: text(
    "Прибор не опрошен: {reason}",
    "The device was not read: {reason}",
    "Төхөөрөмж уншигдсангүй: {reason}",
  ),
  request_rows: text(
    "Прибор ответил, получено строк: {count}",
    "The device has answered, rows received: {count}",
    "Төхөөрөмж хариу өглөө, ирсэн мөр: {count}",
  ),
  request_no_rows: text(
    "Прибор ответил: за этот период у него нет данных",
    "The device has answered: it has no data of this period",
    "Төхөөрөмж хариу өглөө: энэ хугацаанд өгөгдөл алга",
  ),
  request_waits: text(
    "Запрос в очереди, результат появится в журнале опроса",
    "The request is queued; its result will appear in the poll log",
    "Хүсэлт дараалалд байна, үр дүн асуулгын бүртгэлд гарна",
  ),
  command_done: text(
    "Прибор выполнил команду",
    "The device has carried out the command",
    "Төхөөрөмж тушаалыг гүйцэтгэсэн",
  ),
  command_failed: text(
    "Команда не выполнена: {reason}",
    "The command was not carried out: {reason}",
    "Тушаал гүйцэтгэгдсэнгүй: {reason}",
  ),
  command_unknown: text(
    "Исход неизвестен: прибор мог выполнить команду. Она не повторяется",
    "The outcome is unknown: the device may have carried out the command. It is not repeated",
    "Үр дүн тодорхойгүй: төхөөрөмж тушаалыг гүйцэтгэсэн байж магадгүй. Давтахгүй",
  ),
  command_waits: text(
    "Команда в очереди: она будет отправлена, как только прибор станет доступен, или отменена по истечении срока",
    "The command is queued: it is sent as soon as the device can be reached, or expires",
    "Тушаал дараалалд байна: төхөөрөмж холбогдмогц илгээнэ, эсвэл хугацаа нь дуусна",
  ),
  control_frozen: text(
    "Управление приборами остановлено",
    "The control of devices has been stopped",
    "Төхөөрөмжийн удирдлагыг зогсоосон",
  ),
  control_released: text(
    "Управление приборами разрешено",
    "The control of devices has been released",
    "Төхөөрөмжийн удирдлагыг зөвшөөрсөн",
  ),
  settings_cleared: text(
    "Сохранённые настройки прибора сброшены",
    "The stored settings of the device have been cleared",
    "Төхөөрөмжийн хадгалсан тохиргоог арилгалаа",
  ),
  task_created: text("Задача создана", "The task has been created", "Даалгавар үүслээ"),
  bridge_opened: text(
    "Прозрачный порт открыт: {port}",
    "The transparent port is open: {port}",
    "Тунгалаг порт нээлттэй: {port}",
  ),
  bridge_closed: text("Прозрачный порт закрыт", "The transparent port is closed", "Тунгалаг порт хаагдсан"),
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
} as const satisfies Messages;
