import type { StepTable, TraceWords } from "../table.ts";

/** Words of IEC 62056-21 and of P1. */
export const iec62056 = {
  sign_on: ["вызов, адрес", "sign-on, address", "дуудлага, хаяг", "address"],
  speed: ["скорость", "speed", "хурд"],
  option: [
    "выбор: протокол, скорость, режим",
    "option: protocol, speed, mode",
    "сонголт: протокол, хурд, горим",
  ],
  command: ["команда", "command", "команд", "function"],
  device_type: ["тип прибора", "type of the device", "төхөөрөмжийн төрөл"],
  etx_bcc: ["конец ETX и контроль BCC", "ETX and check BCC", "төгсгөл ETX, шалгалт BCC", "check"],
  eot_bcc: ["часть EOT и контроль BCC", "EOT and check BCC", "хэсэг EOT, шалгалт BCC", "check"],
  ack: ["подтверждение ACK", "ACK", "баталгаа ACK"],
  nak: ["отказ NAK", "NAK", "татгалзал NAK"],
  soh: ["начало заголовка SOH", "SOH", "толгойн эхлэл SOH"],
  stx: ["начало текста STX", "STX", "текстийн эхлэл STX"],
  cr_lf: ["конец строки", "end of line", "мөрийн төгсгөл"],
  etx: ["конец ETX", "ETX", "төгсгөл ETX"],
  eot: ["часть EOT", "EOT", "хэсэг EOT"],
  end_and_crc: ["конец и контроль CRC-16", "end and CRC-16", "төгсгөл, шалгалт CRC-16", "check"],
} as const satisfies TraceWords;

/** Steps of a dialogue in IEC 62056-21. */
export const iec62056Steps = {
  sign_on: ["Вызов {n}", "Sign on to {n}", "{n}-г дуудах"],
  sign_on_any: ["Вызов любого прибора", "Sign on to any meter", "Аль ч тоолуурыг дуудах"],
  sign_on_read_out: [
    "Вызов и ожидание показаний",
    "Sign on and wait for the read-out",
    "Дуудаад заалт хүлээх",
  ],
  ask_read_out: ["Запрос показаний", "Request the read-out", "Заалт асуух"],
  switch_to_binary: ["Переход в двоичный режим", "Switch to binary mode", "Хоёртын горимд шилжих"],
  enter_programming: ["Вход в режим программирования", "Enter programming mode", "Программчлах горимд орох"],
  send_password: ["Отправка пароля", "Send the password", "Нууц үг илгээх"],
  go_on: ["Продолжать", "Continue", "Үргэлжлүүлэх"],
  break_off: ["Завершение сеанса", "Break", "Холбоог дуусгах"],
} as const satisfies StepTable;
