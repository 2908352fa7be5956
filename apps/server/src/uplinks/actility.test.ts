import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkServers, push } from "@metrum/contract";
import { actilityTokenText, buildActilityUp, fromHex, parseJson } from "@metrum/protocols";
import { demoPlan } from "@metrum/simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enterPresence, type Presence } from "#channels";
import type { Stop } from "#core";
import { askedDevice } from "#exchanges";
import { openTestApi, type TestApi } from "../testing/api.ts";
import { registerPark } from "../testing/park.ts";
import { sendDownlink } from "./downlinks.ts";
import { startNetwork } from "./network.ts";

const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
if (!counter) throw new Error("no pulse counter in the plan");
const asKey = "00112233445566778899aabbccddeeff";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

let api: TestApi;
let token: string;
let id: number;
let fCnt = 0;
let presence: Presence;
let stop: Stop;
const asked: { readonly path: string; readonly method: string }[] = [];
let status = 200;
const lrc = createServer(({ url = "", method = "" }, answer) => {
  asked.push({ path: url, method });
  answer.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
});
const address = (): string =>
  `http://127.0.0.1:${String((lrc.address() as AddressInfo).port)}/thingpark/lrc/rest/downlink`;

beforeAll(async () => {
  await new Promise<void>((resolve) => lrc.listen(0, "127.0.0.1", resolve));
  api = await openTestApi({ env: { METRUM_OUTGOING_HOSTS: "127.0.0.1" } });
  token = await api.token("engineer@metrum.example");
  [id = 0] = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [counter],
  });
  presence = await enterPresence(api.services.database, api.services.log);
  stop = startNetwork({
    services: api.services,
    broker: { reaches: () => false, publish: () => Promise.resolve(false) },
    processId: () => presence.id,
  });
});
afterAll(async () => {
  await stop();
  await presence.leave();
  await api.close();
  await new Promise((resolve) => lrc.close(resolve));
});
beforeEach(async () => {
  asked.length = 0;
  status = 200;
  const { data } = await api.ask(networkServers.list, { token });
  for (const server of data.network_servers)
    await api.ask(networkServers.remove, { token, input: { params: { id: String(server.id) } } });
});

async function enter(more: object = {}): Promise<void> {
  const body = {
    kind: "actility" as const,
    name: "ThingPark",
    url: address(),
    username: "as.1",
    secret: asKey,
  };
  const saved = await api.ask(networkServers.save, { token, input: { body: { ...body, ...more } } });
  expect(saved.status).toBe(200);
}

/** A report with the query of ThingPark; its token is made with `key`. */
async function report(key: string | undefined, altered: object = {}) {
  const body = parseJson(
    buildActilityUp({
      event: "up",
      devEui: counter?.deviceID.toLowerCase() ?? "",
      at: 1_795_250_000 + ++fCnt,
      application: "",
      deduplicationId: "",
      devAddr: "14204399",
      fCnt,
      fPort: 2,
      dataRate: "SF12BW125",
      confirmed: false,
      payload: fromHex("01620600bf006a151027000001000000000000000000000000".slice(0, 48)),
      receptions: [],
    }),
  );
  const query = {
    LrnDevEui: counter?.deviceID ?? "",
    LrnFPort: "2",
    LrnInfos: "TWA_1.1.AS-1-1",
    AS_ID: "as.1",
    Time: "2026-11-21T10:00:00.654+01:00",
  };
  const Token = key === undefined ? {} : { Token: sha256(actilityTokenText(body, query, key) ?? "") };
  return api.ask(push.actility, {
    token,
    input: { query: { ...query, ...Token, ...altered }, body: body as Record<string, unknown> },
  });
}

const order = async () => {
  const device = await askedDevice(api.services.database.system, id);
  if (!device) throw new Error("no device");
  const down = { fPort: 4, payload: Uint8Array.of(0xff, 1), confirmed: true };
  return sendDownlink(api.services, device, down, { waitMs: 30_000 });
};

describe("a report of ThingPark", () => {
  test("is taken without a token where the company has entered no AS key", async () => {
    expect((await report(undefined)).data).toMatchObject({ taken: 1 });
  });

  test("is taken with the token of the AS key, and refused with another or with none", async () => {
    await enter();

    const right = await report(asKey);
    const wrong = await report("ffeeddccbbaa99887766554433221100");
    const none = await report(undefined);
    const altered = await report(asKey, { Time: "2026-11-21T10:00:01.000+01:00" });
    const other = await report(asKey, { AS_ID: "as.2" });

    expect(right.data).toMatchObject({ taken: 1 });
    expect([wrong, none, altered, other].map(({ status: answered, code }) => [answered, code])).toEqual(
      Array.from({ length: 4 }, () => [403, "push_token"]),
    );
  });
});

describe("an order to a device behind ThingPark", () => {
  test("has no way before the company has entered a server", async () => {
    await report(undefined);

    expect(await order()).toBe("no_way");
  });

  test("is posted with a token over its query", async () => {
    await enter();
    await report(asKey);

    expect(await order()).toBe("handed_over");
    expect(asked).toHaveLength(1);
    expect(asked[0]?.method).toBe("POST");
    const { pathname, searchParams } = new URL(asked[0]?.path ?? "", "http://lrc");
    const given = [...searchParams];
    expect(pathname).toBe("/thingpark/lrc/rest/downlink");
    expect(Object.fromEntries(given)).toMatchObject({
      DevEUI: counter.deviceID.toUpperCase(),
      FPort: "4",
      Payload: "ff01",
      Confirmed: "1",
      AS_ID: "as.1",
    });
    const hashed = given.filter(([name]) => name !== "Token").map((pair) => pair.join("="));
    expect(searchParams.get("Token")).toBe(sha256(`${hashed.join("&")}${asKey}`));
  });

  test.each([350, 500, 302])(
    "that is answered with %i is refused, and sent no second time",
    async (answered) => {
      await enter();
      await report(asKey);
      status = answered;

      expect(await order()).toBe("refused");
      expect(asked).toHaveLength(1);
      const { data } = await api.ask(networkServers.list, { token });
      expect(data.network_servers[0]).toMatchObject({
        state: "refused",
        state_reason: "answered",
        state_message: `HTTP ${String(answered)}`,
      });
    },
  );
});
