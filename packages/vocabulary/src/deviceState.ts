import { tariffIntervals, type TariffSchedule } from "./tariffSchedule.ts";

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** What a device has told of itself, or confirmed; unknown parts are absent. */
export interface DeviceState {
  /** Load relay: 1 on, 0 off. */
  readonly power?: 0 | 1;
  /** 1 open, 0 closed. */
  readonly valve?: 0 | 1;
  /** The actuator, whatever it is: 1 on, 0 off. */
  readonly relay_state?: 0 | 1;
  /** Power limit, kW. */
  readonly last_set_limit?: number;
  /** limit_mode, apv_pause, apv_timer, apv_count. */
  readonly additional_limit?: Values;
  readonly last_shedule_tariff?: TariffSchedule;
  /** MM-DD. */
  readonly last_special_shedule_day?: readonly string[];
  readonly last_special_shedule_tariff?: TariffSchedule;
  /** Time of the device's clock when it was read, epoch seconds UTC. */
  readonly device_time?: number;
  readonly vega_settings?: Values;
  readonly set_settings?: Values;
  readonly set_setpoint?: Values;
  /** By task id. */
  readonly lartech_settings?: Readonly<Record<string, Values>>;
  readonly report_period?: Values;
  readonly measurement_mode?: Values;
  readonly complex_set?: Values;
  readonly setFrequency?: number;
  readonly mg08?: Values;
  /** Of a gateway: signal_level in dBm, uptime in seconds, board_temperature in degrees Celsius. */
  readonly gateway_settings?: Values;
  /** What a device has answered to bytes of a user, hexadecimal. */
  readonly raw_answer?: string;
}

type Given = Readonly<Record<string, unknown>>;

const asGiven = new Set([
  "vega_settings",
  "set_settings",
  "set_setpoint",
  "report_period",
  "measurement_mode",
  "complex_set",
]);
const gasAlarm = new Set([
  "test_mode",
  "solenoid_valve_closed",
  "co_alarm",
  "co_exit_alarm",
  "gas_alarm",
  "gas_exit_alarm",
]);
const single = new Set(["power", "valve", "setFrequency"]);

/**
 * The part of the state that a command sets, with its arguments as `argumentsSchema` has accepted them; empty
 * for commands that leave none.
 */
export const wantedState = (key: string, given: Given): DeviceState => partOf(key, given);

function partOf(key: string, given: Given): Given {
  if (single.has(key)) return { [key]: given[key] };
  if (asGiven.has(key)) return { [key]: given };
  if (gasAlarm.has(key)) return { mg08: { [key]: given[key] } };
  switch (key) {
    case "limit": {
      const { limit, ...additional } = given;
      return {
        last_set_limit: limit,
        ...(Object.keys(additional).length > 0 ? { additional_limit: additional } : {}),
      };
    }
    case "set_shedule_tariff":
      return { last_shedule_tariff: given };
    case "set_special_day":
      return {
        last_special_shedule_day: given["day_list"],
        last_special_shedule_tariff: given["shedule"],
      };
    case "task_id":
      return { lartech_settings: { [String(given["task_id"])]: given } };
    default:
      return {};
  }
}

/**
 * Whether a state read from the device is the wanted one. "silent": it does not tell any part of it. Lists of
 * days are compared without their order, tariff schedules by the tariffs of the day.
 */
export function compareState(wanted: DeviceState, read: DeviceState): "agrees" | "differs" | "silent" {
  const isActuator = wanted.power !== undefined || wanted.valve !== undefined;
  const told: Given =
    isActuator && read.relay_state !== undefined
      ? { power: read.relay_state, valve: read.relay_state, ...read }
      : { ...read };
  const pairs = Object.entries(wanted).filter(([key]) => told[key] !== undefined);
  if (pairs.length === 0) return "silent";
  const isSame = ([key, value]: [string, unknown]): boolean =>
    schedules.has(key) ? isSameDay(value, told[key]) : isWithin(value, told[key]);
  return pairs.every(isSame) ? "agrees" : "differs";
}

const schedules = new Set(["last_shedule_tariff", "last_special_shedule_tariff"]);

/** A schedule can be written in several ways: a device may leave out a time at which no tariff changes. */
const isSameDay = (wanted: unknown, found: unknown): boolean =>
  isGroup(wanted) &&
  isGroup(found) &&
  JSON.stringify(tariffIntervals(wanted)) === JSON.stringify(tariffIntervals(found));

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isGroup = (value: unknown): value is Given => typeof value === "object" && value !== null;

/** Parts of which the device does not tell are not compared. */
function isWithin(wanted: unknown, found: unknown): boolean {
  if (isList(wanted) && isList(found))
    return JSON.stringify([...wanted].sort()) === JSON.stringify([...found].sort());
  if (isGroup(wanted) && isGroup(found))
    return Object.entries(wanted).every(
      ([key, value]) => value === undefined || found[key] === undefined || isWithin(value, found[key]),
    );
  return typeof wanted === "number" && typeof found === "number"
    ? Math.abs(wanted - found) <= 1e-6 * Math.max(1, Math.abs(wanted))
    : wanted === found;
}
