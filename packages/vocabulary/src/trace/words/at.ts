import type { StepTable, TraceWords } from "../table.ts";

/** Words of AT commands. */
export const at = {
  at_line: ["строка AT", "AT line", "AT мөр"],
  at_clock: ["часы модема", "clock of the modem", "модемын цаг"],
  at_signal: ["уровень сигнала", "signal level", "дохионы түвшин"],
} as const satisfies TraceWords;

/** Steps of a dialogue in AT commands, and bytes of a user. */
export const atSteps = {
  at_restart: ["Перезапуск модема", "Restart the modem", "Модемыг дахин асаах"],
  raw_bytes: ["Байты пользователя", "Bytes of a user", "Хэрэглэгчийн байт"],
} as const satisfies StepTable;
