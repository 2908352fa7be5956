import { meterModels, type MeterModel } from "@metrum/catalogue";
import {
  ProtocolError,
  type Conversation,
  type DeviceMetadata,
  type LineDriver,
  type Reading,
} from "@metrum/protocols/core";
import type { Services } from "#core";
import type { Channel } from "#headend/channels";
import { recordExchange, type Exchange } from "#headend/exchanges";
import { converse } from "#headend/dialogue";
import { impatient, mustMakeSense, trials, type Trial } from "./trials.ts";

/** Time limit of a single model on an unknown line. */
const trialMs = 12_000;

/** The device found behind a modem. */
export interface Found {
  /** Undefined when the protocol is known, but not the model. */
  readonly model: MeterModel | undefined;
  readonly title: string;
  readonly facts: DeviceMetadata;
  /** Empty if reading needs a password. */
  readonly readings: readonly Reading[];
}

export interface TryOptions {
  readonly sessionMs: number;
  /** Record of the bytes of each trial; not kept if absent. */
  readonly record?: (driver: LineDriver) => Exchange;
  /** DLMS messages travel in the wrapper of TCP on this line. */
  readonly isWrapped?: boolean;
}

/**
 * The first model that answers with plausible values. Errors: ProtocolError of the last one; "timeout" when
 * nothing answers.
 */
export async function tryModels(
  { clock }: Pick<Services, "clock">,
  channel: Channel,
  { sessionMs, record = () => recordExchange(clock), isWrapped = false }: TryOptions,
): Promise<Found> {
  const untilMs = clock.monotonicMs() + sessionMs;
  let failure = new ProtocolError("timeout", "nothing answers behind the modem");
  for (const trial of trials) {
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0) break;
    try {
      return await tryModel({ ...trial, isWrapped }, (conversation) =>
        converse(impatient(conversation), {
          channel,
          clock,
          sessionMs: Math.min(trialMs, leftMs),
          exchange: record(trial.driver),
        }),
      );
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      // A refusal is more informative than silence.
      if (error.kind !== "timeout") failure = error;
    }
  }
  throw failure;
}

type Talk = <Result>(conversation: Conversation<Result>) => Promise<Result>;

/** A meter with passwords is identified but not polled: it may count wrong passwords and lock itself. */
async function tryModel(trial: Trial & { readonly isWrapped: boolean }, talk: Talk): Promise<Found> {
  const { model, driver, insideAddr, isWrapped } = trial;
  const device = { insideAddr, deviceID: "", isWrapped };
  if (driver.identify) return named(trial, await talk(driver.identify(device, "open")));
  const readings = await talk(driver.poll({ kind: "now" }, device));
  return { model, title: model.title, facts: {}, readings: mustMakeSense(model, readings) };
}

/**
 * The model whose title is in the meter's identification; without one the tried model, if its protocol
 * belongs to one family.
 */
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
