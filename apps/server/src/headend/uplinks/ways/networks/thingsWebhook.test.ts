import { tasks } from "@metrum/contract/headend";
import { push } from "@metrum/contract/metering";
import { fromHex, parseJson } from "@metrum/protocols/core";
import { buildThings, parseThingsDown } from "@metrum/protocols/thethings";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { unpackSteps } from "#headend/exchanges";
import { anOrder, openHttpOrders, type HttpOrders } from "#testing/walk/httpOrders";
import { thingsWebhookRoute } from "./thingsWebhook.ts";

const key = "NNSXS.SECRETKEY";
const path = "/api/v3/as/applications/app1/webhooks/wh1/devices/dev1/down/push";

let orders: HttpOrders;
let fCnt = 0;
const origin = (): string => orders.network.origin;

beforeAll(async () => {
  orders = await openHttpOrders();
});
afterAll(() => orders.close());
beforeEach(async () => {
  orders.reset();
  const { api, device } = orders;
  await sql`delete from network_session where device_id = ${device.id}`.execute(api.services.database.system);
});

/** An uplink by a webhook, with these headers in addition to the token. */
async function uplink(headers: Readonly<Record<string, string>>) {
  const body = parseJson(
    buildThings({
      event: "up",
      devEui: orders.device.devEui,
      deviceId: "dev1",
      application: "app1",
      at: 1_795_250_000 + ++fCnt,
      deduplicationId: "",
      devAddr: "00bcb929",
      fCnt,
      fPort: 2,
      dataRate: "SF7BW125",
      confirmed: false,
      payload: fromHex("01620600bf006a151027000001000000000000000000000000".slice(0, 48)),
      receptions: [],
    }),
  );
  const answer = await orders.api.fastify.inject({
    method: push.things.method,
    url: `/api/${push.things.path}`,
    headers: { ...headers, authorization: `Bearer ${orders.token}` },
    payload: body as Record<string, unknown>,
  });
  return answer.json<{ readonly data: { readonly taken: number } }>();
}

const withKey = (url = `${origin()}${path}`) =>
  uplink({ "X-Downlink-Apikey": key, "X-Downlink-Push": url, "X-Downlink-Replace": `${origin()}/replace` });

const order = () => orders.order({ fPort: 15, payload: Uint8Array.of(0xbe, 0xef), confirmed: true });

const logged = async () =>
  (
    await orders.api.ask(tasks.logs, {
      token: orders.token,
      input: { body: { device_id: orders.device.id } },
    })
  ).data.logs.data;

test("a downlink is posted to the address given by the last uplink, with its key", async () => {
  expect((await withKey()).data).toMatchObject({ taken: 1 });

  expect(await order()).toBe("handed_over");

  expect(orders.network.asked).toHaveLength(1);
  expect(orders.network.asked[0]).toMatchObject({ path, authorization: `Bearer ${key}` });
  expect(parseThingsDown(orders.network.asked[0]?.body ?? "")[0]).toMatchObject({
    fPort: 15,
    payload: Uint8Array.of(0xbe, 0xef),
    confirmed: true,
  });
});

test("an order has no path if the webhook sent no key, or the address of another device", async () => {
  const refusedUrls = [
    `${origin()}${path.replace("dev1", "dev2")}`,
    `${origin()}${path}?x=1`,
    `${origin()}/anywhere`,
    "no address",
  ];

  await uplink({ "X-Downlink-Push": `${origin()}${path}` });
  const outcomes = [await order()];
  for (const url of refusedUrls) {
    expect((await withKey(url)).data).toMatchObject({ taken: 1 });
    outcomes.push(await order());
  }

  expect(outcomes).toEqual(Array.from({ length: 5 }, () => "no_way"));
  expect(orders.network.asked).toEqual([]);
});

test("a forbidden address is refused before anything is sent, and the log has the reason", async () => {
  await withKey(`http://10.0.0.1${path}`);
  const plain = await order();
  await withKey(`https://10.0.0.1${path}`);
  const inside = await order();

  expect([plain, inside]).toEqual(["refused", "refused"]);
  expect(orders.network.asked).toEqual([]);
  expect(JSON.stringify(await logged())).toContain("the address is not on the public network");
});

test.each([401, 404, 500])(
  "an order that is answered with %i is refused and sent no second time",
  async (answered) => {
    await withKey();
    orders.network.status = answered;

    expect(await order()).toBe("refused");
    expect(orders.network.asked).toHaveLength(1);
    expect((await logged())[0]?.message).toContain(String(answered));
  },
);

test("the key is stored sealed, opens in its company only, and is never logged", async () => {
  await withKey();
  await order();

  const { rows } = await sql<{ all: string }>`
    select (select coalesce(string_agg(s::text || encode(coalesce(s.webhook_key, ''), 'escape'), ''), '') from network_session s)
      || (select coalesce(string_agg(l::text, ''), '') from poll_log l)
      || (select coalesce(string_agg(o::text, ''), '') from downlink_order o) as all`.execute(
    orders.api.services.database.system,
  );
  const { rows: packed } = await sql<{ steps: Buffer }>`select steps from poll_log`.execute(
    orders.api.services.database.system,
  );
  const dump = JSON.stringify(packed.map(({ steps }) => unpackSteps(steps)));
  expect(rows[0]?.all).toContain("wh1");
  expect(packed.length).toBeGreaterThan(0);
  expect(`${rows[0]?.all ?? ""}${dump}`).not.toContain(key);
  await expect(
    orders.api.services.database.system.transaction().execute(async (db) => {
      await sql`set local role metrum_api`.execute(db);
      await sql`select webhook_key from network_session`.execute(db);
    }),
  ).rejects.toThrow("permission denied");
});

test("CTRL-105 an order that expires before the connection is there is not sent", async () => {
  await withKey();
  const { api, device, network } = orders;
  const { send } = thingsWebhookRoute(api.services);
  let asked = 0;

  // In time when it is taken, no more once connected.
  const handed = await send(
    anOrder({ deviceId: device.id, companyId: api.companies.first, way: "things" }),
    () => ++asked === 1,
  );

  expect(handed.state).toBe("no_line");
  expect([asked, network.asked]).toEqual([2, []]);
});
