import { pollResults, type PollResult } from "@metrum/contract";
import {
  ProtocolError,
  warningsOf,
  type LineDriver,
  type PollRequest,
  type Reading,
} from "@metrum/protocols";
import { standardOffsetSec, type Services } from "#core";
import {
  LineElsewhere,
  LineLent,
  LineLost,
  LinesClosing,
  type Lines,
  type LineTarget,
} from "#headend/channels";
import { reserveNumbers, type DeviceSecrets } from "#metering/devices";
import {
  askedDevice,
  bytesToMask,
  lineFacts,
  lineOf,
  logExchanges,
  noteResult,
  recordExchange,
  secretsOf,
  withQuarantined,
  type AskedDevice,
  type ExchangeRow,
} from "#headend/exchanges";
import { ingestEach, type Incoming, type Outcome as Stored } from "#metering/messages";
import { beginItem, converse, endItem, hurrySilent, lineModel } from "#headend/dialogue";
import { readArchives, type ArchivesRead } from "./archives.ts";
import type { PollRequest as PollJob } from "./pollQueue.ts";

/** How a poll ended. */
interface Outcome {
  readonly result: PollResult;
  readonly message: string;
  readonly readings: readonly Reading[];
}

/**
 * Polls one device: dialogue, readings into the store, exchange into the log, outcome to whoever waits. A device that fails is an
 * outcome, not an error. Rejects with `LineElsewhere` when another process must do it, with `LinesClosing` when this one
 * ends, else only when the database is away.
 */
export async function pollDevice(services: Services, lines: Lines, job: PollJob): Promise<void> {
  const { database, clock, bus } = services;
  const device = await askedDevice(database.system, job.deviceId);
  if (!device || (job.taskId === undefined ? !device.isPolled : device.isPutAway)) return;
  if (job.taskId !== undefined && !(await beginItem(database.system, job.taskId, device.id))) return;
  const startedMs = clock.nowMs();
  const beganMs = clock.monotonicMs();
  const secrets = opened(services, device);
  const exchange = recordExchange(clock, secrets ? bytesToMask(secrets, device.modelId) : []);
  const target = lineOf(device);
  const outcome = secrets
    ? await runPoll(services, { device, secrets, lines, target, exchange })
    : failed("internal", "the secrets of the device do not open with the key file of this installation");
  const receivedAt = clock.now();
  const kept: Kept = { readings: [], outcomes: [] };
  const keep = (readings: readonly Reading[]) =>
    keepReadings(services, { device, receivedAt, kept }, readings);
  if (outcome.readings.length > 0) await keep(outcome.readings);
  // Whoever waits for an answer wants the values of now; the past is fetched by the plan.
  const archives =
    secrets && outcome.result === "ok" && job.taskId === undefined
      ? await runArchives(services, { device, secrets, lines, target, exchange }, keep)
      : noArchives;
  const durationMs = Math.round(clock.monotonicMs() - beganMs);
  await database.system.transaction().execute(async (db) => {
    const row: ExchangeRow = {
      deviceId: device.id,
      startedMs,
      receivedAt: kept.readings.length > 0 ? receivedAt : null,
      kind: job.taskId === undefined ? "poll" : "request",
      result: outcome.result,
      tries: exchange.retries() + 1,
      durationMs,
      line: target?.key ?? "",
      readings: kept.readings.length,
      message: [outcome.message, archives.message].filter((text) => text !== "").join("; "),
      taskId: job.taskId ?? null,
      steps: exchange.steps(),
    };
    await logExchanges(db, [withQuarantined(row, kept.readings, kept.outcomes)]);
    // The device is not at fault: it is asked again when the line is free.
    if (outcome.result === "line_busy") return;
    await noteResult(db, [device.id], outcome.result);
    if (outcome.result === "ok" && device.failures > 0 && device.gatewayId !== null)
      await hurrySilent(db, device.gatewayId, clock.now());
    if (job.taskId !== undefined)
      await endItem(db, { taskId: job.taskId, deviceId: device.id, startedMs, now: clock.now(), ...outcome });
  });
  bus.publish("pollEnded", {
    companyId: device.companyId,
    deviceId: device.id,
    result: pollResults[outcome.result].id,
  });
}

interface Run {
  readonly device: AskedDevice;
  readonly secrets: DeviceSecrets;
  readonly lines: Lines;
  readonly target: LineTarget | undefined;
  readonly exchange: ReturnType<typeof recordExchange>;
}

/** What the store was given in this poll, and what became of each. */
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
}

async function runPoll(services: Services, run: Run): Promise<Outcome> {
  const { log } = services;
  const { device, target } = run;
  const driver = lineModel(device.modelId)?.driver;
  if (driver?.kind !== "line") return failed("unsupported", "the model is not asked over a line");
  if (!target) return failed("no_line", "the device has neither gateway nor address");
  try {
    const readings = await ask(services, run, { driver, target }, { kind: "now" });
    return { result: "ok", message: warningsOf(readings), readings };
  } catch (error) {
    if (error instanceof LineElsewhere || error instanceof LinesClosing) throw error;
    if (error instanceof ProtocolError) return failed(error.kind, error.message);
    if (error instanceof LineLent) return failed("line_busy", error.message);
    if (error instanceof LineLost) return failed("no_line", error.message);
    log.error({ err: error, device: device.id }, "poll failed by a fault of ours");
    return failed("internal", "");
  }
}

/** One dialogue with the device over its line. Rejects with ProtocolError, and as `Lines.use`. */
function ask(
  { clock, database }: Services,
  { device, secrets, lines, exchange }: Run,
  { driver, target }: { driver: LineDriver; target: LineTarget },
  request: PollRequest,
): Promise<Reading[]> {
  const { insideAddr, deviceID, zone } = device;
  const utcOffsetMinutes = standardOffsetSec(zone, clock.now()) / 60;
  return lines.use(target, (channel) =>
    converse(
      driver.poll(request, { insideAddr, deviceID, utcOffsetMinutes, ...lineFacts(device), ...secrets }),
      {
        channel,
        clock,
        exchange,
        reserve: (reservation) => reserveNumbers(database, device.id, reservation),
      },
    ),
  );
}

const noArchives: ArchivesRead = { readings: 0, message: "" };

/** What the device keeps of the past. Whatever becomes of it, the poll has succeeded. Rejects only when the database is away. */
async function runArchives(
  services: Services,
  run: Run,
  keep: (readings: readonly Reading[]) => Promise<void>,
): Promise<ArchivesRead> {
  const { device, target } = run;
  const driver = lineModel(device.modelId)?.driver;
  if (driver?.kind !== "line" || !target) return noArchives;
  const way = { driver, target };
  try {
    return await readArchives(services, {
      device,
      driver,
      keep,
      ask: (request) => ask(services, run, way, request),
    });
  } catch (error) {
    if (![LineElsewhere, LinesClosing, LineLent, LineLost].some((kind) => error instanceof kind)) throw error;
    return { readings: 0, message: "the line was lost before the archives were read" };
  }
}

const failed = (result: PollResult, message: string): Outcome => ({ result, message, readings: [] });

/** Undefined when they were sealed under another key file: an outcome of this device, not of the whole work. */
function opened({ config, log }: Services, device: AskedDevice): DeviceSecrets | undefined {
  try {
    return secretsOf(config, device);
  } catch (error) {
    log.error({ err: error, device: device.id }, "secrets of a device do not open");
    return undefined;
  }
}
