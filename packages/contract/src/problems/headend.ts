import { kind, type ProblemKinds } from "./kind.ts";

/** Refusals concerning lines, brokers and polls. */
export const headendProblems = {
  bridge_off: kind(
    409,
    "Прозрачные порты в этой установке выключены (METRUM_BRIDGE_PORTS)",
    "Transparent ports are switched off in this installation (METRUM_BRIDGE_PORTS)",
    "Энэ суурилуулалтад тунгалаг портууд унтраалттай (METRUM_BRIDGE_PORTS)",
  ),
  bridge_busy: kind(
    409,
    "Линию уже занимает другой прозрачный порт",
    "The line is in use by another transparent port",
    "Шугамыг өөр тунгалаг порт эзэлсэн байна",
  ),
  bridge_full: kind(
    409,
    "Все прозрачные порты установки заняты: закройте ненужный или подождите, пока один освободится",
    "All transparent ports of this installation are in use: close one, or wait until one is free",
    "Энэ суурилуулалтын бүх тунгалаг порт эзлэгдсэн: нэгийг хаах, эсвэл чөлөөлөгдөхийг хүлээнэ үү",
  ),
  line_down: kind(
    409,
    "Нет связи с линией: прозрачный порт не открыт",
    "The line is not connected: no transparent port was opened",
    "Шугамтай холбоогүй: тунгалаг порт нээгдсэнгүй",
  ),
  line_not_set: kind(
    409,
    "У шлюза нет линии: сначала задайте её",
    "The gateway has no line: set it first",
    "Гарцад шугам байхгүй: эхлээд тохируулна уу",
  ),
  line_busy: kind(
    409,
    "Линия занята опросом, другой проверкой или прозрачным портом: повторите позже",
    "The line is in use by a poll, another test or a transparent port: try again later",
    "Шугамыг асуулга, өөр шалгалт эсвэл тунгалаг порт эзэлсэн: дараа дахин оролдоно уу",
  ),
  line_test_limit: kind(
    409,
    "Слишком много проверок: не больше {max} в минуту",
    "Too many tests: at most {max} a minute",
    "Хэт олон шалгалт: минутад {max}-аас ихгүй",
  ),
  line_limit: kind(
    409,
    "Линий не больше {max}: удалите ненужные",
    "At most {max} lines: remove those that are not needed",
    "Шугам {max}-аас ихгүй: хэрэггүйг нь устгана уу",
  ),
  receiver_limit: kind(
    409,
    "Приёмников не больше {max}: удалите ненужные",
    "At most {max} receivers: remove those that are not needed",
    "Хүлээн авагч {max}-аас ихгүй: хэрэггүйг нь устгана уу",
  ),
  task_limit: kind(
    409,
    "За сутки создано слишком много задач: не больше {tasks} задач и {devices} запросов к приборам",
    "Too many tasks within a day: at most {tasks} tasks and {devices} requests to devices",
    "Нэг хоногт хэт олон даалгавар: {tasks}-аас ихгүй даалгавар, төхөөрөмжид {devices}-аас ихгүй хүсэлт",
  ),
  request_refused: kind(
    422,
    "Запрос не отправлен: {reason}",
    "The request was not sent: {reason}",
    "Хүсэлт илгээгдсэнгүй: {reason}",
  ),
  request_in_flight: kind(
    409,
    "Этот архив прибора уже запрашивается за другой период: дождитесь ответа или отмените задачу",
    "This archive of the device is already being requested for another period: wait for the answer, or cancel the task",
    "Төхөөрөмжийн энэ архивыг өөр хугацаагаар асууж байна: хариуг хүлээх эсвэл даалгаврыг цуцална уу",
  ),
  poll_group_limit: kind(
    409,
    "Групп опроса не больше {max}: удалите ненужные",
    "At most {max} poll groups: remove those that are not needed",
    "Асуулгын бүлэг {max}-аас ихгүй: хэрэггүйг нь устгана уу",
  ),
  control_frozen: kind(
    409,
    "Управление приборами остановлено поставщиком услуг: {reason}",
    "Control of devices has been stopped by the provider: {reason}",
    "Төхөөрөмжийн удирдлагыг үйлчилгээ үзүүлэгч зогсоосон: {reason}",
  ),
  control_others: kind(
    409,
    "Состав устройств изменился после проверки: проверьте список ещё раз",
    "The devices are others than those that were checked: check the list again",
    "Шалгаснаас хойш төхөөрөмжүүд өөрчлөгдсөн: жагсаалтыг дахин шалгана уу",
  ),
  control_repeated: kind(
    409,
    "Такая же команда этому прибору уже отправлена: дождитесь её исхода",
    "The same command has already been sent to this device: wait for its outcome",
    "Ийм тушаалыг энэ төхөөрөмжид аль хэдийн илгээсэн: үр дүнг нь хүлээнэ үү",
  ),
  control_limit: kind(
    429,
    "Слишком много команд: не больше {max} в минуту",
    "Too many commands: at most {max} a minute",
    "Хэт олон тушаал: минутад {max}-аас ихгүй",
  ),
  control_proof: kind(
    409,
    "Подтвердите команду: введите пароль или одноразовый код, а при отключении многих приборов и их число",
    "Confirm the command: enter your password or a one-time code and, to switch off many devices, their number",
    "Тушаалыг баталгаажуулна уу: нууц үг эсвэл нэг удаагийн код, олон төхөөрөмж салгахад тоог нь оруулна уу",
  ),
  nothing_to_repeat: kind(
    409,
    "Повторять нечего: в задаче нет приборов с ошибкой, которые можно опросить",
    "There is nothing to repeat: no device of this task failed and can be asked",
    "Давтах зүйл алга: энэ даалгаварт алдаатай, асууж болох төхөөрөмж байхгүй",
  ),
  mapping_limit: kind(
    409,
    "Сопоставлений не больше {max}: удалите ненужные",
    "At most {max} mappings: remove those that are not needed",
    "Харгалзуулалт {max}-аас ихгүй: хэрэггүйг нь устгана уу",
  ),
  broker_elsewhere: kind(
    409,
    "Брокер MQTT внешний: пароль выдаёт тот, кто им управляет",
    "The MQTT broker is an external one: its operator issues passwords",
    "MQTT брокер гадаад тул нууц үгийг түүнийг ажиллуулагч олгоно",
  ),
  push_token: kind(
    403,
    "Подпись сетевого сервера не подходит к ключу AS",
    "The token of the network server does not match the AS key",
    "Сүлжээний серверийн токен AS түлхүүрт тохирохгүй байна",
  ),
  network_server_limit: kind(
    409,
    "Сетевых серверов не больше {max}: удалите ненужные",
    "At most {max} network servers: remove those that are not needed",
    "Сүлжээний сервер {max}-аас ихгүй: хэрэггүйг нь устгана уу",
  ),
} as const satisfies ProblemKinds;
