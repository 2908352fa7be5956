import { taskStates, type PollResult } from "@metrum/contract/headend";
import type { HolePeriod } from "@metrum/contract/metering";
import {
  ProtocolError,
  serialOf,
  warningsOf,
  type LineDriver,
  type ReadFunction,
  type Reading,
} from "@metrum/protocols/core";
import { isReadingCommand, pollManagement } from "@metrum/vocabulary";
import type { Services } from "#core";
import { LineElsewhere, LineLent, LineLost, LinesClosing, type Lines } from "#headend/channels";
import {
  failureOf,
  readPatiently,
  runInSession,
  type DeviceJob,
  type Session,
  type WorkEnd,
} from "#headend/dialogue";
import { withQuarantined, type AskedDevice } from "#headend/exchanges";
import { storedRequestOf, type RunningTask, type StoredRequest } from "#headend/tasks";
import { noteSerials } from "#metering/device-state";
import { ingestEach, type Incoming, type Outcome as Stored } from "#metering/messages";
import { readHoles } from "./readHoles.ts";
import { readArchives, type ArchivesRead } from "./archives.ts";
import { readStored, type StoredOutcome, type StoredRun } from "./readStored.ts";
import type { ArchiveRun } from "./requestSlots.ts";
import { readSerial } from "./serials.ts";
import { groupReading } from "./store.ts";

/**
 * Reads a device: as the commands of a task say or, for scheduled polls, current values and archives, as far
 * as its group selects them. Rejects as `runInSession`.
 */
export function pollDevice(services: Services, lines: Lines, job: DeviceJob): Promise<void> {
  const { taskId } = job;
  return runInSession(services, lines, job, (session, task) => {
    if (!task || taskId === undefined) return read(services, session, undefined);
    if (task.holes) return fillHoles(services, session, { ...task, taskId, holes: task.holes });
    const request = task.management ? storedRequestOf(task.management) : undefined;
    return request
      ? readMemory(services, session, { ...task, taskId, request })
      : read(services, session, task);
  });
}

/** Requests missing rows from the archives of the device, and nothing else. */
function fillHoles(
  services: Services,
  session: Session,
  { taskId, holes, holesTo }: RunningTask & { readonly taskId: number; readonly holes: HolePeriod },
): Promise<WorkEnd> {
  return readPart(services, session, taskId, (progress) =>
    readHoles(services, session, { taskId, period: holes, requestedTo: holesTo ?? {}, ...progress }),
  );
}

/** Reads an archive or journal as requested, and nothing else. */
function readMemory(
  services: Services,
  session: Session,
  { taskId, request, holesTo }: RunningTask & { readonly taskId: number; readonly request: StoredRequest },
): Promise<WorkEnd> {
  const requestedTo = holesTo?.[String(request.msgType)] ?? null;
  return readPart(services, session, taskId, (progress) =>
    readStored(services, session, { taskId, request, requestedTo, ...progress }),
  );
}

/** Does a part of a task that may need several sessions. */
async function readPart(
  services: Services,
  session: Session,
  taskId: number,
  work: (progress: Pick<StoredRun, "keep" | "onProgress">) => Promise<StoredOutcome>,
): Promise<WorkEnd> {
  const { device } = session;
  const receivedAt = services.clock.now();
  const kept: Kept = { readings: [], outcomes: [] };
  const { isUnfinished, ...failure } = await work({
    keep: (given) => keepReadings(services, { device, receivedAt, kept }, given),
    onProgress: () => {
      const change = { companyId: device.companyId, taskId, statusId: taskStates.running.id };
      services.bus.publish("tasksChanged", [{ ...change, deviceId: device.id }]);
    },
  });
  const exchange = session.exchange({
    ...failure,
    receivedAt: kept.readings.length > 0 ? receivedAt : null,
    readings: kept.readings.length,
  });
  return { ...failure, isUnfinished, exchange: withQuarantined(exchange, kept.readings, kept.outcomes) };
}

async function read(services: Services, session: Session, task: RunningTask | undefined): Promise<WorkEnd> {
  const group = task ? undefined : await groupReading(services.database.system, session.device.id);
  const now = group?.selected.now_value === false ? {} : pollManagement;
  const { result, message, readings } = await readNow(services, session, task?.management ?? now);
  const receivedAt = services.clock.now();
  const kept: Kept = { readings: [], outcomes: [] };
  const keep = (given: readonly Reading[]) =>
    keepReadings(services, { device: session.device, receivedAt, kept }, given);
  if (readings.length > 0) await keep(readings);
  // A waiting user wants current values; archives are read by scheduled polls.
  const archives = result === "ok" && group ? await readPast(services, session, { keep, group }) : noArchives;
  if (result === "ok" && !task) await readSerial(services, session, receivedAt);
  const exchange = session.exchange({
    result,
    message: [message, archives.message].filter((text) => text !== "").join("; "),
    receivedAt: kept.readings.length > 0 ? receivedAt : null,
    readings: kept.readings.length,
  });
  return { result, message, exchange: withQuarantined(exchange, kept.readings, kept.outcomes) };
}

interface NowRead {
  readonly result: PollResult;
  readonly message: string;
  readonly readings: readonly Reading[];
}

/** Executes the commands one after the other; what was read before a failure is kept. */
async function readNow(
  services: Services,
  session: Session,
  management: NonNullable<RunningTask["management"]>,
): Promise<NowRead> {
  const { device, driver } = session;
  const readings: Reading[] = [];
  try {
    for (const readWith of readFunctions(driver, Object.keys(management)))
      readings.push(...(await readPatiently(services.clock, session, (_, address) => readWith(address))));
    return { result: "ok", message: warningsOf(readings), readings };
  } catch (error) {
    return { ...failureOf(services, device, error), readings };
  }
}

/**
 * Functions of commands, each once. Errors: ProtocolError "unsupported" for a command that changes the device
 * or that its driver does not have: the model may have been changed since the request.
 */
function readFunctions({ commands }: LineDriver, keys: readonly string[]): ReadonlySet<ReadFunction> {
  return new Set(
    keys.map((key) => {
      const found = isReadingCommand(key) ? commands[key] : undefined;
      if (!found) throw new ProtocolError("unsupported", `the driver has no command ${key}`);
      return found;
    }),
  );
}

/** Readings passed to the store in this poll, with the outcome of each. */
interface Kept {
  readonly readings: Incoming[];
  readonly outcomes: Stored[];
}

async function keepReadings(
  services: Services,
  { device, receivedAt, kept }: { device: AskedDevice; receivedAt: number; kept: Kept },
  readings: readonly Reading[],
): Promise<void> {
  const incoming = readings.map((reading) => ({
    deviceId: device.id,
    msgType: reading.msgType,
    ts: reading.at ?? receivedAt,
    receivedAt,
    source: "polled" as const,
    values: reading.values,
    ...(reading.meterAt === undefined ? {} : { meterAt: reading.meterAt }),
  }));
  kept.outcomes.push(...(await ingestEach(services, incoming)));
  kept.readings.push(...incoming);
  const serial = serialOf(readings);
  if (serial !== undefined)
    await noteSerials(services.database.system, [{ deviceId: device.id, serial, at: receivedAt }]);
}

const noArchives: ArchivesRead = { readings: 0, message: "" };

/**
 * Reads the archives. Their failure does not make the poll fail. Rejects only when the database is
 * unavailable.
 */
async function readPast(
  services: Services,
  session: Session,
  { keep, group }: Pick<ArchiveRun, "keep" | "group">,
): Promise<ArchivesRead> {
  const { device, driver } = session;
  try {
    return await readArchives(services, {
      device,
      driver,
      group,
      keep,
      ask: (request) => readPatiently(services.clock, session, (_, address) => driver.poll(request, address)),
    });
  } catch (error) {
    if (![LineElsewhere, LinesClosing, LineLent, LineLost].some((kind) => error instanceof kind)) throw error;
    return { readings: 0, message: "the line was lost before the archives were read" };
  }
}
