import type { Events, Services, Stop } from "#core";
import type { LiveServer } from "./server.ts";

/** Rows stored within this time are announced together. */
const gatherMs = 250;
/** Devices in one message between processes. */
const largestBatch = 2_000;

type Stored = Events["readingsStored"][number];

/**
 * Announces stored rows to every process: one message for all devices within the interval, each device and
 * message type once with its whole range. Processes with sockets forward it to clients that may see it
 * (`deliver`).
 */
export function tellStored({ bus }: Services, live: LiveServer): Stop {
  const gathered = new Map<string, Stored>();
  let timer: NodeJS.Timeout | undefined;

  const send = (): void => {
    timer = undefined;
    const events = [...gathered.values()];
    gathered.clear();
    for (let at = 0; at < events.length; at += largestBatch) {
      const batch = events.slice(at, at + largestBatch);
      live.serverSideEmit("stored", batch);
      deliver(live, batch);
    }
  };
  const stop = bus.on("readingsStored", (events) => {
    for (const event of events) {
      const key = `${String(event.deviceId)}/${String(event.msgType)}`;
      gathered.set(key, widen(gathered.get(key), event));
    }
    timer ??= setTimeout(send, gatherMs);
  });
  return () => {
    stop();
    clearTimeout(timer);
    if (gathered.size > 0) send();
    return Promise.resolve();
  };
}

function widen(known: Stored | undefined, event: Stored): Stored {
  if (!known) return event;
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
