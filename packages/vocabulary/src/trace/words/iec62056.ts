import type { TraceWords } from "../table.ts";

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
