import type { Status } from "./present.ts";

const isObject = (value: unknown): value is Status => typeof value === "object" && value !== null;
const objectIn = (status: Status, key: string): Status => {
  const value = status[key];
  return isObject(value) ? value : {};
};

/** What the device has told of the arguments of a command. */
export function knownArguments(key: string, status: Status): Status {
  if (key === "limit") return { limit: status["last_set_limit"], ...objectIn(status, "additional_limit") };
  if (isObject(status[key])) return objectIn(status, key);
  return { ...objectIn(status, "mg08"), [key]: status[key] };
}

/** Tasks of the scheduler that the device has told, by their id. */
export const knownTasks = (status: Status): Readonly<Record<string, Status>> =>
  Object.fromEntries(
    Object.entries(objectIn(status, "lartech_settings")).flatMap(([id, task]) =>
      isObject(task) ? [[id, task]] : [],
    ),
  );

/** Parts of the status that a block shows. */
const partOfBlock: Readonly<Record<string, string>> = {
  power: "power",
  valve: "valve",
  limit: "last_set_limit",
  clock: "device_time",
  tariffs: "last_shedule_tariff",
  specialDays: "last_special_shedule_day",
  settings: "set_settings",
  setpoints: "set_setpoint",
  reports: "report_period",
  scheduler: "lartech_settings",
  gasAlarm: "mg08",
  parameters: "gateway_settings",
  raw: "raw_answer",
};

/** Whether a block shows something that a device tells. */
export const isTold = (block: string): boolean => Object.hasOwn(partOfBlock, block);

/** When the device has told what a block shows, epoch seconds; undefined before. */
export function toldAt(block: string, status: Status): number | undefined {
  const at = objectIn(status, "told_at")[partOfBlock[block] ?? ""];
  return typeof at === "number" ? at : undefined;
}
