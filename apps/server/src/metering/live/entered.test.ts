import type { AddressInfo } from "node:net";
import { auth } from "@metrum/contract/access";
import { administration } from "@metrum/contract/platform";
import type { DeviceId } from "@metrum/vocabulary";
import { io, type Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Stop } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { live } from "./index.ts";

let api: TestApi;
let url: string;
let stop: Stop;
const open: Socket[] = [];

beforeAll(async () => {
  api = await openTestApi();
  stop = (await live.api?.(api.services, api.fastify)) ?? (() => Promise.resolve());
  await api.fastify.listen({ host: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${String((api.fastify.server.address() as AddressInfo).port)}`;
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await stop();
  await api.close();
});

async function connect(token: string): Promise<Socket> {
  const socket = io(url, { auth: { token }, reconnection: false, transports: ["websocket"], forceNew: true });
  open.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.on("connect", resolve);
    socket.on("connect_error", reject);
  });
  return socket;
}
const join = async (socket: Socket, company_id: number): Promise<boolean> =>
  ((await socket.emitWithAck("join", { company_id })) as { joined: boolean }).joined;

function say(companyId: number): void {
  const event = { companyId, deviceId: companyId as DeviceId, msgType: 1, from: companyId, to: companyId };
  api.services.bus.publish("readingsStored", [event]);
}

async function enterFirst(staff: string): Promise<string> {
  const { data } = await api.ask(administration.enterCompany, {
    token: staff,
    input: { params: { id: String(api.companies.first) } },
  });
  const input = { body: { code: data.entry_code } };
  return (await api.ask(administration.redeemEntry, { token: staff, input })).data.access_token;
}

test("NOTIF-020 NOTIF-018 entering a company joins its room only; leaving closes that socket and opens one's own room again", async () => {
  const staff = await api.token("admin@metrum.example");
  const { providerCompanyId } = api.services.config;
  const inside = await enterFirst(staff);
  const [there, home] = [await connect(inside), await connect(staff)];
  const senders: number[] = [];
  there.on("device_data", ({ from }: { from: number }) => senders.push(from));
  const end = new Promise<string>((resolve) => there.on("disconnect", resolve));

  const rooms = {
    thereInCompany: await join(there, api.companies.first),
    thereAtHome: await join(there, providerCompanyId),
    homeInCompany: await join(home, api.companies.first),
  };
  say(providerCompanyId);
  say(api.companies.first);
  await expect.poll(() => senders).toEqual([api.companies.first]);
  await api.ask(auth.exitCompany, { token: inside, input: { body: { exit_point: "" } } });

  expect(rooms).toEqual({ thereInCompany: true, thereAtHome: false, homeInCompany: false });
  expect(await end).toBe("io server disconnect");
  expect([home.connected, await join(home, providerCompanyId)]).toEqual([true, true]);
  await expect(connect(inside)).rejects.toThrow("not_signed_in");
});

test("NOTIF-020 signing out as staff closes the socket of the entered company too", async () => {
  const staff = await api.token("admin@metrum.example");
  const socket = await connect(await enterFirst(staff));
  const end = new Promise<string>((resolve) => socket.on("disconnect", resolve));

  await api.ask(auth.logout, { token: staff });

  expect(await end).toBe("io server disconnect");
});
