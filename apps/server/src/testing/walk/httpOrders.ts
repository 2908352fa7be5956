import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LoraDown } from "@metrum/protocols/lorawan";
import { demoPlan } from "@metrum/simulator";
import { enterPresence } from "#headend/channels";
import { askedDevice } from "#headend/exchanges";
import { sendDownlink, startNetwork, type Order, type Sent } from "#headend/uplinks";
import { openTestApi, type TestApi } from "../api.ts";
import { registerPark } from "../park.ts";

export interface AskedOverHttp {
  readonly path: string;
  readonly method: string;
  readonly authorization: string;
  readonly body: string;
}

export interface HttpOrders {
  readonly api: TestApi;
  /** Token of an engineer. */
  readonly token: string;
  /** A pulse counter connected by LoRaWAN. */
  readonly device: { readonly id: number; readonly devEui: string };
  /** The network server, which records every request. */
  readonly network: { readonly origin: string; readonly asked: AskedOverHttp[]; status: number };
  /** Clears recorded requests; it answers 200 again. */
  readonly reset: () => void;
  readonly order: (down: LoraDown) => Promise<Sent>;
  readonly close: () => Promise<void>;
}

/** An order as it is handed to a transport. */
export const anOrder = (given: Pick<Order, "deviceId" | "companyId" | "way"> & Partial<Order>): Order => ({
  id: 1,
  topic: "",
  serverId: null,
  fPort: 2,
  payload: Uint8Array.of(1),
  confirmed: false,
  reference: "1",
  validUntil: null,
  changesDevice: true,
  createdAt: 1,
  expiresAt: 2,
  networkId: "00000000000000f0",
  ...given,
});

/** The API with a device whose downlinks go to a network server over HTTP. The caller must close it. */
export async function openHttpOrders(): Promise<HttpOrders> {
  const { network, stopNetwork } = await aNetworkServer();
  const api = await openTestApi({ env: { METRUM_OUTGOING_HOSTS: "127.0.0.1" } });
  const { services } = api;
  const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
  if (!counter) throw new Error("no pulse counter in the plan");
  const [id = 0] = await registerPark(services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [counter],
  });
  const presence = await enterPresence(services.database, services.log);
  const stop = startNetwork({
    services,
    broker: { reaches: () => false, publish: () => Promise.resolve(false) },
    processId: () => presence.id,
  });
  return {
    api,
    token: await api.token("engineer@metrum.example"),
    device: { id, devEui: counter.deviceID.toLowerCase() },
    network,
    reset() {
      network.asked.length = 0;
      network.status = 200;
    },
    async order(down) {
      const device = await askedDevice(services.database.system, id);
      if (!device) throw new Error("no device");
      return sendDownlink(services, device, down, { waitMs: 30_000 });
    },
    async close() {
      await stop();
      await presence.leave();
      await api.close();
      await stopNetwork();
    },
  };
}

async function aNetworkServer() {
  const asked: AskedOverHttp[] = [];
  const server = createServer((request, answer) => {
    const { url: path = "", method = "", headers } = request;
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      asked.push({ path, method, authorization: headers.authorization ?? "", body });
      answer.writeHead(network.status, network.status === 302 ? { location: "/elsewhere" } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const network = { origin: `http://127.0.0.1:${String(port)}`, asked, status: 200 };
  return { network, stopNetwork: () => new Promise((resolve) => server.close(resolve)) };
}
