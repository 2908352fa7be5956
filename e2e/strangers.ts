import { demoPlan, startPark, type Park, type Plan } from "@metrum/simulator";
import { ask, deviceHost } from "./journey.ts";

/** Fifteen digits that no modem of the demonstration has. */
export const anImei = () => `86${String(Math.floor(Math.random() * 1e13)).padStart(13, "0")}`;

/** Starts a modem with a three-phase meter behind it that nobody has registered. `token` is of staff, who are told the ports. */
export async function startStranger(imei: string, token: string): Promise<Park> {
  const meter = demoPlan(5).devices.find(({ modelId }) => modelId === 101);
  if (!meter) throw new Error("no meter");
  const plan: Plan = {
    baseStations: [],
    gateways: [{ key: "stranger", modelId: 601, name: "", place: "", deviceID: imei }],
    devices: [{ ...meter, gateway: "stranger", insideAddr: "1", deviceID: `${imei}-1` }],
  };
  const [port] = Object.values((await ask("admin/broker/list/ports", { method: "GET", token })).data);
  return startPark(plan, { host: deviceHost, ports: { modem: Number(port) } });
}
