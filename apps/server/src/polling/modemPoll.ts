import { type MeterModel } from "@metrum/catalogue";
import { polledFactors, polledFields, type AdminPoll, type PollResult } from "@metrum/contract";
import { ProtocolError, type LineDriver, type Reading } from "@metrum/protocols";
import type { Services } from "#core";
import {
  dialInLine,
  gatewayByName,
  LineElsewhere,
  LineLost,
  LinesClosing,
  noteEndDevice,
  type Channel,
  type Lines,
  type UseCaller,
} from "#channels";
import { reserveNumbers } from "#devices";
import {
  askedDevice,
  bytesToMask,
  logExchanges,
  recordExchange,
  secretsOf,
  type AskedDevice,
} from "#exchanges";
import { converse } from "./converse.ts";
import { lineModel } from "./line.ts";
import {
  endModemPoll,
  firstDevices,
  modemOfPoll,
  type ModemAnswer,
  type ModemAsked,
} from "./modemPollStore.ts";
import { impatient, mustMakeSense, trials } from "./trials.ts";

/** What a poll of platform staff may take in all, and on an unknown line a single model of it. */
const [sessionMs, trialMs] = [40_000, 12_000];
/** Devices of a gateway that are looked at for one that is asked over a line. */
const mostLookedAt = 100;

export interface ModemLines {
  readonly lines: Lines;
  readonly useCaller: UseCaller;
}

/** What somebody found behind a modem. */
interface Found {
  readonly model: MeterModel;
  readonly deviceID: string | undefined;
  readonly readings: readonly Reading[];
}

/**
 * Runs a poll of platform staff: the first meter of a known gateway, else the models that may hang on such a line, one after the other.
 * Stores no readings. A modem that fails is an answer; rejects with `LinesClosing`, or when the database is away.
 */
export async function runModemPoll(services: Services, at: ModemLines, pollId: number): Promise<void> {
  const { database } = services;
  const modem = await modemOfPoll(database.system, pollId);
  if (modem) await endModemPoll(database.system, pollId, await answerOf(services, at, modem));
}

async function answerOf(services: Services, at: ModemLines, modem: ModemAsked): Promise<ModemAnswer> {
  const { database, log } = services;
  try {
    const found = await find(services, at, modem);
    await noteEndDevice(database.system, modem, { modelId: found.model.id, title: found.model.title });
    return { result: "ok", answer: shown(found) };
  } catch (error) {
    if (error instanceof LinesClosing) throw error;
    const result = resultOf(error);
    if (result === "internal") log.error({ err: error, modem }, "a poll of staff failed by a fault of ours");
    return { result, answer: {} };
  }
}

function resultOf(error: unknown): PollResult {
  if (error instanceof ProtocolError) return error.kind;
  return error instanceof LineLost || error instanceof LineElsewhere ? "no_line" : "internal";
}

async function find(services: Services, { lines, useCaller }: ModemLines, modem: ModemAsked): Promise<Found> {
  const { database } = services;
  const gateway = await gatewayByName(database, modem.identity);
  if (!gateway) return useCaller(modem, (channel) => tryModels(services, channel));
  const line = { key: dialInLine(gateway.id), tcp: undefined };
  const asked = (await firstDevices(database.system, gateway.id, mostLookedAt)).find(({ modelId }) =>
    lineModel(modelId),
  );
  const device = asked && (await askedDevice(database.system, asked.id));
  return lines.use(line, (channel) =>
    device ? readDevice(services, channel, { device, line: line.key }) : tryModels(services, channel),
  );
}

interface Behind {
  readonly device: AskedDevice;
  readonly line: string;
}

/** Reads a registered device; the exchange stands in its log as a request without readings. */
async function readDevice(services: Services, channel: Channel, { device, line }: Behind): Promise<Found> {
  const { clock, config, database } = services;
  const model = lineModel(device.modelId);
  if (model?.driver.kind !== "line")
    throw new ProtocolError("unsupported", "the model is not asked over a line");
  const secrets = secretsOf(config, device);
  const exchange = recordExchange(clock, bytesToMask(secrets));
  const [startedMs, beganMs] = [clock.nowMs(), clock.monotonicMs()];
  const address = { insideAddr: device.insideAddr, deviceID: device.deviceID, ...secrets };
  let failure: unknown;
  try {
    const readings = await converse(model.driver.poll({ kind: "now" }, address), {
      channel,
      clock,
      exchange,
      sessionMs,
      reserve: (reservation) => reserveNumbers(database, device.id, reservation),
    });
    return { model, deviceID: device.deviceID, readings };
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await logExchanges(database.system, [
      {
        deviceId: device.id,
        startedMs,
        receivedAt: null,
        kind: "request",
        result: failure === undefined ? "ok" : resultOf(failure),
        tries: exchange.retries() + 1,
        durationMs: Math.round(clock.monotonicMs() - beganMs),
        line,
        readings: 0,
        message: failure instanceof Error ? failure.message : "",
        taskId: null,
        steps: exchange.steps(),
      },
    ]);
  }
}

/** The first model that answers with values that make sense. Errors: ProtocolError of the last one; "timeout" when nothing answers. */
async function tryModels({ clock }: Services, channel: Channel): Promise<Found> {
  const untilMs = clock.monotonicMs() + sessionMs;
  let failure = new ProtocolError("timeout", "nothing answers behind the modem");
  for (const { model, driver, insideAddr } of trials) {
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0) break;
    try {
      const readings = await readAs(driver, {
        channel,
        clock,
        insideAddr,
        sessionMs: Math.min(trialMs, leftMs),
      });
      return { model, deviceID: undefined, readings: mustMakeSense(model, readings) };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      // A device that says no is nearer to an answer than silence.
      if (error.kind !== "timeout") failure = error;
    }
  }
  throw failure;
}

interface Reach {
  readonly channel: Channel;
  readonly clock: Services["clock"];
  readonly insideAddr: string;
  readonly sessionMs: number;
}

function readAs(driver: LineDriver, { insideAddr, ...talk }: Reach): Promise<Reading[]> {
  const conversation = driver.poll({ kind: "now" }, { insideAddr, deviceID: "" });
  return converse(impatient(conversation), { ...talk, exchange: recordExchange(talk.clock) });
}

/** Values by name; of what several messages have the first known one. The time is that of the meter, so one without a clock has none. */
function shown({ model, deviceID, readings }: Found): AdminPoll {
  const values: Partial<Record<string, number | null>> = {};
  for (const name of [...polledFields, ...polledFactors]) {
    const given = readings.map((reading) => reading.values[name]).filter((value) => value !== undefined);
    if (given.length > 0) values[name] = given.find((value) => value !== null) ?? null;
  }
  const meterAt = readings.find((reading) => reading.meterAt !== undefined)?.meterAt;
  return {
    model: model.title,
    ...(deviceID === undefined || deviceID === "" ? {} : { serial_number: deviceID }),
    ...(meterAt === undefined ? {} : { datetime: meterAt }),
    ...values,
  };
}
