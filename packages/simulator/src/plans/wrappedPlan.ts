import { seedOf } from "../meter.ts";
import { keyPair } from "../keys.ts";
import type { Plan } from "./plan.ts";

/** Port on which DLMS meters with a network interface listen. Source: IEC 62056-47, 5.2 (IANA: dlms-cosem). */
export const dlmsPort = 4059;

/**
 * A DLMS meter with a network port of its own, read in the wrapper of TCP: `modelId` is any model of the protocol.
 */
export function wrappedPlan(modelId: number, { port = dlmsPort, seed = 1 } = {}): Plan {
  const own = seedOf(seed, modelId);
  return {
    gateways: [
      {
        key: "wrapped",
        modelId: 603,
        name: "Meter port",
        place: "",
        deviceID: `W${String(modelId)}`,
        port,
        isWrapped: true,
      },
    ],
    baseStations: [],
    devices: [
      {
        ...{
          modelId,
          gateway: "wrapped",
          insideAddr: "1",
          deviceID: String(70_000_000 + modelId),
          ...keyPair(own),
        },
        ...{
          name: `DLMS over TCP ${String(modelId)}`,
          place: "",
          intervalSec: 3600,
          load: "shop",
          meanPerHour: 5,
        },
        ...{
          impulseWeight: 1,
          startingValue: 0,
          start: 1200,
          seed: own,
          hasLeaks: false,
          clockDriftPerDay: 0,
        },
      },
    ],
  };
}
