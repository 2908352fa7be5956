import { pollResults, taskStates } from "@metrum/contract/headend";
import type { Services } from "#core";
import type { Lines } from "#headend/channels";
import { askedDevice, lineOf, logExchanges, type AskedDevice, type ExchangeRow } from "#headend/exchanges";
import { beginItem, endItem, repeatItems, type RunningTask, type TaskChange } from "#headend/tasks";
import { endPause, hurrySilent, noteResult, repeatInInterval } from "#metering/device-state";
import { openSession, type Failure, type Session } from "./session.ts";

/** Work to do with a device: scheduled, or for a task of a user. */
export interface DeviceJob {
  readonly deviceId: number;
  readonly taskId?: number | undefined;
  /** Requests missing rows; see `OpenItem`. */
  readonly asksHoles?: boolean | undefined;
}

/** Outcome of the work with a device: for the waiting caller, and for the exchange log. */
export interface WorkEnd extends Failure {
  readonly exchange: ExchangeRow;
  /** The task has more to do with the device, in another session. */
  readonly isUnfinished?: boolean;
}

/**
 * Works with a device in one session: the exchange is logged, the outcome goes to the plan and to the task. A
 * failing device is an outcome, not an error. Rejects with `LineElsewhere` when another process must do it,
 * with `LinesClosing` when this one ends, else only when the database is unavailable.
 */
export async function runInSession(
  services: Services,
  lines: Lines,
  { deviceId, taskId }: DeviceJob,
  work: (session: Session, task: RunningTask | undefined) => Promise<WorkEnd>,
): Promise<void> {
  const { database, clock, bus } = services;
  const device = await askedDevice(database.system, deviceId);
  if (!device || (taskId === undefined ? !device.isPolled : device.isPutAway)) return;
  const task = taskId === undefined ? undefined : await beginItem(database.system, taskId, device.id);
  if (taskId !== undefined && !task) return;
  if (taskId !== undefined && task) bus.publish("tasksChanged", begunChanges(device, taskId, task));
  const target = lineOf(device);
  const session = openSession(services, device, {
    kind: taskId === undefined ? "poll" : "request",
    taskId,
    line: target?.key ?? "",
    use: target && ((run) => lines.use(target, run)),
  });
  const end: WorkEnd = session.isOpen
    ? await work(session, task)
    : { ...session.failure, exchange: session.exchange(session.failure) };
  const { result, message, exchange } = end;
  const changes = await database.system.transaction().execute(async (db) => {
    await logExchanges(db, [exchange]);
    // Not a fault of the device: it is polled again when the line is free.
    if (result === "line_busy") return [];
    await noteResult(db, [device.id], result);
    if (result === "ok" && device.failures > 0) {
      await endPause(db, device.id, clock.now());
      if (device.gatewayId !== null) await hurrySilent(db, device.gatewayId, clock.now());
    }
    if (result !== "ok" && taskId === undefined) await repeatInInterval(db, device.id, clock.now());
    if (taskId === undefined) return [];
    if (end.isUnfinished) {
      await repeatItems(db, [device.id]);
      return [];
    }
    return endItem(db, {
      taskId,
      deviceId: device.id,
      startedMs: exchange.startedMs,
      now: clock.now(),
      result,
      message,
    });
  });
  if (changes.length > 0) bus.publish("tasksChanged", changes);
  bus.publish("pollEnded", {
    companyId: device.companyId,
    deviceId: device.id,
    result: pollResults[result].id,
  });
}

/** Marks the device as running, and with the first device the whole task. */
function begunChanges(
  { id, companyId }: AskedDevice,
  taskId: number,
  { isFirst }: RunningTask,
): TaskChange[] {
  const change = { companyId, taskId, statusId: taskStates.running.id };
  return isFirst ? [change, { ...change, deviceId: id }] : [{ ...change, deviceId: id }];
}
