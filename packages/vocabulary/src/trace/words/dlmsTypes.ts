import type { TraceWords } from "../table.ts";

/** Types of values of DLMS that have a word; the others are named as in the standard. */
export const dlmsTypes = {
  type_array: ["массив", "array", "массив"],
  type_structure: ["структура", "structure", "бүтэц"],
  type_octets: ["байты", "octets", "байтууд"],
  type_enum: ["перечисление", "enum", "жагсаалтын утга"],
  type_null: ["пусто", "null", "хоосон"],
  type_bit_string: ["строка битов", "bit string", "битийн мөр"],
  type_date_time: ["дата и время", "date and time", "огноо, цаг"],
  type_date: ["дата", "date", "огноо"],
  type_time: ["время", "time", "цаг"],
  type_compact_array: ["плотный массив", "compact array", "нягт массив"],
} as const satisfies TraceWords;
