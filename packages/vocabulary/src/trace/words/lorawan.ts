import type { TraceWords } from "../table.ts";

/** Words of payloads over LoRaWAN. */
export const lorawan = {
  packet_type: ["вид пакета", "packet type", "багцын төрөл"],
  settings: ["настройки", "settings", "тохиргоо"],
  input_of_the_alarm: ["вход тревоги", "input of the alarm", "түгшүүрийн оролт"],
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
  report_period: ["период сообщений", "period of reports", "мэдээний хугацаа"],
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
