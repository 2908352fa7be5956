import type { Obedience, Responder, TakeOrder } from "@metrum/protocols/core";
import type { Exchange, Piece } from "./faults.ts";
import type { Meter } from "./meter.ts";

/** One device on a connection of its own. */
export const soleBus = (responder: Responder, faults: Exchange): Bus => ({
  receive: (bytes) => faults(bytes, responder.receive(bytes)),
});

/** Meters on one bus: all receive everything, the addressed ones answer. */
export interface Bus {
  receive(bytes: Uint8Array): readonly Piece[];
}

/** Told what a meter is about to answer to a request; what it returns is sent instead. */
export type OnAnswer = (
  meter: Meter,
  request: Uint8Array,
  answers: readonly Uint8Array[],
) => readonly Uint8Array[];

export interface BusOptions {
  readonly meters: readonly Meter[];
  readonly now: () => number;
  /** Whether a meter neither receives nor answers now. */
  readonly isUnreachable: (meter: Meter) => boolean;
  /** Decides about each order of a meter. */
  readonly obedience: () => Obedience;
  readonly faults: Exchange;
  readonly onAnswer?: OnAnswer | undefined;
}

export function createBus({ meters, now, isUnreachable, obedience, faults, onAnswer }: BusOptions): Bus {
  const slaves = meters.flatMap((meter): { meter: Meter; responder: Responder }[] => {
    const { driver } = meter.model;
    if (driver.kind !== "line") return [];
    const state = (field: string) => meter.stateAt(now())(field);
    const clock = () => meter.clockAt(now());
    const takeOrder: TakeOrder = (order) => meter.orders.take(order, now(), obedience());
    return [{ meter, responder: driver.respond(meter.address, state, clock, meter.stateAt, takeOrder) }];
  });
  const answersOf = (meter: Meter, request: Uint8Array, answers: readonly Uint8Array[]) =>
    answers.length > 0 && onAnswer ? onAnswer(meter, request, answers) : answers;
  return {
    receive: (bytes) =>
      faults(
        bytes,
        slaves.flatMap(({ meter, responder }) =>
          isUnreachable(meter) ? [] : answersOf(meter, bytes, responder.receive(bytes)),
        ),
      ),
  };
}
