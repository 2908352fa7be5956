import type { StepTable, TraceWords } from "../table.ts";

/** Words of payloads over LoRaWAN. */
export const lorawan = {
  packet_type: ["вид пакета", "packet type", "багцын төрөл"],
  settings: ["настройки", "settings", "тохиргоо"],
  input_of_the_alarm: ["вход тревоги", "input of the alarm", "түгшүүрийн оролт"],
  reason_of_sending: ["причина отправки", "reason of sending", "илгээсэн шалтгаан"],
  input: ["вход {n}", "input {n}", "оролт {n}"],
  si11_settings: ["{n}, раз в {count} {unit}", "{n}, every {count} {unit}", "{n}, {count} {unit} тутам"],
  si11_settings_guarded: [
    "{n}, раз в {count} {unit}, охранные входы {detail}",
    "{n}, every {count} {unit}, guarded inputs {detail}",
    "{n}, {count} {unit} тутам, хамгаалалтын оролт {detail}",
  ],
  setting: ["настройка", "setting", "тохиргоо"],
  setting_value: ["значение настройки {n}", "value of setting {n}", "{n}-р тохиргооны утга"],
  channel: ["канал", "channel", "суваг"],
  channel_and_type: ["канал и вид", "channel and type", "суваг, төрөл"],
  register_code: ["регистр", "register", "регистр"],
  device: ["устройство", "device", "төхөөрөмж"],
  groups: ["какие группы дальше", "groups that follow", "дараагийн бүлгүүд", "hex"],
  leak: ["протечка", "leak", "ус алдалт"],
  restart_mark: ["признак перезапуска", "mark of a restart", "дахин эхэлсний тэмдэг"],
  report_period: ["период сообщений", "reporting period", "мэдээний хугацаа"],
  battery_state: [
    "состояние и милливольты батареи",
    "battery state and millivolts",
    "батарейн төлөв, милливольт",
  ],
  external_sensor: ["внешний датчик", "external sensor", "гадаад мэдрэгч"],
  external_value: ["значение внешнего датчика", "value of the external sensor", "гадаад мэдрэгчийн утга"],
  kind: ["вид", "kind", "төрөл"],
  capacitor_voltage: ["напряжение конденсатора", "voltage of the capacitor", "конденсаторын хүчдэл"],
} as const satisfies TraceWords;

/** Messages of LoRaWAN devices and network servers, and downlinks. */
export const lorawanSteps = {
  uplink: ["Сообщение {n}, порт {port}", "Uplink {n}, port {port}", "Мэдээ {n}, порт {port}"],
  radio: [
    "Принято по радио: [{rssi} дБм, ][{snr} дБ, ][{rate}, ]шлюзов: {gateways}",
    "Received by radio: [{rssi} dBm, ][{snr} dB, ][{rate}, ]{gateways} gateways",
    "Радиогоор хүлээн авсан: [{rssi} дБм, ][{snr} дБ, ][{rate}, ]гарц: {gateways}",
  ],
  radio_confirmed: [
    "Принято по радио: [{rssi} дБм, ][{snr} дБ, ][{rate}, ]шлюзов: {gateways}, ждёт подтверждения",
    "Received by radio: [{rssi} dBm, ][{snr} dB, ][{rate}, ]{gateways} gateways, confirmation requested",
    "Радиогоор хүлээн авсан: [{rssi} дБм, ][{snr} дБ, ][{rate}, ]гарц: {gateways}, баталгаа хүссэн",
  ],
  status: [
    "Прибор слышит сеть: {margin} дБ[, {battery} %]",
    "Received by the device with {margin} dB[, {battery} %]",
    "Төхөөрөмж сүлжээг сонсож буй: {margin} дБ[, {battery} %]",
  ],
  join: ["Вход в сеть", "Joined the network", "Сүлжээнд нэгдсэн"],
  join_address: ["Адрес {address}", "Address {address}", "Хаяг {address}"],
  late: ["Пришло после более позднего", "Arrived after a later message", "Хожмын мэдээний дараа ирсэн"],
  counter_restarted: [
    "Счётчик прибора начат заново",
    "The counter of the device was restarted",
    "Төхөөрөмжийн тоолуур шинээр эхэлсэн",
  ],
  missing: [
    "Перед этим пропущено сообщений: {n}",
    "{n} messages missing before this one",
    "Үүнээс өмнө дутсан мэдээ: {n}",
  ],
  downlink: ["Прибору, порт {port}", "To the device, port {port}", "Төхөөрөмж рүү, порт {port}"],
  downlink_queued: ["Ждёт на сервере сети", "Queued at the network server", "Сүлжээний серверт хүлээж байна"],
  downlink_sent: ["Отправлено шлюзом", "Sent by a gateway", "Гарц илгээсэн"],
  downlink_acknowledged: ["Прибор подтвердил", "Confirmed by the device", "Төхөөрөмж баталсан"],
  downlink_not_acknowledged: ["Прибор не подтвердил", "Not confirmed by the device", "Төхөөрөмж батлаагүй"],
  downlink_failed: ["Не отправлено", "Not sent", "Илгээгдээгүй"],
} as const satisfies StepTable;
