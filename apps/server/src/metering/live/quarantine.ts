import type { DeviceId, Language } from "@metrum/vocabulary";
import type { Events, Services, Stop } from "#core";
import { companyRoom, deviceRoom } from "./emit.ts";
import type { LiveServer } from "./server.ts";
import { namesOfDevices } from "./store.ts";

/** Events within this time are one notice: the clocks of many devices are usually wrong for one reason. */
const gatherMs = 2_000;
/** Maximum number of devices in a notice; the others are shown in the quarantine only. */
const mostNamed = 500;

/** Devices of a company that have readings in quarantine since this event. */
export interface QuarantineNotice {
  readonly companyId: number;
  readonly devices: readonly { readonly id: DeviceId; readonly name: string }[];
}

type Waiting = Events["quarantineBegan"][number];

/**
 * Announces devices with readings in quarantine to every process, once until all readings of a device have
 * been decided on.
 */
export function tellQuarantined({ bus, database, log }: Services, live: LiveServer): Stop {
  let gathered: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const send = async (waiting: readonly Waiting[]): Promise<void> => {
    for (const [companyId, ids] of byCompany(waiting)) {
      const devices = await namesOfDevices(database.system, [...ids].slice(0, mostNamed));
      const notice = { companyId, devices };
      live.serverSideEmit("quarantined", notice);
      noticeQuarantined(live, notice);
    }
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const waiting = gathered;
    gathered = [];
    running = running
      .then(() => send(waiting))
      .catch((error: unknown) => log.warn({ err: error }, "a notice of the quarantine was not sent"));
  };
  const stop = bus.on("quarantineBegan", (began) => {
    gathered.push(...began);
    timer ??= setTimeout(flush, gatherMs);
  });
  return async () => {
    stop();
    if (timer) flush();
    await running;
  };
}

function byCompany(waiting: readonly Waiting[]): Map<number, Set<DeviceId>> {
  const found = new Map<number, Set<DeviceId>>();
  for (const { companyId, deviceId } of waiting)
    found.set(companyId, (found.get(companyId) ?? new Set()).add(deviceId));
  return found;
}

/**
 * Sends a notice to the sockets of this process that receive events: each gets the devices it may see, in its
 * language.
 */
export function noticeQuarantined(live: LiveServer, { companyId, devices }: QuarantineNotice): void {
  const hearing = live.sockets.adapter.rooms.get(companyRoom(companyId, "device_event")) ?? [];
  for (const id of hearing) {
    const socket = live.sockets.sockets.get(id);
    if (!socket) continue;
    const seesAll = socket.rooms.has(companyRoom(companyId, "device_data"));
    const seen = devices.filter((device) => seesAll || socket.rooms.has(deviceRoom(device.id)));
    if (seen.length === 0) continue;
    const msg = sentence(
      socket.data.session.language,
      seen.map(({ name }) => name),
    );
    socket.emit("device_event", {
      msg,
      event: { kind: "quarantine", device_ids: seen.map((each) => each.id) },
    });
  }
}

function sentence(language: Language, names: readonly string[]): string {
  const of = names.length === 1 ? (names[0] ?? "") : String(names.length);
  switch (language) {
    case "ru":
      return names.length === 1
        ? `${of}: показания с невозможным временем ждут в карантине`
        : `Показания с невозможным временем ждут в карантине, приборов: ${of}`;
    case "mn":
      return names.length === 1
        ? `${of}: цаг нь зөв байж болохгүй заалт хорио цээрт байна`
        : `Цаг нь зөв байж болохгүй заалт хорио цээрт байна, төхөөрөмж: ${of}`;
    case "en":
      return names.length === 1
        ? `${of}: readings whose time cannot be right wait in quarantine`
        : `Readings whose time cannot be right wait in quarantine, devices: ${of}`;
  }
}
