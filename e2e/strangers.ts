import { demoPlan, startPark, type Park, type Plan } from "@metrum/simulator";
import { ask, deviceHost, eventually } from "./journey.ts";

/** Fifteen digits not used by a modem of the demonstration. */
export const anImei = () => `86${String(Math.floor(Math.random() * 1e13)).padStart(13, "0")}`;

/** A connected modem with an SDM630 behind it, which a platform that has just started waits for. */
export async function threePhaseModem(token: string): Promise<string> {
  let id: string | undefined;
  await eventually(async () => {
    const { data } = await ask("admin/broker/list/connected_gateways", { token, body: {} });
    const modems = data as unknown as readonly Readonly<Record<string, unknown>>[];
    const known = modems.find(
      (each) => each["connect_status"] === true && each["end_device_type"] === "SDM630-Modbus",
    );
    return (id = known && String(known["device_id"]));
  }).toBeDefined();
  return id ?? "";
}

/**
 * Starts an unregistered modem with a three-phase meter behind it. `token` must be of staff, who may read the
 * ports.
 */
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
