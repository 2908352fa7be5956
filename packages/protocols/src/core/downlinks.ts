import { fromHex } from "./bytes.ts";
import type { DownlinkFunctions } from "./command.ts";
import { ProtocolError } from "./errors.ts";

/** Ports of applications; the others belong to the network. Source: LoRaWAN 1.0.3, 4.3.2. */
const ports = { first: 1, last: 223 } as const;

/**
 * Bytes of a user, unchanged, for any LoRaWAN device, which listens as its class says. No uplink proves what
 * they did. Errors: ProtocolError "unsupported" for a port of the network.
 */
export const rawDownlink: Required<Pick<DownlinkFunctions, "send_raw_payload">> = {
  send_raw_payload: (_device, { payload, fport, class: deviceClass }) => {
    if (fport < ports.first || fport > ports.last)
      throw new ProtocolError("unsupported", `port ${String(fport)} belongs to the network`);
    const down = { fport, payload: fromHex(payload) };
    return deviceClass === "C" ? { ...down, listensAlways: true } : down;
  },
};

/** The application's message of a simulated device. */
export interface Airborne {
  readonly fport: number;
  readonly payload: Uint8Array;
}

/** The side of a simulated device that receives downlinks: the uplinks with which it answers. */
export type ReceiveDownlink = (down: Airborne) => readonly Airborne[];
