import { startRounds, watchClock, type Db, type Services, type Stop } from "#core";
import { freeIdleQueues, freeProcesses, gatewaysDialling, goneProcesses } from "#headend/channels";
import { askedDevice, lineModel, logExchanges, type PolledDevice } from "#headend/exchanges";
import { addLineJobs, pullJobsNear, routesOf, type Route } from "#headend/dialogue";
import {
  endItem,
  expireItems,
  postponeItem,
  pullItemsNear,
  queuedItems,
  wantedChannel,
  type OpenItem,
  type TaskChange,
} from "#headend/tasks";
import { noteRun } from "#headend/poll-groups";
import { neverPolled, noteResult, pullSlotsNear, setSlots } from "#metering/device-state";
import { pullDueNear, pullZonesNear } from "#metering/messages";
import { pullArchivesNear } from "./archiveStore.ts";
import { forgetTimes, pullTimesNear, reserveTimes } from "./pauseStore.ts";
import { pollJobs } from "./pollQueue.ts";
import { nextSlot } from "./schedule.ts";
import { dueDevices, unplannedDevices } from "./store.ts";

const tickMs = 1000;
const sweepMs = 20_000;
/** What dead processes held is released so often: a command of theirs has its final state within 30 s. */
const releaseMs = 5_000;
const batch = 500;
/** The first poll of a new device is scheduled within this time. */
const firstWithinSec = 30;
/** A device behind a modem that is dialling in again is planned anew after this time, or up to twice as late. */
const againSec = 5;

/**
 * Schedules due polls, as long as the process has the role worker. Several planners share the work with `skip
 * locked`.
 */
export function startPlanner(services: Services): Stop {
  const { clock, database, log } = services;
  let [sweptMs, releasedMs] = [-Infinity, -Infinity];
  const lookAtClock = watchClock(services, "polling", (bySec) => pullNear(services, bySec));

  const repeat = async (plan: typeof planDue): Promise<void> => {
    for (let found: number = batch; found === batch && !rounds.isStopped();) found = await plan(services);
  };
  const tick = async (): Promise<void> => {
    await lookAtClock();
    if (clock.monotonicMs() - releasedMs > releaseMs) {
      releasedMs = clock.monotonicMs();
      await releaseGone(services);
    }
    if (clock.monotonicMs() - sweptMs > sweepMs) {
      sweptMs = clock.monotonicMs();
      await sweep(services);
    }
    await planRequests(services);
    await repeat(planUnplanned);
    await repeat(planDue);
  };
  const rounds = startRounds({
    everyMs: tickMs,
    on: { listener: database.listener, channels: [wantedChannel] },
    round: tick,
    onError: (error) => log.warn({ err: error }, "planning failed, trying again"),
  });
  return rounds.stop;
}

/** The clock was set back: every time that the plan waits for is brought near. */
async function pullNear({ database: { pool, system }, clock, log }: Services, bySec: number): Promise<void> {
  log.warn({ bySec }, "the clock was set back: what waits for times ahead of it is planned anew");
  const now = clock.now();
  await pullSlotsNear(system, now);
  await pullTimesNear(system, now, bySec);
  await pullArchivesNear(system, now, bySec);
  await pullItemsNear(system, now);
  await pullJobsNear(system);
  await pullDueNear(pool, now, bySec);
  await pullZonesNear(pool, now, bySec);
}

async function releaseGone({ database, log }: Services): Promise<void> {
  const freed = await freeProcesses(database, await goneProcesses(database));
  if (freed.length > 0)
    log.warn({ processes: freed }, "processes have died, their lines and jobs were released");
}

/** Frees queues without a job, and expires tasks not carried out in time. */
async function sweep({ database, clock, bus }: Services): Promise<void> {
  await freeIdleQueues(database);
  await forgetTimes(database.system, clock.now());
  const expired = await database.system.transaction().execute((db) => expireItems(db, clock.now()));
  if (expired.length > 0) bus.publish("tasksChanged", expired);
}

/** Gives devices their first slot. Returns how many were processed. */
export function planUnplanned({ database, clock }: Services): Promise<number> {
  return database.system.transaction().execute(async (db) => {
    const found = await unplannedDevices(db, batch);
    const slots = found.map(({ id, modelId, hasLine }) => ({
      id,
      at: hasLine && lineModel(modelId) ? clock.now() + (id % firstWithinSec) : neverPolled,
    }));
    if (slots.length > 0) await setSlots(db, slots);
    return found.length;
  });
}

/**
 * Turns due slots into jobs: the next slot and the job are written in one transaction, so a slot is neither
 * lost nor scheduled twice, and after a downtime each device is polled once. Returns how many were due.
 */
export function planDue({ database, clock }: Services): Promise<number> {
  return database.system.transaction().execute(async (db) => {
    const now = clock.now();
    const due = await dueDevices(db, now, batch);
    if (due.length === 0) return 0;
    const pollable = due.filter((device) => device.isPolled && device.isGroupOn && lineModel(device.modelId));
    await noteRun(
      db,
      pollable.flatMap(({ groupId }) => groupId ?? []),
      now,
    );
    const routes = await routesOf(db, pollable);
    const reachable = pollable.filter((device) => routes.get(device)?.task !== undefined);
    const times = await reserveTimes(db, reachable, now);
    await setSlots(
      db,
      due.map((device) => ({
        id: device.id,
        at: device.isOnce ? neverPolled : nextSlot(device, times.get(device) ?? now),
      })),
    );
    const jobs = reachable.flatMap((device) =>
      jobsOf(routes.get(device), device, (times.get(device) ?? now) - now),
    );
    await addLineJobs(db, jobs);
    const unreachable = [...routes].filter(([, { task }]) => !task);
    const dialling = await behindDialling(db, unreachable);
    await setSlots(
      db,
      dialling.map(([{ id }]) => ({ id, at: now + againSec + (id % againSec) })),
    );
    await noteUnreachable(
      db,
      clock.nowMs(),
      unreachable.filter((each) => !dialling.includes(each)),
    );
    return due.length;
  });
}

const jobsOf = (route: Route | undefined, device: PolledDevice, delaySec: number) =>
  route === undefined
    ? []
    : pollJobs(route, { deviceId: device.id }, device.failures).map((job) => ({ ...job, delaySec }));

type Routed = readonly [PolledDevice, Route];

/** Those behind a modem that is expected to dial in again: nothing is known of them until it has had the time. */
async function behindDialling(db: Db, routed: readonly Routed[]): Promise<readonly Routed[]> {
  const ids = routed.flatMap(([{ gatewayId }]) => gatewayId ?? []);
  const dialling = await gatewaysDialling(db, ids);
  return routed.filter(([{ gatewayId }]) => gatewayId !== null && dialling.has(gatewayId));
}

/** A modem that is not connected is known without a job. */
async function noteUnreachable(db: Db, startedMs: number, routes: readonly Routed[]): Promise<void> {
  if (routes.length === 0) return;
  await logExchanges(
    db,
    routes.map(([device, { line }]) => ({
      deviceId: device.id,
      startedMs,
      receivedAt: null,
      kind: "poll" as const,
      result: "no_line" as const,
      tries: 0,
      durationMs: 0,
      line,
      readings: 0,
      message: noLineMessage(line),
      taskId: null,
      steps: [],
    })),
  );
  await noteResult(
    db,
    routes.map(([device]) => device.id),
    "no_line",
  );
}

function noLineMessage(line: string): string {
  if (line === "") return "the device has neither gateway nor address";
  if (line.startsWith("serial:")) return "no running server has this serial port in METRUM_SERIAL_PORTS";
  return "the modem is not connected";
}

/** Turns requests of users into jobs outside the schedule. */
export async function planRequests({ database, clock, bus }: Services): Promise<void> {
  const changes = await database.system.transaction().execute(async (db) => {
    const items = await queuedItems(db, clock.now(), batch);
    const changed: TaskChange[] = [];
    for (const item of items) changed.push(...(await planRequest(db, item, clock.now())));
    return changed;
  });
  if (changes.length > 0) bus.publish("tasksChanged", changes);
}

async function planRequest(db: Db, item: OpenItem, now: number): Promise<TaskChange[]> {
  const device = await askedDevice(db, item.deviceId);
  if (!device) return [];
  if (item.asksHoles && !device.isOn)
    return endItem(db, {
      ...item,
      startedMs: null,
      now,
      result: "no_line",
      message: "the device is switched off",
    });
  const route = (await routesOf(db, [device])).get(device);
  const jobs = route ? pollJobs(route, item, device.failures) : [];
  if (jobs.length === 0 && route && (await behindDialling(db, [[device, route]])).length > 0) {
    await postponeItem(db, item, now);
    return [];
  }
  if (jobs.length === 0) {
    const message = noLineMessage(route?.line ?? "");
    return endItem(db, { ...item, startedMs: null, now, result: "no_line", message });
  }
  await addLineJobs(db, jobs);
  return [];
}
