import { meterModels, type MeterModel } from "@metrum/catalogue";
import { ProtocolError, type Conversation, type DeviceMetadata, type Reading } from "@metrum/protocols";
import type { Services } from "#core";
import type { Channel } from "#headend/channels";
import { recordExchange } from "#headend/exchanges";
import { converse } from "#headend/dialogue";
import { impatient, mustMakeSense, trials, type Trial } from "./trials.ts";

/** What a single model may take on an unknown line. */
const trialMs = 12_000;

/** What somebody found behind a modem. */
export interface Found {
  /** Undefined when the protocol is known, and the model is not. */
  readonly model: MeterModel | undefined;
  readonly title: string;
  readonly facts: DeviceMetadata;
  /** None where values stand behind a password. */
  readonly readings: readonly Reading[];
}

/** The first model that answers, with values that make sense. Errors: ProtocolError of the last one; "timeout" when nothing answers. */
export async function tryModels(
  { clock }: Pick<Services, "clock">,
  channel: Channel,
  sessionMs: number,
): Promise<Found> {
  const untilMs = clock.monotonicMs() + sessionMs;
  let failure = new ProtocolError("timeout", "nothing answers behind the modem");
  for (const trial of trials) {
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0) break;
    try {
      return await tryModel(trial, (conversation) =>
        converse(impatient(conversation), {
          channel,
          clock,
          sessionMs: Math.min(trialMs, leftMs),
          exchange: recordExchange(clock),
        }),
      );
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      // A device that says no is nearer to an answer than silence.
      if (error.kind !== "timeout") failure = error;
    }
  }
  throw failure;
}

type Talk = <Result>(conversation: Conversation<Result>) => Promise<Result>;

/** A meter with passwords is asked who it is and not polled: it may count the passwords that are wrong, and lock itself. */
async function tryModel(trial: Trial, talk: Talk): Promise<Found> {
  const { model, driver, insideAddr } = trial;
  const device = { insideAddr, deviceID: "" };
  if (driver.identify) return named(trial, await talk(driver.identify(device, "open")));
  const readings = await talk(driver.poll({ kind: "now" }, device));
  return { model, title: model.title, facts: {}, readings: mustMakeSense(model, readings) };
}

/** The model whose title stands in what the meter calls itself; without a name that of the trial, where its protocol is that of one family. */
function named({ model, driver, title }: Trial, facts: DeviceMetadata): Found {
  const name = facts.name?.toLowerCase();
  const known =
    name === undefined
      ? undefined
      : meterModels.find(
          (each) =>
            each.driver.kind === "line" &&
            each.driver.protocol === driver.protocol &&
            name.includes(each.title.toLowerCase()),
        );
  const found = known ?? (title === undefined ? model : undefined);
  return { model: found, title: found?.title ?? facts.name ?? title ?? "", facts, readings: [] };
}
