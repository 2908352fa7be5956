import { obeyAlways, type DeviceOrder, type TakeOrder } from "../core/orders.ts";
import type { RouterMap } from "./router.ts";
import type { SimulatedOutputs } from "./simulatedOutputs.ts";

const exceptions = { illegalAddress: 2, illegalValue: 3, deviceBusy: 6 } as const;
const signalDbm = -71;
const tenthsOfDegree = 385;
const upSec = 864_000;

/** Registers of a simulated router, which obeys as `takeOrder` says; a refusal is exception 6. */
export function simulatedRouter(
  map: RouterMap,
  now: () => number,
  takeOrder: TakeOrder = obeyAlways,
): SimulatedOutputs {
  let startedAt = now() - upSec;
  const values = new Map<number, () => number>([
    [map.uptime, () => now() - startedAt],
    [map.signal, () => signalDbm],
    [map.temperature, () => tenthsOfDegree],
  ]);
  const orderOf = (address: number, value: number): DeviceOrder | undefined => {
    const number = address - map.outputs.first + 1;
    if (number >= 1 && number <= map.outputs.count)
      return { kind: "output", number, isOn: value === 1, seconds: 0 };
    if (address === map.restart) return { kind: "restart" };
    return address === map.mobileData ? { kind: "set", name: "mobile_data", value: value === 1 } : undefined;
  };
  return {
    isAny: true,
    coil: () => undefined,
    register(address) {
      const high = values.get(address)?.();
      if (high !== undefined) return (high >>> 16) & 0xffff;
      const low = values.get(address - 1)?.();
      return low === undefined ? undefined : low & 0xffff;
    },
    writeCoil: () => exceptions.illegalAddress,
    writeRegisters(address, words) {
      const [value = 0] = words;
      const order = orderOf(address, value);
      if (!order || words.length !== 1) return exceptions.illegalAddress;
      if (value !== 0 && value !== 1) return exceptions.illegalValue;
      const obedience = takeOrder(order);
      if (obedience === "obey" && order.kind === "restart") startedAt = now();
      return obedience === "refuse" ? exceptions.deviceBusy : 0;
    },
  };
}
