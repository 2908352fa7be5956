import type { DeviceOrder } from "@metrum/protocols/core";
import { commandOf } from "@metrum/vocabulary";
import type { TakenOrder } from "@metrum/simulator";
import type { Database } from "../../apps/server/src/core/index.ts";
import type { Controlled } from "./controlKillsPark.ts";
import { rawSettingOf } from "../../packages/protocols/src/vega/settings.ts";
import { atMost, reported, type Figure } from "../report.ts";

/** A command as it has ended. Times: epoch seconds. */
export interface Ended {
  readonly id: number;
  readonly deviceId: number;
  readonly key: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly state: string;
  readonly createdAt: number;
  readonly sentAt: number | null;
  readonly expiresAt: number;
  readonly attempts: number;
  readonly message: string;
}

export async function commandsOf({ pool }: Database): Promise<Ended[]> {
  const { rows } = await pool.query<Ended>(
    `select id::float8 as id, device_id as "deviceId", key, case jsonb_typeof(arguments) when 'object' then arguments else '{}' end as given,
      state, created_at::float8 as "createdAt", sent_at::float8 as "sentAt", expires_at::float8 as "expiresAt", attempts, message
    from device_command order by id`,
  );
  return rows;
}

/** Clocks of the simulator and the server count whole seconds. */
const toleranceSec = 1;
const relative = 1e-3;

const isNear = (one: unknown, other: number | null): boolean =>
  typeof one === "number" && other !== null && Math.abs(one - other) <= relative * Math.max(1, Math.abs(one));

/** A clock is corrected by what it showed when it was read, a moment before. */
const correctedWithinSec = 3;
const isNearSec = (one: unknown, other: number): boolean =>
  typeof one === "number" && Math.abs(one - other) <= correctedWithinSec;

/** The setting with its bytes; the driver keeps the one that is given. */
function isSetting(
  { uplink_repeats, time_zone }: Ended["given"],
  { name, value }: Extract<DeviceOrder, { kind: "set" }>,
): boolean {
  const { id, value: bytes } = rawSettingOf({
    ...(typeof uplink_repeats === "number" ? { uplink_repeats } : {}),
    ...(typeof time_zone === "number" ? { time_zone } : {}),
  });
  return name === `setting ${String(id)}` && String(value) === String([...bytes]);
}

/** Whether an order is what this command makes a device do. */
function isOrderOf({ key, given }: Ended, order: DeviceOrder): boolean {
  switch (order.kind) {
    case "power":
      return key === "power" && (given["power"] === 1) === order.isOn;
    case "limit":
      return key === "limit" && isNear(given["limit"], order.limitKw);
    case "clock":
      return (
        key === "time_set" || (key === "time_correct" && isNearSec(given["time_correct"], order.seconds))
      );
    case "restart":
      return key === "reset";
    case "set":
      return order.name === "report_period"
        ? key === "report_period" && given["report_period"] === order.value
        : key === "vega_settings" && isSetting(given, order);
    default:
      return false;
  }
}

/** Settings that belong to another order of the same command. */
const isBeside = ({ order }: TakenOrder, { protocol }: Controlled): boolean =>
  order.kind === "set" && protocol !== "vega" && protocol !== "milesight";

interface Executed {
  readonly device: Controlled;
  readonly taken: TakenOrder;
  /** Undefined: no command explains it. */
  readonly command: Ended | undefined;
}

const mayRepeat = ({ key }: Ended): boolean => {
  const command = commandOf(key);
  return command?.changesDevice === true && command.isRepeatable;
};
const changes = ({ key }: Ended): boolean => commandOf(key)?.changesDevice === true;

/** The servers live this much later, longer than a radio device has to prove a command, as often as it is sent. */
export const leapSec = 3_700;
export const leaps = 3;
const aheads = Array.from({ length: leaps + 1 }, (_, n) => n * leapSec);

/** How long before or after an order its command was sent last, on the clock that the servers had then. */
const apart = ({ sentAt }: Ended, at: number): number =>
  sentAt === null ? Infinity : Math.min(...aheads.map((ahead) => Math.abs(sentAt - ahead - at)));

const wasSentBefore = ({ sentAt }: Ended, at: number): boolean =>
  sentAt !== null &&
  aheads.some((ahead) => Math.abs(sentAt - ahead - at) <= leapSec / 2 && sentAt - ahead <= at);

/** An order belongs to the command that was sent nearest to it; of several, to the first that has none yet. */
function executedBy(device: Controlled, commands: readonly Ended[]): Executed[] {
  const has = new Set<Ended>();
  return device.meter.orders.log.flatMap((taken) => {
    if (taken.did !== "obey" || isBeside(taken, device)) return [];
    const latest = taken.at + toleranceSec;
    const able = commands.filter(
      (each) =>
        (mayRepeat(each) ? each.createdAt <= latest : wasSentBefore(each, latest)) &&
        isOrderOf(each, taken.order),
    );
    const [command] = able.toSorted(
      (one, other) =>
        apart(one, taken.at) - apart(other, taken.at) ||
        Number(has.has(one)) - Number(has.has(other)) ||
        one.id - other.id,
    );
    if (command) has.add(command);
    return [{ device, taken, command }];
  });
}

/**
 * A load that was already switched so, or a clock that was right already, as those that are set in this bench are; a
 * device that then only says so cannot be caught, and need not be.
 */
function wasSo({ meter }: Controlled, { key, given, sentAt }: Ended): boolean {
  if (key === "time_set") return aheads.some((ahead) => isRight(meter, (sentAt ?? 0) - ahead, ahead));
  if (key !== "power") return false;
  const before = meter.orders.log.findLast(
    ({ at, did, order }) => did === "obey" && order.kind === "power" && at <= (sentAt ?? 0),
  );
  const isOn = before?.order.kind === "power" ? before.order.isOn : true;
  return isOn === (given["power"] === 1);
}

/** A minute, which a clock without seconds is set to, and a few seconds on the way. */
const rightWithinSec = 65;
/** Whether a clock that was right at first shows at a time what servers show that live so much later. */
function isRight({ orders }: Controlled["meter"], at: number, ahead: number): boolean {
  const shift = orders.log.reduce(
    (sum, { at: takenAt, did, order }) =>
      did === "obey" && order.kind === "clock" && takenAt < at ? sum + order.seconds : sum,
    0,
  );
  return Math.abs(shift - ahead) <= rightWithinSec;
}

const finals: ReadonlySet<string> = new Set(["done", "failed", "expired", "cancelled", "unknown"]);

/** A radio device executes when it sends next, whatever the platform wants by then. */
const isByRadio = ({ protocol }: Controlled): boolean => protocol === "vega" || protocol === "milesight";
/** Corrections of a clock that whole seconds and the delays of a line may hide, twice three seconds. */
const hiddenSec = 6;
/** It confirms by repeating the command and has nothing that shows its period, or its clock hardly moves. */
const isOnItsWord = ({ key, given }: Ended): boolean =>
  key === "report_period" || (key === "time_correct" && Math.abs(Number(given["time_correct"])) <= hiddenSec);

function grouped<Key>(commands: readonly Ended[], keyOf: (command: Ended) => Key): Map<Key, Ended[]> {
  const groups = new Map<Key, Ended[]>();
  for (const command of commands)
    groups.set(keyOf(command), [...(groups.get(keyOf(command)) ?? []), command]);
  return groups;
}

/** Compares what the simulated devices have done with what the platform says of every command. */
export function verdictOf(devices: readonly Controlled[], commands: readonly Ended[]): Figure[] {
  const byDevice = grouped(commands, ({ deviceId }) => deviceId);
  const executed = devices.flatMap((device) => executedBy(device, byDevice.get(device.id) ?? []));
  const times = new Map<Ended, number>();
  for (const { command } of executed) if (command) times.set(command, (times.get(command) ?? 0) + 1);
  const twice = [...times].filter(([command, count]) => count > 1 && !mayRepeat(command));
  const unasked = executed.filter(({ command }) => command === undefined);
  const late = executed.filter(
    ({ command, taken }) => command !== undefined && taken.at > command.expiresAt + toleranceSec,
  );
  const lateByLine = late.filter(({ device }) => !isByRadio(device));
  const notDone = (command: Ended): boolean =>
    command.state === "done" && changes(command) && !times.has(command);
  const holders = new Map(devices.map((device) => [device.id as number, device]));
  const already = (command: Ended): boolean => {
    const device = holders.get(command.deviceId);
    return device !== undefined && wasSo(device, command);
  };
  const untrue = commands.filter((command) => notDone(command) && !isOnItsWord(command) && !already(command));
  const denied = [...times.keys()].filter(({ state }) => ["failed", "expired", "cancelled"].includes(state));
  const open = commands.filter(({ state }) => !finals.has(state));
  const named: readonly (readonly [string, readonly unknown[]])[] = [
    ["twice", twice],
    ["unasked", unasked.map(({ device, taken }) => [device.id, device.protocol, taken])],
    ["late", lateByLine.map(({ command, taken }) => [command, taken])],
    ["untrue", untrue],
    ["denied", denied],
    ["open", open],
  ];
  for (const [what, found] of named)
    for (const each of found.slice(0, 5)) console.log(`  ${what}: ${JSON.stringify(each)}`);
  const logs = devices.flatMap(({ meter }) => meter.orders.log);
  const did = (what: TakenOrder["did"]): number => logs.filter((each) => each.did === what).length;
  return [
    reported("commands", commands.length, ""),
    ...[...grouped(commands, ({ state }) => state)].map(([state, all]) =>
      reported(`  ${state}`, all.length, ""),
    ),
    reported("orders that devices carried out", did("obey"), ""),
    reported("  refused", did("refuse"), ""),
    reported("  acknowledged without being carried out", did("lie"), ""),
    reported(
      "settings written again, as they may be",
      [...times].filter(([command, count]) => count > 1 && mayRepeat(command)).length,
      "commands",
    ),
    reported("executed late by a radio device that slept", late.length - lateByLine.length, "orders"),
    reported(
      "done as the load was switched so, or the clock was right, already",
      commands.filter((command) => notDone(command) && already(command)).length,
      "commands",
    ),
    reported(
      "done on the word of a device that cannot show it",
      commands.filter((command) => notDone(command) && isOnItsWord(command)).length,
      "commands",
    ),
    atMost("executed twice", twice.length, "commands", 0),
    atMost("executed without a command that was sent", unasked.length, "orders", 0),
    atMost("executed after the expiry", lateByLine.length, "orders", 0),
    atMost("done without the device having done it", untrue.length, "commands", 0),
    atMost("failed or expired although the device did it", denied.length, "commands", 0),
    atMost("without a final state", open.length, "commands", 0),
  ];
}
