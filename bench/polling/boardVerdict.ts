import type { Call, ReplyOf } from "@metrum/contract/core";
import { completeness, type HoleReason } from "@metrum/contract/insight";
import type { Meter } from "@metrum/simulator";
import type { Database } from "../../apps/server/src/core/index.ts";
import { ableFates, type Fate, type FatedDevice } from "./boardPlan.ts";
import type { Deeds, Witness } from "./boardWitness.ts";
import { atLeast, atMost, reported, type Figure } from "../report.ts";

/** A device of the platform with what is wrong with it. */
export interface Registered {
  readonly id: number;
  readonly planned: FatedDevice;
}

/** The hour in which all rounds were: epoch seconds, the end exclusive. */
export interface Hour {
  readonly from: number;
  readonly to: number;
}

export type Ask = <C extends Call>(call: C, body: object) => Promise<ReplyOf<C>>;

/** The reason that is true for each fate, and what the device must have done for it to be true. */
const truths: Readonly<Partial<Record<Fate, readonly [HoleReason, (deeds: Deeds) => boolean]>>> = {
  silent: ["no_answer", ({ asked, answered }) => asked > 0 && answered === 0],
  noisy: ["unreadable", ({ damaged, answered }) => damaged > 0 && answered === 0],
  refused: ["refused", ({ refused }) => refused > 0],
  key: ["key", ({ asked }) => asked > 0],
  dead: ["line_down", ({ asked }) => asked === 0],
  off: ["switched_off", ({ asked }) => asked === 0],
  gatewayOff: ["gateway_off", ({ asked }) => asked === 0],
  groupOff: ["group_off", ({ asked }) => asked === 0],
  unscheduled: ["not_scheduled", ({ asked }) => asked === 0],
};

const shownFalse = 20;
const perPage = 100;
const clockToleranceSec = 120;

/** Without a schedule it has a row if the task has read it. */
const isTrueOfAsked = (reason: HoleReason | null, { polledMs }: Deeds): boolean =>
  reason === (polledMs.length > 0 ? null : "not_scheduled");

interface Shown {
  readonly device: Registered;
  readonly msgType: number;
  /** Null: the row of the hour was received. */
  readonly reason: HoleReason | null;
}

/** Compares the completeness of the hour, as the calls answer it, with what each simulated device did. */
export async function boardFigures(
  ask: Ask,
  devices: readonly Registered[],
  witness: Witness,
  hour: Hour,
): Promise<Figure[]> {
  const shown = await shownIn(ask, devices, hour);
  const isAble = ({ device }: Shown) => ableFates.has(device.planned.fate);
  const able = shown.filter(isAble);
  const others = shown.filter((each) => !isAble(each));
  const isTrue = ({ device, reason }: Shown): boolean => {
    if (device.planned.fate === "asked")
      return isTrueOfAsked(reason, witness.deedsOf(device.planned.deviceID));
    const truth = truths[device.planned.fate];
    return truth !== undefined && truth[0] === reason && truth[1](witness.deedsOf(device.planned.deviceID));
  };
  const wrong = others.filter((each) => !isTrue(each));
  for (const { device, msgType, reason } of [...wrong, ...able.filter((each) => each.reason)].slice(
    0,
    shownFalse,
  )) {
    const { asked, answered, damaged, refused } = witness.deedsOf(device.planned.deviceID);
    console.log(
      `  device ${String(device.id)} (${device.planned.fate}, ${device.planned.gateway}), type ${String(msgType)}: ${reason ?? "received"}; asked ${String(asked)}, answered ${String(answered)}, damaged ${String(damaged)}, refused ${String(refused)}`,
    );
  }
  const received = able.filter(({ reason }) => reason === null).length;
  return [
    reported("devices", devices.length, ""),
    reported("rows due in the hour, as the board has them", shown.length, "rows"),
    atLeast("complete, of devices that can answer", (100 * received) / able.length, "%", 99.5),
    reported("rows due of the others", others.length, "rows"),
    atMost("  with another reason than the true one", wrong.length, "rows", 0),
    ...Object.entries(truths).flatMap(([fate, [reason]]) => {
      const own = others.filter(({ device }) => device.planned.fate === fate);
      return [reported(`  ${fate}: ${reason}`, own.filter(isTrue).length, `of ${String(own.length)}`)];
    }),
  ];
}

async function shownIn(ask: Ask, devices: readonly Registered[], hour: Hour): Promise<Shown[]> {
  const known = new Map(devices.map((device) => [device.id, device]));
  const shown: Shown[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const reply = await ask(completeness.indications, { ...periodOf(hour), page, per_page: perPage });
    last = reply.devices.last_page;
    for (const { device_id, types } of reply.devices.data) {
      const device = known.get(device_id);
      if (!device) throw new Error(`the board has an unknown device ${String(device_id)}`);
      for (const { msg_type, days } of types) {
        const hole = days
          .flatMap(({ holes }) => holes)
          .find(({ from, to }) => from <= hour.from && to >= hour.to);
        shown.push({ device, msgType: msg_type, reason: hole?.reason ?? null });
      }
    }
  }
  return shown;
}

const periodOf = ({ from, to }: Hour) => ({ start_date: from, stop_date: to - 1 });

/** The clocks that are two hours ahead, as the board shows them. */
export async function clockFigures(
  ask: Ask,
  devices: readonly Registered[],
  meters: readonly Meter[],
  hour: Hour,
): Promise<Figure[]> {
  const own = devices.filter(({ planned }) => planned.fate === "clock");
  let right = 0;
  for (const { id, planned } of own) {
    const reply = await ask(completeness.time, { ...periodOf(hour), device_id: id });
    const [day] = reply.devices.data[0]?.days.filter(({ read_at }) => read_at !== null) ?? [];
    const meter = meters.find(({ device }) => device.deviceID === planned.deviceID);
    if (!day || !meter || day.read_at === null || day.clock_off === null) continue;
    const off = meter.clockAt(day.read_at) - day.read_at;
    if (Math.abs(off - day.clock_off) <= clockToleranceSec) right += 1;
  }
  return [atLeast("clocks that are wrong, shown with their deviation", right, "devices", own.length)];
}

/** Stored counters of devices that can answer, against those of the simulator at the same time. */
export async function valueFigures(
  { pool }: Database,
  devices: readonly Registered[],
  meters: readonly Meter[],
): Promise<Figure[]> {
  const { rows } = await pool.query<{ device_id: number; ts: number; value: number | null }>(
    `select device_id, ts, v[array_position(s.fields, 'tariff0')] as value
      from device_latest join field_set s on s.id = field_set_id where msg_type = 1`,
  );
  const byNumber = new Map(meters.map((meter) => [meter.device.deviceID, meter]));
  const numbers = new Map(devices.map(({ id, planned }) => [id, planned.deviceID]));
  const altered = rows.filter(({ device_id, ts, value }) => {
    const meter = byNumber.get(numbers.get(device_id) ?? "");
    const counter = meter?.stateAt(ts)("tariff0") ?? Number.NaN;
    return value === null || !(Math.abs(value - counter) <= Math.max(1, counter * 1e-3));
  });
  return [
    reported("devices with readings", rows.length, ""),
    atMost("  whose newest differs from the meter's", altered.length, "devices", 0),
  ];
}
