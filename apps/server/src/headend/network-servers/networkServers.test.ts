import { mostNetworkServers, networkServers, type NetworkServer } from "@metrum/contract/headend";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { secretOf } from "./secrets.ts";
import { activeServers } from "./store.ts";

const given = {
  kind: "things",
  name: "The Things",
  url: "mqtts://eu1.cloud.thethings.example:8883",
  username: "meters@city",
  secret: "NNSXS.SECRET",
} as const;

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const save = (body: object) =>
  api.ask(networkServers.save, { token, input: { body: { ...given, ...body } } });
const listed = async (by = token): Promise<readonly NetworkServer[]> =>
  (await api.ask(networkServers.list, { token: by })).data.network_servers;
const known = () => activeServers(api.services.database.system, { kinds: ["things"] });

test("the secret of a server is sealed, never returned, and kept when it is omitted", async () => {
  const saved = await save({});
  const { id } = saved.data.network_server;
  const again = await save({ id, name: "TTS", secret: undefined });

  expect(saved.text + again.text).not.toContain(given.secret);
  expect(again.data.network_server).toMatchObject({ name: "TTS", has_secret: true, state: "waiting" });
  const [server] = await known();
  if (!server) throw new Error("no server");
  expect(server.sealed?.includes(given.secret)).toBe(false);
  expect(secretOf(api.services, server)).toBe(given.secret);
  expect(server.revision).toBe(2);
  const { rows } = await sql<{ text: string }>`select string_agg(audit::text, '') as text from audit`.execute(
    api.services.database.system,
  );
  expect(rows[0]?.text).toContain("networkServer.save");
  expect(rows[0]?.text).not.toContain(given.secret);
});

test("the role of the API cannot read sealed secrets", async () => {
  const read = api.services.database.system.transaction().execute(async (db) => {
    await sql`set local role metrum_api`.execute(db);
    await sql`select sealed from network_server`.execute(db);
  });

  await expect(read).rejects.toThrow("permission denied");
});

test.each([
  ["url", { url: "mqtt://eu1.example:1883" }],
  ["url", { url: "mqtts://192.168.1.7:8883" }],
  ["url", { url: "https://eu1.example" }],
  ["username", { username: "no application/1" }],
  ["url", { kind: "actility", url: "http://lrc.example/downlink" }],
])("a wrong %s is named: %j", async (field, wrong) => {
  const { status, attributes } = await save(wrong);

  expect(status).toBe(422);
  expect(Object.keys(attributes)).toEqual([field]);
});

test("other companies do not see a server, deletion removes it, and their number is limited", async () => {
  expect(await listed(await api.token("engineer2@metrum.example"))).toEqual([]);
  const operator = await api.ask(networkServers.list, { token: await api.token("operator@metrum.example") });
  expect(operator.status).toBe(403);
  for (let left = mostNetworkServers - (await listed()).length; left > 0; left--)
    expect((await save({ is_active: false })).status).toBe(200);

  expect((await save({})).code).toBe("network_server_limit");
  for (const { id } of await listed())
    await api.ask(networkServers.remove, { token, input: { params: { id: String(id) } } });
  expect(await listed()).toEqual([]);
});
