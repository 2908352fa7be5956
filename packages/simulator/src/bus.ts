import type { Obedience, Responder, TakeOrder } from "@metrum/protocols";
import type { Exchange, Piece } from "./faults.ts";
import type { Meter } from "./meter.ts";

/** Meters on one bus: all receive everything, the addressed ones answer. */
export interface Bus {
  receive(bytes: Uint8Array): readonly Piece[];
}

export interface BusOptions {
  readonly meters: readonly Meter[];
  readonly now: () => number;
  /** Whether a meter neither receives nor answers now. */
  readonly isUnreachable: (meter: Meter) => boolean;
  /** Decides about each order of a meter. */
  readonly obedience: () => Obedience;
  readonly faults: Exchange;
}

export function createBus({ meters, now, isUnreachable, obedience, faults }: BusOptions): Bus {
  const slaves = meters.flatMap((meter): { meter: Meter; responder: Responder }[] => {
    const { driver } = meter.model;
    if (driver.kind !== "line") return [];
    const state = (field: string) => meter.stateAt(now())(field);
    const clock = () => meter.clockAt(now());
    const takeOrder: TakeOrder = (order) => meter.orders.take(order, now(), obedience());
    return [{ meter, responder: driver.respond(meter.address, state, clock, meter.stateAt, takeOrder) }];
  });
  return {
    receive: (bytes) =>
      faults(
        bytes,
        slaves.flatMap(({ meter, responder }) => (isUnreachable(meter) ? [] : responder.receive(bytes))),
      ),
  };
}
