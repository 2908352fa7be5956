import { contract } from "@metrum/contract/calls";
import { pathOf } from "@metrum/contract/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const open = [...contract.values()].filter(({ auth, body }) => auth === "none" && body !== undefined);

const send = async (url: string, payload: string) => {
  const { statusCode, json } = await api.fastify.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/json" },
    payload,
  });
  return { status: statusCode, attributes: json<{ attributes: object }>().attributes };
};
const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${String(at)}`, 0])));

test.each(open.map((call) => [call.id, call] as const))(
  "%s accepts at most 16 KiB and 64 keys without a session",
  async (_, call) => {
    const url = `/api/${pathOf(call, { token: "x" })}`;

    expect((await send(url, keys(88_000))).status).toBe(413);
    expect(await send(url, keys(65))).toEqual({
      status: 422,
      attributes: { body: [expect.stringMatching(/large|велик|большое/i)] },
    });
  },
);

test("a signed-in caller may send a megabyte", async () => {
  const { statusCode } = await api.fastify.inject({
    method: "POST",
    url: "/api/device/metering_devices",
    headers: { authorization: `Bearer ${await api.token("engineer@metrum.example")}` },
    payload: {
      per_page: 20,
      filler: "x".repeat(9_000),
      more: Array.from({ length: 90 }, () => "y".repeat(9_000)),
    },
  });

  expect(statusCode).toBe(200);
});
