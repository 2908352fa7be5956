import type { Responder } from "@metrum/protocols";
import type { Exchange, Piece } from "./faults.ts";
import type { Meter } from "./meter.ts";

/** Meters on one bus: all receive everything, the addressed ones answer. */
export interface Bus {
  receive(bytes: Uint8Array): readonly Piece[];
}

export interface BusOptions {
  readonly meters: readonly Meter[];
  readonly now: () => number;
  readonly hasOutages: () => boolean;
  readonly faults: Exchange;
}

export function createBus({ meters, now, hasOutages, faults }: BusOptions): Bus {
  const slaves = meters.flatMap((meter): { meter: Meter; responder: Responder }[] => {
    const { driver } = meter.model;
    if (driver.kind !== "line") return [];
    const state = (field: string) => meter.stateAt(now())(field);
    return [
      { meter, responder: driver.respond(meter.address, state, () => meter.clockAt(now()), meter.stateAt) },
    ];
  });
  return {
    receive: (bytes) =>
      faults(
        bytes,
        slaves.flatMap(({ meter, responder }) => {
          const answers = responder.receive(bytes);
          return hasOutages() && meter.isSilentAt(now()) ? [] : answers;
        }),
      ),
  };
}
