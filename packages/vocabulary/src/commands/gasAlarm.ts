import type { Command } from "./commandArguments.ts";
import type { CommandField } from "./commandFields.ts";
import { text } from "./commandText.ts";

const state = {
  changesDevice: false,
  actuates: false,
  answers: "state",
  control: "mg08",
  arguments: { value: "any" },
} as const;
const setting = {
  changesDevice: true,
  actuates: false,
  isRepeatable: true,
  control: "mg08",
  isBeside: true,
} as const;

const level = <Key extends string>(key: Key) =>
  ({
    key,
    title: text("Порог", "Threshold", "Босго"),
    kind: "number",
    unit: "none",
    minimum: 0,
    maximum: 65_535,
    step: 1,
    isRequired: true,
  }) as const satisfies CommandField;
const toggle = <Key extends string>(key: Key) =>
  ({
    key,
    title: text("Включено", "Active", "Идэвхтэй"),
    kind: "switch",
    isRequired: true,
  }) as const satisfies CommandField;

/** Gas alarms of the series mg08. */
export const gasAlarmCommands = [
  {
    ...setting,
    key: "muffling",
    title: text("Заглушить звук", "Muffle the alarm", "Дохиог намдаах"),
    isRepeatable: false,
    arguments: { value: "any" },
  },
  {
    ...state,
    key: "get_alarm_value",
    title: text("Прочитать пороги тревоги", "Read the alarm thresholds", "Дохионы босго унших"),
  },
  {
    ...state,
    key: "get_exit_alarm_value",
    title: text(
      "Прочитать пороги выхода из тревоги",
      "Read the exit thresholds",
      "Дохионоос гарах босго унших",
    ),
  },
  {
    ...setting,
    key: "test_mode",
    title: text("Режим проверки", "Test mode", "Шалгах горим"),
    arguments: [toggle("test_mode")],
  },
  {
    ...setting,
    key: "solenoid_valve_closed",
    title: text("Электромагнитный клапан закрыт", "Solenoid valve closed", "Соронзон хаалт хаалттай"),
    actuates: true,
    isRepeatable: false,
    confirmation: text(
      "Переключить клапан газа? Подача потребителю прекратится или возобновится",
      "Switch the gas valve? The supply of the consumer will stop or start",
      "Хийн хаалтыг залгах уу? Хэрэглэгчийн нийлүүлэлт зогсоно эсвэл эхэлнэ",
    ),
    arguments: [{ ...toggle("solenoid_valve_closed"), switchesOffWhen: true }],
  },
  {
    ...setting,
    key: "co_alarm",
    title: text("Порог тревоги CO", "CO alarm threshold", "CO дохионы босго"),
    readBack: "get_alarm_value",
    arguments: [level("co_alarm")],
  },
  {
    ...setting,
    key: "co_exit_alarm",
    title: text("Порог выхода из тревоги CO", "CO exit threshold", "CO дохионоос гарах босго"),
    readBack: "get_exit_alarm_value",
    arguments: [level("co_exit_alarm")],
  },
  {
    ...setting,
    key: "gas_alarm",
    title: text("Порог тревоги газа", "Gas alarm threshold", "Хийн дохионы босго"),
    readBack: "get_alarm_value",
    arguments: [level("gas_alarm")],
  },
  {
    ...setting,
    key: "gas_exit_alarm",
    title: text("Порог выхода из тревоги газа", "Gas exit threshold", "Хийн дохионоос гарах босго"),
    readBack: "get_exit_alarm_value",
    arguments: [level("gas_exit_alarm")],
  },
] as const satisfies readonly Command[];
