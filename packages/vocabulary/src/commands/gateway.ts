import type { Command } from "./commandArguments.ts";
import { text } from "./commandText.ts";

const state = {
  changesDevice: false,
  actuates: false,
  answers: "state",
  control: "gateway_settings",
  arguments: { value: "any" },
} as const;

/** Single parameters of a gateway, one entry of its controls. */
export const gatewayCommands = [
  { ...state, key: "signal_level", title: text("Уровень сигнала", "Signal level", "Дохионы түвшин") },
  { ...state, key: "uptime", title: text("Время работы", "Uptime", "Ажилласан хугацаа") },
  {
    ...state,
    key: "board_temperature",
    title: text("Температура модема", "Modem temperature", "Модемын температур"),
  },
] as const satisfies readonly Command[];
