import type { Events, Services, Stop } from "#core";
import { announceGathered } from "./announce.ts";
import type { LiveServer } from "./server.ts";

type Stored = Events["readingsStored"][number];

/**
 * Announces stored rows to every process: one message for all devices within the interval, each device and
 * message type once with its whole range. Processes with sockets forward it to clients that may see it
 * (`deliver`).
 */
export function tellStored({ bus }: Services, live: LiveServer): Stop {
  return announceGathered<Stored>({
    subscribe: (listener) => bus.on("readingsStored", listener),
    keyOf: ({ deviceId, msgType }) => `${String(deviceId)}/${String(msgType)}`,
    merge: widen,
    announce: (batch) => {
      live.serverSideEmit("stored", batch);
      deliver(live, batch);
    },
  });
}

function widen(known: Stored, event: Stored): Stored {
  return { ...event, from: Math.min(known.from, event.from), to: Math.max(known.to, event.to) };
}

/** Sends `device_data` to the sockets of this process: those with read on 4, and those tied to the device. */
export function deliver(live: LiveServer, events: readonly Stored[]): void {
  for (const { companyId, deviceId, msgType, from, to } of events)
    live.local
      .to([companyRoom(companyId, "device_data"), deviceRoom(deviceId)])
      .emit("device_data", { device_id: deviceId, msgType, from, to });
}

/** Sockets of a company that may receive such messages; `device_data` also those about tasks. */
export function companyRoom(companyId: number, about: "device_data" | "device_event"): string {
  return `company:${String(companyId)}:${about}`;
}

/** Sockets of users limited to tied devices. */
export function deviceRoom(deviceId: number): string {
  return `device:${String(deviceId)}`;
}
