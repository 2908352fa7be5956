import type { StepTable, TraceWords } from "../table.ts";

/** Words of frames of Modbus. */
export const modbus = {
  unit: ["адрес прибора", "device address", "төхөөрөмжийн хаяг", "address"],
  function: ["функция", "function", "функц", "function"],
  register_address: ["адрес регистра", "register address", "регистрийн хаяг", "function hex"],
  register_count: ["сколько регистров", "registers", "регистрийн тоо"],
  byte_count: ["число байт", "byte count", "байтын тоо"],
  exception: ["код отказа", "refusal code", "татгалзсан код"],
  transaction: ["номер запроса", "request number", "хүсэлтийн дугаар"],
  protocol: ["протокол", "protocol", "протокол"],
  register: ["регистр {n}", "register {n}", "регистр {n}"],
  odd_byte: ["лишний байт", "odd byte", "илүү байт"],
} as const satisfies TraceWords;

/** Steps of a dialogue in Modbus. */
export const modbusSteps = {
  read_coils: ["Выходы {from}–{to}", "Coils {from}–{to}", "Гаралт {from}–{to}"],
  switch_coil_on: ["Включение выхода {n}", "Switch coil {n} on", "{n} гаралтыг асаах"],
  switch_coil_off: ["Отключение выхода {n}", "Switch coil {n} off", "{n} гаралтыг унтраах"],
  write_registers: [
    "Запись регистров {from}–{to}",
    "Write registers {from}–{to}",
    "Регистр {from}–{to} бичих",
  ],
  read_registers: ["Регистры {from}–{to}", "Registers {from}–{to}", "Регистр {from}–{to}"],
} as const satisfies StepTable;
