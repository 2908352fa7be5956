import { readUntil, type Services } from "#core";
import { dialInLine, modemConnection, workOf } from "#headend/channels";
import { addLineJobs, requestPriority } from "#headend/dialogue";
import {
  addModemPoll,
  answerOfModemPoll,
  dropModemPoll,
  modemPollChannel,
  modemPollKind,
  type ModemAnswer,
  type ModemAsked,
} from "./modemPollStore.ts";

/** Longer than a poll may take, shorter than a request may wait; a later answer is not awaited. */
const patienceMs = 50_000;
/** Interval of reads of the answer without a notification. */
const pauseMs = 1_000;

/**
 * Has a modem polled by the process that holds its connection, with priority over scheduled polls of the same
 * line, and waits for the answer. No readings are stored. A modem that is not connected, or does not answer,
 * is an outcome.
 */
export async function askModem(
  services: Pick<Services, "database" | "clock">,
  modem: ModemAsked,
): Promise<ModemAnswer> {
  const { database, clock } = services;
  const { system } = database;
  const seen = await modemConnection(system, modem.port, modem.identity);
  if (!seen?.is_online || seen.process_id === null) return { result: "no_line", answer: {} };
  const id = await addModemPoll(system, modem, clock.now());
  const line =
    seen.gateway_id === null ? `caller:${String(modem.port)}:${modem.identity}` : dialInLine(seen.gateway_id);
  await addLineJobs(system, [
    {
      kind: modemPollKind,
      task: workOf(seen.process_id),
      payload: { modemPollId: id },
      line,
      key: `modem:${String(id)}`,
      priority: requestPriority,
    },
  ]);
  try {
    const answer = await readUntil(services, {
      read: () => answerOfModemPoll(system, id),
      isFinal: (found) => found !== undefined,
      channel: modemPollChannel,
      payload: String(id),
      waitMs: patienceMs,
      pauseMs,
    });
    return answer ?? { result: "timeout", answer: {} };
  } finally {
    await dropModemPoll(system, id);
  }
}
