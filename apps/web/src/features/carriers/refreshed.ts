import type { Call } from "@metrum/contract/core";
import { baseStations, devices, gateways } from "@metrum/contract/metering";

/** Answers that show gateways, base stations or what is behind them. */
export const refreshed: readonly Call[] = [gateways.list, gateways.get, devices.list, baseStations.list];
