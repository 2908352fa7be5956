import { models, readings } from "@metrum/contract/metering";
import { shell } from "@metrum/contract/platform";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { forgetting } from "./errors.ts";

let api: TestApi;
let nowSec = Date.UTC(2026, 10, 20) / 1000;
beforeAll(async () => {
  api = await openTestApi({ clock: { nowMs: () => nowSec * 1000, now: () => nowSec } });
});
afterAll(() => api.close());

const report = (body: object, address = "127.0.0.1") =>
  api.fastify.inject({
    method: "POST",
    url: "/api/service/error_report",
    payload: body,
    remoteAddress: address,
  });
const kept = async () =>
  (
    await sql<Record<string, unknown>>`select * from client_error order by first_at, fingerprint`.execute(
      api.services.database.system,
    )
  ).rows;

test("SNACK-010 an error of a browser is stored once and counted, without personal data", async () => {
  const body = {
    message: "TypeError: bat@metrum.example has no +97699112233",
    stack: "at DevicesPage (https://metrum.example/assets/a.js:1:2)",
    url: "https://metrum.example/#/cloud/devices?q=Bat+Erdene",
    user_agent: "Firefox",
    app_version: "2025.4.63",
  };

  const [first, second] = [await report(body), await report(body)];

  const [one, again] = [first, second].map((each) => each.json<{ data: { report_id: string } }>().data);
  const report_id = one?.report_id;
  expect(report_id).toMatch(/^[\da-f]{12}$/);
  expect(again).toEqual({ report_id });
  expect(await kept()).toMatchObject([
    {
      fingerprint: report_id,
      message: "TypeError: (address) has no (number)",
      url: "#/cloud/devices",
      times: 2,
      app_version: "2025.4.63",
    },
  ]);
});

test("SNACK-010 reports are limited in size, and in number by address", async () => {
  expect((await report({ message: "x".repeat(10_001) }, "10.0.0.1")).statusCode).toBe(422);
  expect((await report({ message: "x", stack: "y".repeat(9_999) }, "10.0.0.2")).statusCode).toBe(200);
  expect((await kept()).at(-1)?.["stack"]).toHaveLength(8_000);

  const statuses: number[] = [];
  for (let at = 0; at < 25; at += 1) statuses.push((await report({ message: "m" }, "10.0.0.3")).statusCode);

  expect(statuses).toEqual([...Array<number>(20).fill(200), ...Array<number>(5).fill(429)]);
});

test("reports are deleted a month after they were last received", async () => {
  await report({ message: "old" }, "10.0.0.4");
  nowSec += 31 * 86_400;
  await report({ message: "new" }, "10.0.0.4");

  await forgetting.run(api.services, { plannedAt: nowSec, isLate: false });

  expect((await kept()).map(({ message }) => message)).toEqual(["new"]);
});

test("SESS-035 reference lists have an ETag: a second start is answered 304 without a list", async () => {
  const token = await api.token("engineer@metrum.example");
  const calls = [
    ...[
      models.devices,
      models.groups,
      models.interfaces,
      models.brands,
      models.gateways,
      models.baseStations,
    ],
    ...[readings.typesGet, readings.fieldTitles, shell.siteProperties, shell.design],
  ];
  for (const call of calls) {
    const ask = (known: string, language = "ru") =>
      api.fastify.inject({
        method: call.method,
        url: `/api/${call.path}`,
        headers: { authorization: `Bearer ${token}`, "if-none-match": known, "accept-language": language },
      });

    const whole = await ask("");
    const tag = String(whole.headers["etag"]);
    const again = await ask(tag);

    expect([call.id, whole.statusCode, again.statusCode, again.body]).toEqual([call.id, 200, 304, ""]);
    expect((await ask('"another"')).statusCode).toBe(200);
  }
  const plain = await api.ask(shell.ownDesign, {
    token,
    input: { params: { id: String(api.companies.first) } },
  });
  expect(plain.headers["etag"]).toBeUndefined();
});
