import { pageSize, type ParsedOf } from "@metrum/contract/core";
import {
  lineStates,
  planLimits,
  type PlanLine,
  type PollPlan,
  type pollPlan,
} from "@metrum/contract/headend";
import { resolve, resolveOne, type Ctx } from "#core";
import { queuedJobs, requestPriority, routesOf, type QueuedJob, type Route } from "#headend/dialogue";
import { lineModel } from "#headend/exchanges";
import { requestedAmong } from "#headend/tasks";
import { median, planLine, type Block, type LineDevice } from "./planLine.ts";
import {
  devicesBeside,
  exchangeTimes,
  lentUntil,
  planDevices,
  type ExchangeTimes,
  type PlanDevice,
} from "./planStore.ts";

const usualPage = 100;

type Asked = ParsedOf<typeof pollPlan.get>["body"];

/** What the lines of a plan do now, from the queue and the measured times. */
interface Facts {
  readonly now: number;
  readonly isCampaign: boolean;
  /** Jobs by line, in the order in which they run. */
  readonly jobs: ReadonlyMap<string, readonly QueuedJob[]>;
  readonly lent: ReadonlyMap<string, number>;
  readonly requested: ReadonlySet<number>;
  readonly times: ReadonlyMap<number, ExchangeTimes>;
  /** Lines at each base station. */
  readonly linesAt: ReadonlyMap<number, number>;
  /** Usual time of an exchange by model, for devices never polled. */
  readonly ofModel: ReadonlyMap<number, number>;
}

interface Line extends Route {
  readonly own: PlanDevice[];
  /** Devices of the same company that share the line without being part of the plan. */
  readonly beside: PlanDevice[];
}

/** The plan of a group, of some devices or of all. Problem: not_found. */
export async function planOf(ctx: Ctx, asked: Asked): Promise<PollPlan> {
  const { clock } = ctx;
  const now = clock.now();
  const own = await ownDevices(ctx, asked);
  const lines = await linesWith(ctx, own);
  const facts = await factsOf(ctx, lines, asked.is_campaign ?? false);
  const planned = lines.map((line) => shown(line, facts)).sort(byUrgency);
  const ofState = (state: PlanLine["state"]) => planned.filter((line) => line.state === state);
  const ends = planned.flatMap(({ ends_at }) => ends_at ?? []);
  const limit = pageSize(asked.per_page ?? usualPage);
  const page = asked.page ?? 1;
  return {
    at: now,
    ends_at: ends.length === 0 ? null : Math.max(...ends),
    device_count: own.length,
    left_count: sumOf(planned, "left_count"),
    unknown_count: sumOf(
      planned.filter(({ state, ends_at }) => state !== "stopped" && ends_at === null),
      "left_count",
    ),
    stopped_count: sumOf(ofState("stopped"), "left_count"),
    off_count: sumOf(planned, "off_count"),
    states: {
      running: ofState("running").length,
      waiting: ofState("waiting").length,
      planned: ofState("planned").length,
      stopped: ofState("stopped").length,
    },
    lines: {
      data: planned.slice((page - 1) * limit, page * limit),
      current_page: page,
      last_page: Math.max(1, Math.ceil(planned.length / limit)),
      per_page: limit,
      total: planned.length,
    },
  };
}

/** Devices of the plan that are polled over a line. */
async function ownDevices(ctx: Ctx, { poll_group_id, device_ids }: Asked): Promise<PlanDevice[]> {
  const { db, scope } = ctx;
  const found = await planDevices(db, scope, {
    limit: planLimits.devices,
    groupId: poll_group_id === undefined ? undefined : await resolveOne(ctx, "pollGroup", poll_group_id),
    deviceIds: device_ids && (await resolve(ctx, "device", [...new Set(device_ids)])),
  });
  return found.filter(({ modelId }) => lineModel(modelId) !== undefined);
}

/** The lines of these devices, with the other devices behind the same gateways. */
async function linesWith({ db, scope, database }: Ctx, own: readonly PlanDevice[]): Promise<Line[]> {
  const beside = await devicesBeside(db, scope, {
    gatewayIds: [...new Set(own.flatMap(({ gatewayId }) => gatewayId ?? []))],
    except: own.map(({ id }) => id),
    limit: planLimits.devices,
  });
  const routes = await routesOf(database.system, [...own, ...beside]);
  const lines = new Map<string, Line>();
  for (const device of own) {
    const route = routes.get(device) ?? { line: "", task: undefined };
    const line = lines.get(route.line) ?? { ...route, own: [], beside: [] };
    line.own.push(device);
    lines.set(route.line, line);
  }
  for (const device of beside) {
    const { line = "" } = routes.get(device) ?? {};
    if (line !== "" && lineModel(device.modelId)) lines.get(line)?.beside.push(device);
  }
  return [...lines.values()];
}

async function factsOf(
  { db, scope, database, clock }: Ctx,
  lines: readonly Line[],
  isCampaign: boolean,
): Promise<Facts> {
  const now = clock.now();
  const keys = lines.map(({ line }) => line).filter((line) => line !== "");
  const devices = lines.flatMap(({ own, beside }) => [...own, ...beside]);
  const ids = devices.map(({ id }) => id);
  const times = await exchangeTimes(db, ids, now);
  const models = new Set(devices.map(({ modelId }) => modelId));
  const ofModel = [...models].flatMap((model): [number, number][] => {
    const all = devices.filter(({ modelId }) => modelId === model);
    const known = all.flatMap(({ id }) => secondsOf(times.get(id), isCampaign) ?? []);
    return known.length === 0 ? [] : [[model, median(known)]];
  });
  return {
    now,
    isCampaign,
    times,
    ofModel: new Map(ofModel),
    linesAt: countBy(lines.flatMap(({ own: [device] }) => device?.stationId ?? [])),
    jobs: byLine(await queuedJobs(database.system, keys)),
    lent: await lentUntil(database.system, keys),
    requested: await requestedAmong(db, scope, ids),
  };
}

function countBy(ids: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function byLine(jobs: readonly QueuedJob[]): ReadonlyMap<string, readonly QueuedJob[]> {
  const lines = new Map<string, QueuedJob[]>();
  for (const job of jobs) {
    const found = lines.get(job.line) ?? [];
    found.push(job);
    lines.set(job.line, found);
  }
  return lines;
}

/** A request reads less than a scheduled poll: its own time counts, the other one only without it. */
function secondsOf(times: ExchangeTimes | undefined, isRequest: boolean): number | undefined {
  const { pollSec = null, requestSec = null } = times ?? {};
  return (isRequest ? (requestSec ?? pollSec) : (pollSec ?? requestSec)) ?? undefined;
}

const deviceIn = (key: string): number => Number(/^(?:poll|task:\d+):(\d+)$/.exec(key)?.[1] ?? Number.NaN);

function shown({ own, beside, line, task }: Line, facts: Facts): PlanLine {
  const { now, isCampaign } = facts;
  const jobs = facts.jobs.get(line) ?? [];
  const all = [...own, ...beside];
  const usual = usualSec(all, facts);
  const running = runningIn(jobs);
  const runningOwn = own.find(({ id }) => id === running?.id);
  const waiting = new Set(jobs.filter(({ startedAt }) => startedAt === null).map(({ key }) => deviceIn(key)));
  const at = { facts, waiting, usual, runningId: running?.id };
  return {
    line,
    gateway: gatewayOf(own),
    running:
      running && runningOwn
        ? { device_id: runningOwn.id, device_name: runningOwn.name, started_at: running.startedAt }
        : null,
    ...planLine({
      now,
      pauseSec: isCampaign ? 0 : pauseOf(own, facts),
      devices: [
        ...own.map((device) => asLineDevice(device, true, at)),
        // A request of a user passes the scheduled polls of other devices.
        ...(isCampaign ? [] : beside.map((device) => asLineDevice(device, false, at))),
      ],
      ahead: { count: countAhead(jobs, { own, all, isCampaign }), eachSec: usual ?? 0 },
      running: running && {
        isOwn: runningOwn !== undefined,
        startedAt: running.startedAt,
        usualSec: secondsOf(facts.times.get(running.id), isCampaign) ?? usual ?? 0,
      },
      block: blockOf({ line, task }, facts),
    }),
  };
}

/** A base station lets the lines of its gateways take turns. A request of a user waits for no pause. */
const pauseOf = ([device]: readonly PlanDevice[], { linesAt }: Facts): number =>
  device === undefined
    ? 0
    : Math.max(device.pauseSec, device.stationPauseSec * (linesAt.get(device.stationId ?? 0) ?? 1));

/** The device being polled, and since when. */
function runningIn(jobs: readonly QueuedJob[]) {
  for (const { startedAt, key } of jobs) if (startedAt !== null) return { id: deviceIn(key), startedAt };
  return undefined;
}

/** Requests that come first: of a campaign those of other users, else those to devices that are not known here. */
function countAhead(
  jobs: readonly QueuedJob[],
  of: {
    readonly own: readonly PlanDevice[];
    readonly all: readonly PlanDevice[];
    readonly isCampaign: boolean;
  },
): number {
  const known = new Set<number>((of.isCampaign ? of.own : of.all).map(({ id }) => id));
  return jobs.filter(
    ({ startedAt, key, priority }) =>
      startedAt === null && !known.has(deviceIn(key)) && (!of.isCampaign || priority <= requestPriority),
  ).length;
}

interface AtLine {
  readonly facts: Facts;
  /** Devices with a job in the queue. */
  readonly waiting: ReadonlySet<number>;
  readonly runningId: number | undefined;
  readonly usual: number | undefined;
}

function asLineDevice(
  device: PlanDevice,
  isOwn: boolean,
  { facts, waiting, runningId, usual }: AtLine,
): LineDevice {
  const { now, isCampaign, requested, times, ofModel } = facts;
  const isRunning = device.id === runningId;
  const isWaiting = waiting.has(device.id) || requested.has(device.id);
  const isOff = isCampaign ? device.isPutAway : !device.isPolled || !device.isGroupOn;
  return {
    id: device.id,
    isOwn,
    isWaiting: isWaiting && !isRunning,
    isOff: isOff && (isCampaign || !(isWaiting || isRunning)),
    isSilent: device.failures > 0,
    intervalSec: device.intervalSec,
    dueAt: dueAtOf(device, { now, isCampaign, isOff, isWaiting, isRunning }),
    exchangeSec: secondsOf(times.get(device.id), isCampaign) ?? usual ?? ofModel.get(device.modelId),
  };
}

interface Moment {
  readonly now: number;
  readonly isCampaign: boolean;
  readonly isOff: boolean;
  readonly isWaiting: boolean;
  readonly isRunning: boolean;
}

/**
 * When a device is polled next: a waiting request is due now; a switched-off device is polled on request
 * only.
 */
function dueAtOf({ nextPollAt }: PlanDevice, moment: Moment): number | undefined {
  if (moment.isCampaign) return moment.isOff ? undefined : moment.now;
  if (moment.isRunning) return undefined;
  if (moment.isWaiting) return moment.now;
  return moment.isOff || nextPollAt === null ? undefined : nextPollAt;
}

/** Usual time of an exchange on a line, from its devices that were polled before. */
function usualSec(devices: readonly PlanDevice[], { times, isCampaign }: Facts): number | undefined {
  const known = devices.flatMap(({ id }) => secondsOf(times.get(id), isCampaign) ?? []);
  return known.length === 0 ? undefined : median(known);
}

function blockOf({ line, task }: Route, { lent }: Facts): Block | undefined {
  if (line === "") return { reason: "no_address", until: undefined };
  if (task === undefined)
    return { reason: line.startsWith("serial:") ? "no_port" : "not_connected", until: undefined };
  const until = lent.get(line);
  return until === undefined ? undefined : { reason: "lent", until };
}

function gatewayOf([first]: readonly PlanDevice[]): PlanLine["gateway"] {
  return first?.gatewayId === undefined || first.gatewayId === null
    ? null
    : { id: first.gatewayId, name: first.gatewayName ?? "" };
}

/** What runs, waits and is planned, the line that ends last first; stopped lines at the end. */
function byUrgency(a: PlanLine, b: PlanLine): number {
  return (
    lineStates.indexOf(a.state) - lineStates.indexOf(b.state) ||
    (b.ends_at ?? 0) - (a.ends_at ?? 0) ||
    b.left_count - a.left_count ||
    a.line.localeCompare(b.line)
  );
}

const sumOf = (lines: readonly PlanLine[], field: "left_count" | "off_count"): number =>
  lines.reduce((sum, line) => sum + line[field], 0);
