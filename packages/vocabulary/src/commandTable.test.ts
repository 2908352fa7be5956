// What each command does and takes: a command that changes a device needs another right than one that reads.
import { expect, test } from "vitest";
import type { Command } from "./commands/commandArguments.ts";
import type { CommandField } from "./commands/commandFields.ts";
import { changesDevice, commands, isChangingCommand, isReadingCommand, isStateCommand } from "./commands.ts";

const partsOf = (field: CommandField): string => {
  switch (field.kind) {
    case "number":
      return ` ${field.unit} ${String(field.minimum)} to ${String(field.maximum)} by ${String(field.step)}`;
    case "choice":
      return ` of ${field.choices.map(({ value, switchesOff }) => `${String(value)}${switchesOff ? " off" : ""}`).join(", ")}`;
    case "switch":
      return field.switchesOffWhen === undefined ? "" : ` off when ${String(field.switchesOffWhen)}`;
    case "flags":
      return ` ${String(field.flags.length)}`;
    case "bytes":
      return ` ${String(field.minimum)} to ${String(field.maximum)}`;
    case "list":
      return ` of ${String(field.minimum)} to ${String(field.maximum)} ${field.of}s`;
    case "group":
      return ` (${field.fields.map(lineOf).join("; ")})`;
    case "time":
    case "date":
    case "datetime":
      return "";
  }
};
function lineOf(field: CommandField): string {
  const { key, kind, isRequired, dependsOn } = field;
  const only = dependsOn ? ` if ${dependsOn.key} is ${dependsOn.values.map(String).join(" or ")}` : "";
  return `${key}${isRequired ? "" : "?"}: ${kind}${partsOf(field)}${only}`;
}

function factsOf(command: Command): string {
  const { key, control, isBeside, isOneOnly, changesDevice: changes, actuates } = command;
  const words = [
    changes ? (actuates ? "actuates" : "changes") : `reads ${command.answers}`,
    ...(changes && command.confirmation ? ["asks"] : []),
    ...(changes && command.isRepeatable ? ["again"] : []),
    ...(changes && command.readBack ? [`then ${command.readBack}`] : []),
    ...(control ? [`in ${control}`] : []),
    ...(isBeside ? ["beside"] : []),
    ...(isOneOnly ? ["one only"] : []),
  ];
  return `${key} ${words.join(", ")}`;
}

test("every command does what its table says", () => {
  expect(commands.map(factsOf)).toEqual([
    "now_value reads readings",
    "tariff reads readings",
    "read_info reads readings",
    "archive_profile reads archive, beside",
    "archive reads archive, beside",
    "event_log reads archive, beside",
    "relay_state reads state",
    "power actuates, asks, then relay_state, beside",
    "valve actuates, asks, then relay_state, beside",
    "limit actuates, asks, then limit_state, beside",
    "limit_state reads state",
    "setout actuates, asks, beside",
    "unblock actuates, asks, then relay_state, beside",
    "set_plomb changes, asks, beside",
    "get_datetime reads state",
    "time_set changes, asks, again, then get_datetime, beside",
    "time_correct changes, then get_datetime, beside",
    "time_correct2 changes, then get_datetime, beside",
    "get_shedule_tariff reads state",
    "set_shedule_tariff changes, again, then get_shedule_tariff",
    "get_special_day reads state",
    "set_special_day changes, again, then get_special_day",
    "task_id changes, again, then get_settings, in lartech_settings, beside",
    "get_settings reads state",
    "get_setpoints reads state",
    "set_settings changes, again, then get_settings",
    "set_setpoint changes, asks, again, then get_setpoints",
    "vega_settings changes, again, then get_settings, beside, one only",
    "report_period changes, again, then get_settings, beside",
    "measurement_mode changes, again, then get_settings, beside",
    "complex_set changes, again, then get_settings",
    "setFrequency changes, asks, then get_settings, beside",
    "mts_activate changes, beside",
    "reset changes, asks, beside",
    "muffling changes, in mg08, beside",
    "get_alarm_value reads state, in mg08",
    "get_exit_alarm_value reads state, in mg08",
    "test_mode changes, again, in mg08, beside",
    "solenoid_valve_closed actuates, asks, in mg08, beside",
    "co_alarm changes, again, then get_alarm_value, in mg08, beside",
    "co_exit_alarm changes, again, then get_exit_alarm_value, in mg08, beside",
    "gas_alarm changes, again, then get_alarm_value, in mg08, beside",
    "gas_exit_alarm changes, again, then get_exit_alarm_value, in mg08, beside",
    "signal_level reads state, in gateway_settings",
    "uptime reads state, in gateway_settings",
    "board_temperature reads state, in gateway_settings",
    "send_raw_payload actuates, asks, beside",
    "bytes actuates, asks, beside",
  ]);
});

test("every argument is of the kind and within the limits of its table", () => {
  const all: readonly Command[] = commands;
  expect(
    Object.fromEntries(
      all.map(({ key, arguments: given }) => [
        key,
        "value" in given ? String(given.value) : given.map(lineOf),
      ]),
    ),
  ).toEqual({
    archive: ["type: number none 0 to 125 by 1", "archiveTime: datetime"],
    archive_profile: ["archive_profile: datetime"],
    board_temperature: "any",
    bytes: ["bytes: bytes 2 to 444"],
    co_alarm: ["co_alarm: number none 0 to 65535 by 1"],
    co_exit_alarm: ["co_exit_alarm: number none 0 to 65535 by 1"],
    complex_set: [
      "arch_type: flags 7",
      "m_msg1: choice of 0, 600, 601, 602, 603, 604, 605, 606, 607, 608, 609, 610, 611, 612, 613",
      "m_msg2: choice of 0, 600, 601, 602, 603, 604, 605, 606, 607, 608, 609, 610, 611, 612, 613",
      "m_msg3: choice of 0, 600, 601, 602, 603, 604, 605, 606, 607, 608, 609, 610, 611, 612, 613",
      "m_msg4: choice of 0, 600, 601, 602, 603, 604, 605, 606, 607, 608, 609, 610, 611, 612, 613",
      "m_msg5: choice of 0, 600, 601, 602, 603, 604, 605, 606, 607, 608, 609, 610, 611, 612, 613",
      "m_msg6: choice of 0, 600, 601, 602, 603, 604, 605, 606, 607, 608, 609, 610, 611, 612, 613",
    ],
    event_log: ["event_index: number none 0 to 255 by 1"],
    gas_alarm: ["gas_alarm: number none 0 to 65535 by 1"],
    gas_exit_alarm: ["gas_exit_alarm: number none 0 to 65535 by 1"],
    get_alarm_value: "any",
    get_datetime: "any",
    get_exit_alarm_value: "any",
    get_setpoints: "any",
    get_settings: "any",
    get_shedule_tariff: "any",
    get_special_day: "any",
    limit: [
      "limit: number kW 0 to 100000 by 0.001",
      "limit_mode?: choice of 0, 1",
      "apv_pause?: number minute 0 to 60 by 1 if limit_mode is 0 or 1",
      "apv_timer?: number none 0 to 9 by 1 if limit_mode is 0 or 1",
      "apv_count?: number none 0 to 9 by 1 if limit_mode is 0 or 1",
    ],
    limit_state: "any",
    measurement_mode: [
      "measurement_mode: choice of 0, 1",
      "interval: number minute 1 to 60 by 1 if measurement_mode is 0",
    ],
    mts_activate: "any",
    muffling: "any",
    now_value: "1",
    power: ["power: choice of 1, 0 off"],
    read_info: "true",
    relay_state: "any",
    report_period: [
      "report_period: number second 60 to 2592000 by 60",
      "offset: number second 0 to 86399 by 1",
    ],
    reset: "any",
    send_raw_payload: [
      "payload: bytes 2 to 444",
      "fport: number none 0 to 255 by 1",
      "class: choice of A, C",
    ],
    setFrequency: ["setFrequency: number Hz 1 to 1000000000 by 1"],
    set_plomb: "any",
    set_setpoint: [
      "skz_speed: number none 0 to 65535 by 1",
      "skz_boost: number none 0 to 65535 by 1",
      "skz_move: number none 0 to 65535 by 1",
    ],
    set_settings: [
      "sleep_time: number second 0 to 86400 by 1",
      "range_connect: number second 0 to 86400 by 1",
    ],
    set_shedule_tariff: [
      "tariff0: list of 1 to 2 times",
      "tariff1?: list of 1 to 2 times",
      "tariff2?: list of 1 to 2 times",
      "tariff3?: list of 1 to 2 times",
    ],
    set_special_day: [
      "shedule: group (tariff0: list of 1 to 2 times; tariff1?: list of 1 to 2 times; tariff2?: list of 1 to 2 times; tariff3?: list of 1 to 2 times)",
      "day_list: list of 0 to 366 days",
    ],
    setout: [
      "setout: choice of 1, 0 off",
      "out: number none 0 to 255 by 1",
      "duration?: number second 0 to 255 by 1",
    ],
    signal_level: "any",
    solenoid_valve_closed: ["solenoid_valve_closed: switch off when true"],
    tariff: "1",
    task_id: [
      "task_id: number none 0 to 255 by 1",
      "delay: number none 0 to 255 by 1",
      "param1: number none 0 to 255 by 1",
      "param2: number none 0 to 255 by 1",
      "param3: number none 0 to 255 by 1",
      "param4: number none 0 to 255 by 1",
      "param5: number none 0 to 255 by 1",
      "param6: number none 0 to 255 by 1",
      "param7: number none 0 to 255 by 1",
      "param8: number none 0 to 255 by 1",
      "profile: number none 0 to 255 by 1",
      "refresh: number none 0 to 255 by 1",
    ],
    test_mode: ["test_mode: switch"],
    time_correct: ["time_correct: number second -30 to 30 by 1"],
    time_correct2: ["time_correct2: number second 0 to 86400 by 0.1"],
    time_set: ["time_set: datetime"],
    unblock: "any",
    uptime: "any",
    valve: ["valve: choice of 1, 0 off"],
    vega_settings: [
      "is_confirmed?: switch",
      "uplink_repeats?: number none 1 to 15 by 1",
      "communication_period?: number second 300 to 86400 by 300",
      "collection_period?: number second 300 to 86400 by 300",
      "time_zone?: number minute -720 to 840 by 15",
    ],
  });
});

test("a command is told apart by what it does; an unknown one counts as changing", () => {
  for (const command of commands as readonly Command[]) {
    const { key } = command;
    expect([changesDevice(key), isChangingCommand(key)], key).toEqual([
      command.changesDevice,
      command.changesDevice,
    ]);
    const answers = command.changesDevice ? undefined : command.answers;
    expect([isReadingCommand(key), isStateCommand(key)], key).toEqual([
      answers === "readings",
      answers === "state",
    ]);
  }
  expect([changesDevice("x"), isChangingCommand("x"), isReadingCommand("x"), isStateCommand("x")]).toEqual([
    ...[true, false, false, false],
  ]);
});
