import type { CommandResult, DownlinkFunctions } from "../core/command.ts";
import { rawDownlink, type Airborne, type ReceiveDownlink } from "../core/downlinks.ts";
import { ProtocolError } from "../core/errors.ts";
import type { TakeOrder } from "../core/orders.ts";
import { encodeSettings, rawSettingOf, settingsOf, type Si11Settings } from "./settings.ts";
import { decodeSi11, type Si11Packet } from "./si11.ts";

const settingsPort = 3;
const requestForSettings = Uint8Array.of(1);

/**
 * Commands of the SI-11.
 * Source: user manual, rev. 26, "receives packets of the following types". A packet of settings is not
 * answered; the device shows them in its next packet of settings, which is requested (type 1 of port 3), and its communication period in every packet of port 2. The correction of the clock is left out:
 * the device asks for it by itself, and shows no effect.
 */
export const si11Commands = {
  ...rawDownlink,
  get_settings: () => ({
    fport: settingsPort,
    payload: requestForSettings,
    proof: (payload, fport): CommandResult | undefined => {
      const packet = packetOf(payload, fport);
      return packet?.kind === "settings"
        ? { state: "done", read: { vega_settings: { ...settingsOf(packet.values) } } }
        : undefined;
    },
  }),
  vega_settings: (_device, given) => {
    const raw = rawSettingOf(given);
    return {
      fport: settingsPort,
      payload: encodeSettings([raw]),
      then: { fport: settingsPort, payload: requestForSettings },
      proof: (payload, fport): CommandResult | undefined => {
        const packet = packetOf(payload, fport);
        const isShown =
          (packet?.kind === "settings" && shows(settingsOf(packet.values), given)) ||
          (packet !== undefined &&
            given.communication_period !== undefined &&
            periodOf(packet) === given.communication_period);
        return isShown ? { state: "done", read: { vega_settings: { ...settingsOf([raw]) } } } : undefined;
      },
    };
  },
} satisfies DownlinkFunctions;

/** Undefined for a payload that is none of this device. */
function packetOf(payload: Uint8Array, fport: number): Si11Packet | undefined {
  try {
    return decodeSi11(payload, fport);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

const shows = (found: Si11Settings, wanted: Si11Settings): boolean =>
  Object.entries(wanted).every(
    ([key, value]) =>
      value === undefined || Object.entries(found).some(([name, own]) => name === key && own === value),
  );

const periodOf = (packet: Si11Packet): number | undefined =>
  packet.kind === "current" || packet.kind === "alarm" ? packet.settings.periodSec : undefined;

/** Settings of a simulated device: unconfirmed, one uplink, a packet every hour, UTC. */
const initial: readonly Si11Settings[] = [
  { is_confirmed: false },
  { uplink_repeats: 1 },
  { communication_period: 3600 },
  { collection_period: 3600 },
  { time_zone: 0 },
];

/** The side of a simulated device that receives settings and requests for them. */
export function si11Receiver(takeOrder: TakeOrder): ReceiveDownlink {
  const kept = new Map(initial.map(rawSettingOf).map((raw) => [raw.id, raw] as const));
  return ({ payload, fport }): readonly Airborne[] => {
    const packet = packetOf(payload, fport);
    if (packet?.kind === "settingsRequest")
      return [{ fport: settingsPort, payload: encodeSettings([...kept.values()]) }];
    if (packet?.kind !== "settings") return [];
    for (const raw of packet.values) {
      const order = { kind: "set", name: `setting ${String(raw.id)}`, value: [...raw.value] } as const;
      if (takeOrder(order) === "obey") kept.set(raw.id, raw);
    }
    return [];
  };
}
