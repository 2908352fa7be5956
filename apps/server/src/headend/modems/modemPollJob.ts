import type { MeterModel } from "@metrum/catalogue";
import { polledFactors, polledFields, type AdminPoll, type PollResult } from "@metrum/contract/headend";
import { ProtocolError, type DeviceMetadata } from "@metrum/protocols/core";
import type { FieldName } from "@metrum/vocabulary";
import { z } from "zod/mini";
import type { Services } from "#core";
import {
  dialInLine,
  gatewayByName,
  LineElsewhere,
  LineLost,
  LinesClosing,
  noteEndDevice,
  type Channel,
} from "#headend/channels";
import { askedDevice, lineModel, logExchanges, type AskedDevice } from "#headend/exchanges";
import { lineJob, openSession, type Failure, type OpenLines } from "#headend/dialogue";
import {
  endModemPoll,
  firstDevices,
  modemOfPoll,
  modemPollKind,
  type ModemAnswer,
  type ModemAsked,
} from "./modemPollStore.ts";
import { tryModels, type Found } from "./tryModels.ts";

/** Time limit of a poll by platform staff. */
const sessionMs = 40_000;
/** Limit of devices behind a gateway among which one polled over a line is searched. */
const mostLookedAt = 100;

/**
 * Runs a poll by platform staff: the first meter of a known gateway, else the models that may be on such a
 * line, one after the other. Stores no readings. A failing modem is an outcome; rejects with `LinesClosing`,
 * or when the database is unavailable.
 */
async function runModemPoll(services: Services, at: OpenLines, pollId: number): Promise<void> {
  const { database } = services;
  const modem = await modemOfPoll(database.system, pollId);
  if (modem) await endModemPoll(database.system, pollId, await answerOf(services, at, modem));
}

export const modemPollJob = lineJob({
  name: modemPollKind,
  payload: z.object({ modemPollId: z.int() }),
  run: (services, at, { modemPollId }) => runModemPoll(services, at, modemPollId),
});

async function answerOf(services: Services, at: OpenLines, modem: ModemAsked): Promise<ModemAnswer> {
  const { database, log } = services;
  try {
    const found = await find(services, at, modem);
    await noteEndDevice(database.system, modem, {
      modelId: found.model?.id ?? null,
      title: found.title,
      version: found.facts.version ?? null,
    });
    return { result: "ok", answer: shown(found) };
  } catch (error) {
    if (error instanceof LinesClosing) throw error;
    const result = resultOf(error);
    if (result === "internal")
      log.error({ err: error, modem }, "a poll by staff failed with an internal error");
    return { result, answer: {} };
  }
}

/** No dialogue with the device is possible. */
class SessionRefused extends Error {
  override readonly name = "SessionRefused";
  readonly result: PollResult;
  constructor({ result, message }: Failure) {
    super(message);
    this.result = result;
  }
}

function resultOf(error: unknown): PollResult {
  if (error instanceof SessionRefused) return error.result;
  if (error instanceof ProtocolError) return error.kind;
  return error instanceof LineLost || error instanceof LineElsewhere ? "no_line" : "internal";
}

async function find(services: Services, { lines, useCaller }: OpenLines, modem: ModemAsked): Promise<Found> {
  const { database } = services;
  const gateway = await gatewayByName(database, modem.identity);
  if (!gateway) return useCaller(modem, (channel) => tryModels(services, channel, { sessionMs }));
  const line = { key: dialInLine(gateway.id), tcp: undefined };
  const candidate = (await firstDevices(database.system, gateway.id, mostLookedAt)).find(({ modelId }) =>
    lineModel(modelId),
  );
  const device = candidate && (await askedDevice(database.system, candidate.id));
  return lines.use(line, (channel) =>
    device
      ? readDevice(services, channel, { device, line: line.key })
      : tryModels(services, channel, { sessionMs }),
  );
}

interface Behind {
  readonly device: AskedDevice;
  readonly line: string;
}

/** Reads a registered device; the exchange is in its log as a request without readings. */
async function readDevice(services: Services, channel: Channel, { device, line }: Behind): Promise<Found> {
  const session = openSession(services, device, {
    kind: "request",
    line,
    use: (run) => run(channel),
    sessionMs,
  });
  if (!session.isOpen) throw new SessionRefused(session.failure);
  const {
    driver: { identify },
    talk,
  } = session;
  let failure: unknown;
  try {
    const readings = await talk((driver, address) => driver.poll({ kind: "now" }, address));
    const facts = identify ? await orNothing(talk((_, address) => identify(address, "own"))) : {};
    const model = lineModel(device.modelId);
    if (!model) throw new Error("an open session has a model");
    return { model, title: model.title, facts: { serial: device.deviceID, ...facts }, readings };
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await logExchanges(services.database.system, [
      session.exchange({
        result: failure === undefined ? "ok" : resultOf(failure),
        message: failure instanceof Error && resultOf(failure) !== "internal" ? failure.message : "",
      }),
    ]);
  }
}

/** Values have arrived: they count even if the meter then fails to identify itself. */
async function orNothing(facts: Promise<DeviceMetadata>): Promise<DeviceMetadata> {
  try {
    return await facts;
  } catch (error) {
    if (error instanceof ProtocolError) return {};
    throw error;
  }
}

/** The counter of the first tariff; a meter without tariffs has a single counter. */
const firstTariff = ({ fields }: MeterModel): FieldName =>
  fields.includes("tariff1") || !fields.includes("tariff0") ? "tariff1" : "tariff0";

/**
 * Values by name; if several messages have one, the first known value. The time is that of the meter, so one
 * without a clock has none.
 */
function shown({ model, title, facts, readings }: Found): AdminPoll {
  const values: Partial<Record<string, number | null>> = {};
  for (const name of [...polledFields, ...polledFactors]) {
    const read = name === "tariff1" && model ? firstTariff(model) : name;
    const given = readings.map((reading) => reading.values[read]).filter((value) => value !== undefined);
    if (given.length > 0) values[name] = given.find((value) => value !== null) ?? null;
  }
  const { serial } = facts;
  const meterAt = readings.find((reading) => reading.meterAt !== undefined)?.meterAt;
  return {
    model: title,
    ...(serial === undefined || serial === "" ? {} : { serial_number: serial }),
    ...(meterAt === undefined ? {} : { datetime: meterAt }),
    ...values,
  };
}
