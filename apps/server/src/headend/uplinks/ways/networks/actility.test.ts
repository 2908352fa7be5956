import { createHash } from "node:crypto";
import { networkServers } from "@metrum/contract/headend";
import { push } from "@metrum/contract/metering";
import { actilityTokenText, buildActilityUp } from "@metrum/protocols/actility";
import { fromHex, parseJson } from "@metrum/protocols/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ordersWhileFrozen } from "#testing/walk/frozenOrders";
import { anOrder, openHttpOrders, type HttpOrders } from "#testing/walk/httpOrders";
import { actilityRoute } from "./actility.ts";

const asKey = "00112233445566778899aabbccddeeff";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

let orders: HttpOrders;
let fCnt = 0;
const address = (): string => `${orders.network.origin}/thingpark/lrc/rest/downlink`;

beforeAll(async () => {
  orders = await openHttpOrders();
});
afterAll(() => orders.close());
beforeEach(async () => {
  orders.reset();
  const { api, token } = orders;
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
  const saved = await orders.api.ask(networkServers.save, {
    token: orders.token,
    input: { body: { ...body, ...more } },
  });
  expect(saved.status).toBe(200);
}

/** A report with the query of ThingPark; its token is computed with `key`. */
async function report(key: string | undefined, altered: object = {}) {
  const body = parseJson(
    buildActilityUp({
      event: "up",
      devEui: orders.device.devEui,
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
    LrnDevEui: orders.device.devEui.toUpperCase(),
    LrnFPort: "2",
    LrnInfos: "TWA_1.1.AS-1-1",
    AS_ID: "as.1",
    Time: "2026-11-21T10:00:00.654+01:00",
  };
  const Token = key === undefined ? {} : { Token: sha256(actilityTokenText(body, query, key) ?? "") };
  return orders.api.ask(push.actility, {
    token: orders.token,
    input: { query: { ...query, ...Token, ...altered }, body: body as Record<string, unknown> },
  });
}

const order = () => orders.order({ fPort: 4, payload: Uint8Array.of(0xff, 1), confirmed: true });

describe("a report of ThingPark", () => {
  test("is accepted without a token if the company has entered no AS key", async () => {
    expect((await report(undefined)).data).toMatchObject({ taken: 1 });
  });

  test("is accepted with the token of the AS key, and refused with another or with none", async () => {
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
  test("has no path until the company has entered a server", async () => {
    await report(undefined);

    expect(await order()).toBe("no_way");
  });

  test("is posted with a token over its query", async () => {
    await enter();
    await report(asKey);

    expect(await order()).toBe("handed_over");
    expect(orders.network.asked).toHaveLength(1);
    expect(orders.network.asked[0]?.method).toBe("POST");
    const { pathname, searchParams } = new URL(orders.network.asked[0]?.path ?? "", "http://lrc");
    const given = [...searchParams];
    expect(pathname).toBe("/thingpark/lrc/rest/downlink");
    expect(Object.fromEntries(given)).toMatchObject({
      DevEUI: orders.device.devEui.toUpperCase(),
      FPort: "4",
      Payload: "ff01",
      Confirmed: "1",
      AS_ID: "as.1",
    });
    const hashed = given.filter(([name]) => name !== "Token").map((pair) => pair.join("="));
    expect(searchParams.get("Token")).toBe(sha256(`${hashed.join("&")}${asKey}`));
  });

  test("CTRL-109 is not posted under a freeze of control if it changes the device", async () => {
    await enter();
    await report(asKey);

    const { changing, harmless } = await ordersWhileFrozen(orders.api, orders.device.id);

    expect([changing.state, harmless]).toEqual(["no_line", "handed_over"]);
    expect(orders.network.asked).toHaveLength(1);
    expect(orders.network.asked[0]?.path).toContain("Payload=face");
  });

  test.each([350, 500, 302])(
    "that is answered with %i is refused, and sent no second time",
    async (answered) => {
      await enter();
      await report(asKey);
      orders.network.status = answered;

      expect(await order()).toBe("refused");
      expect(orders.network.asked).toHaveLength(1);
      const { data } = await orders.api.ask(networkServers.list, { token: orders.token });
      expect(data.network_servers[0]).toMatchObject({
        state: "refused",
        state_reason: "answered",
        state_message: `HTTP ${String(answered)}`,
      });
    },
  );
});

test("CTRL-105 an order that expires before the connection is there is not sent", async () => {
  await enter();
  const { api, device, network, token } = orders;
  const { data } = await api.ask(networkServers.list, { token });
  const { send } = actilityRoute(api.services);
  let asked = 0;

  const handed = await send(
    anOrder({
      ...{ deviceId: device.id, companyId: api.companies.first, way: "actility" },
      serverId: data.network_servers[0]?.id ?? 0,
    }),
    () => ++asked > 1,
  );

  expect(handed.state).toBe("no_line");
  expect([asked, network.asked]).toEqual([1, []]);
});
