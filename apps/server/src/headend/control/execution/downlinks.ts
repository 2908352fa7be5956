import { modelById } from "@metrum/catalogue";
import { taskStates, type CommandMessage } from "@metrum/contract/headend";
import {
  ProtocolError,
  type CommandResult,
  type DeviceAddress,
  type DownlinkCommand,
  type PulseScale,
  type UplinkDriver,
} from "@metrum/protocols/core";
import { commandOf, wantedState } from "@metrum/vocabulary";
import { standardOffsetSec, type Db, type Services } from "#core";
import { askedDevice, secretsOf, type AskedDevice } from "#headend/exchanges";
import { putBackItem, type TaskChange } from "#headend/tasks";
import { newReports, orderDownlink } from "#headend/uplinks";
import { awaitUplink, noteJudged, noteOrderOf, putBack, replaceMessages } from "../commandStore.ts";
import { headOf, type OpenCommand } from "../openStore.ts";
import { orderedCommands, payloadsSince, type OrderedCommand } from "./downlinkStore.ts";
import { listensNow, listensSec } from "../listeningStore.ts";
import { settle, write, type Outcome } from "./settle.ts";
import { changesDevice, takeWith } from "./take.ts";

type Begin = (device: DeviceAddress & PulseScale, given?: unknown) => DownlinkCommand;
type Ended = Omit<Outcome, "startedMs" | "exchange">;

/** How long an order waits for its transport; then the command is ordered again. */
const orderSec = 60;
/** A process number that no process has: the order is carried by whichever holds its transport. */
const ofOrders = 0;

/** The driver of a device that is reached by downlinks; undefined for one with a line. */
export function downlinkDriver(modelId: number): UplinkDriver | undefined {
  const model = modelById(modelId);
  return model?.kind === "meter" && model.driver.kind === "uplink" ? model.driver : undefined;
}

/** The driver's downlink for a command; its arguments were accepted by the schema of this command. */
function downlinkOf(services: Services, device: AskedDevice, command: OpenCommand): DownlinkCommand {
  const own: Readonly<Record<string, unknown>> = downlinkDriver(device.modelId)?.commands ?? {};
  const begin = Object.hasOwn(own, command.key) ? (own[command.key] as Begin) : undefined;
  if (!begin) throw new ProtocolError("unsupported", "the driver has no such command");
  const { insideAddr, deviceID, zone, impulseWeight, startingValue } = device;
  const utcOffsetMinutes = standardOffsetSec(zone, services.clock.now()) / 60;
  const address = { insideAddr, deviceID, utcOffsetMinutes, impulseWeight, startingValue };
  return begin({ ...address, ...secretsOf(services.secretBox, device) }, command.arguments);
}

/** Whether a command must not take effect after its expiry: late, it would surprise. */
function isTimely({ key }: OpenCommand): boolean {
  const command = commandOf(key);
  return command === undefined || (command.changesDevice && !command.isRepeatable);
}

/**
 * Orders the downlink of the next command of a device: the mark that it is being sent and the order are one
 * transaction. A device that was not received yet, over a transport with downlinks, leaves it queued. So does one that
 * listens only after its uplinks, until an uplink comes: its network server would keep the downlink beyond the
 * expiry of the command.
 */
export async function orderNext(services: Services, deviceId: number): Promise<void> {
  const { database, clock } = services;
  const command = await headOf(database.system, deviceId, clock.now());
  const device = await askedDevice(database.system, deviceId);
  if (!command || !device || device.isPutAway) return;
  try {
    const { fport, payload, then, listensAlways } = downlinkOf(services, device, command);
    const isAwaited = isTimely(command) && listensAlways !== true;
    if (isAwaited && !(await listensNow(database.system, command, clock.nowMs()))) {
      await awaitUplink(database.system, command.id);
      return;
    }
    const down = { fPort: fport, payload, confirmed: false };
    const timely = isTimely(command) ? { ...down, validUntil: command.expiresAt } : down;
    await takeWith(services, { command, processId: ofOrders }, async (db) => {
      const now = clock.now();
      const expiresAt = Math.min(command.expiresAt, now + (isAwaited ? listensSec : orderSec));
      const orderId = await orderDownlink(db, device, timely, {
        now,
        expiresAt,
        changesDevice: changesDevice(command),
      });
      if (orderId === undefined) return false;
      await noteOrderOf(db, command.id, orderId, clock.nowMs());
      if (then)
        await orderDownlink(
          db,
          device,
          { ...down, fPort: then.fport, payload: then.payload },
          { now, expiresAt },
        );
      return true;
    });
  } catch (error) {
    const { message } = refusalOf(error);
    await settle(services, command, { state: "failed", result: "unsupported", message, startedMs: null });
  }
}

/** A downlink that this device or LoRaWAN does not allow; other errors are rethrown. */
function refusalOf(error: unknown): Error {
  if (error instanceof ProtocolError || error instanceof RangeError) return error;
  throw error;
}

/**
 * Ends commands whose order has failed, or was proved by an uplink, or was not proved in time: all of them, so many in
 * one transaction.
 */
export async function judgeOrders(services: Services, limit: number): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined;) last = await judgeSome(services, last, limit);
}

/** The same for those after one of them. Returns the last; undefined: there are no more. */
async function judgeSome(services: Services, after: number, limit: number): Promise<number | undefined> {
  const { database, clock, bus } = services;
  const { commands, changes } = await database.system.transaction().execute(async (db) => {
    const nowMs = clock.nowMs();
    const found = await orderedCommands(db, { after, limit, nowMs });
    const changed: TaskChange[] = [];
    const open: number[] = [];
    for (const command of found) {
      const ended = await outcomeOf(services, db, command);
      if (ended === undefined) open.push(command.id);
      else changed.push(...(await endOrdered(db, clock.now(), command, ended)));
    }
    await noteJudged(db, open, nowMs);
    return { commands: found, changes: changed };
  });
  if (changes.length > 0) bus.publish("tasksChanged", changes);
  return commands.length < limit ? undefined : commands.at(-1)?.id;
}

/** Reports of network servers that came after their commands had ended make these outcomes more exact. */
export async function applyReports({ database, bus }: Services, limit: number): Promise<void> {
  const changed = await database.system.transaction().execute(async (db) => {
    const reports = await newReports(db, limit);
    const aired = reports.filter(({ outcome }) => isAired({ networkReport: outcome }));
    return [
      ...(await replaceMessages(db, aired, { from: "handed_over", to: "on_air" })),
      ...(await replaceMessages(db, aired, { from: "no_proof", to: "on_air_no_proof" })),
    ];
  });
  const statusId = taskStates.unknown.id;
  if (changed.length > 0)
    bus.publish(
      "tasksChanged",
      changed.map((each) => ({ ...each, statusId })),
    );
}

function endOrdered(
  db: Db,
  now: number,
  command: OrderedCommand,
  ended: Ended | "not_sent",
): Promise<TaskChange[]> {
  if (ended === "not_sent") return orderLater(db, now, command);
  return write(db, now, [{ command, outcome: { ...ended, startedMs: null, isNotFollowed: true } }]);
}

/** Nothing was sent: the command waits for its transport until it expires. */
async function orderLater(db: Db, now: number, command: OrderedCommand): Promise<TaskChange[]> {
  const { companyId, taskId, deviceId, awaitsUplink } = command;
  const says = awaitsUplink ? "awaits_uplink" : "not_sent";
  if (!(await putBack(db, { ...command, nextAt: now, message: "", says }))) return [];
  await putBackItem(db, command);
  return [{ companyId, taskId, deviceId, statusId: taskStates.queued.id }];
}

async function outcomeOf(
  services: Services,
  db: Db,
  command: OrderedCommand,
): Promise<Ended | "not_sent" | undefined> {
  switch (command.orderState) {
    case "no_line":
      return "not_sent";
    case "refused":
      return {
        state: "failed",
        result: "refused",
        message: command.orderMessage ?? "",
        says: "network_refused",
      };
    case "sent":
      return (
        (await proofOf(services, db, command)) ??
        (command.isLate ? unproved(command, isAired(command) ? "on_air_no_proof" : "no_proof") : undefined)
      );
    case "unknown":
    case null:
      return unproved(command, "network_unknown");
  }
}

/** Whether a gateway has sent it, by the report of its network server; the device may have missed it. */
const isAired = ({ networkReport }: Pick<OrderedCommand, "networkReport">): boolean =>
  networkReport === "sent" || networkReport === "acknowledged" || networkReport === "not_acknowledged";

/** Only what reads or is harmless is sent again. */
function unproved({ key }: OpenCommand, says: CommandMessage): Ended {
  const command = commandOf(key);
  const isHarmless = command !== undefined && (!command.changesDevice || command.isRepeatable);
  const mayBeDone = command?.changesDevice === true;
  return { state: isHarmless ? "again" : "unknown", result: "timeout", message: "", says, mayBeDone };
}

/** What the uplinks since the last look say of a command that was handed over; undefined: nothing yet. */
async function proofOf(services: Services, db: Db, command: OrderedCommand): Promise<Ended | undefined> {
  const device = await askedDevice(db, command.deviceId);
  if (!device) return undefined;
  try {
    const { proof } = downlinkOf(services, device, command);
    if (!proof)
      return {
        state: "unknown",
        result: "timeout",
        message: "",
        says: isAired(command) ? "on_air" : "handed_over",
      };
    for (const { payload, fport } of await payloadsSince(db, command.deviceId, command.unseenMs)) {
      const result = proof(payload, fport);
      if (result) return endedAs(command, result);
    }
    return undefined;
  } catch (error) {
    return { state: "unknown", result: "unsupported", message: refusalOf(error).message };
  }
}

function endedAs({ key, arguments: given }: OpenCommand, result: CommandResult): Ended {
  if (result.state !== "done") {
    const { kind, message } = result.reason;
    return { state: result.state === "refused" ? "failed" : "unknown", result: kind, message };
  }
  const wanted = typeof given === "object" && given !== null ? wantedState(key, { ...given }) : {};
  return { state: "done", result: "ok", message: "", read: { ...wanted, ...result.read } };
}
