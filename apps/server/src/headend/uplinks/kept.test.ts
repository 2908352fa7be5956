import { inbox, type InboxCreate } from "@metrum/contract/headend";
import { push } from "@metrum/contract/metering";
import { fromHex } from "@metrum/protocols/core";
import { buildTelegram } from "@metrum/protocols/wmbus";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

/** A radio water meter and a pulse counter of LoRaWAN. */
const models = { radio: 311, pulses: 301 };
const key = "000102030405060708090a0b0c0d0e0f";
const pulses = `0162060040016a151027000001000000${"00".repeat(8)}`;
const telegram = (accessNumber: number) =>
  buildTelegram(fromHex("0c13 80672900 0b3b 841200 025a 7200"), {
    ...{ manufacturer: "DME", id: "55667799", version: 0x70, medium: 7, accessNumber },
    ...{ key: fromHex(key), security: "mode5" },
  });

let api: TestApi;
let token: string;
let foreign: string;
beforeAll(async () => {
  api = await openTestApi();
  token = await api.token("engineer@metrum.example");
  foreign = await api.token("engineer2@metrum.example");
});
afterAll(() => api.close());
const system = () => api.services.database.system;

const entryOf = async (identity: string, as = token) =>
  (await api.ask(inbox.list, { token: as })).data.inbox.find((entry) => entry.identity === identity);
const previewOf = (identity: string, as = token) =>
  api.ask(inbox.preview, { token: as, input: { body: { identity } } });
const create = (body: Omit<InboxCreate, "kind" | "name">, as = token) =>
  api.ask(inbox.create, { token: as, input: { body: { kind: "device", name: "Riser", ...body } } });
const rowsOf = async (id: number | null) =>
  (
    await sql<{
      ts: number;
      received: number;
    }>`select ts::float8, (ts + received_at_offset)::float8 as received
      from message where device_id = ${id} order by ts`.execute(system())
  ).rows;
const kept = async (identity: string, company: number) =>
  (
    await sql`select from uplink_aside where network_id = ${identity} and company_id = ${company}`.execute(
      system(),
    )
  ).rows.length;

async function keep(row: {
  readonly company?: number;
  readonly at: number;
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly identity: string;
}): Promise<void> {
  await sql`insert into uplink_aside (company_id, received_at, topic, payload, reason, network_id)
    values (${row.company ?? api.companies.first}, ${row.at}, ${row.topic}, ${Buffer.from(row.payload)}, 'unknown device',
      ${row.identity})`.execute(system());
}

describe("DEV-066 an unknown caller of a company", () => {
  test("is shown with what it sends and how often; registered, its messages are its first readings", async () => {
    const identity = "a1b2c3d4e5f60799";
    const now = api.services.clock.now();
    for (const minutes of [30, 20])
      await keep({
        at: now - minutes * 60,
        topic: "http/readings",
        payload: new TextEncoder().encode(JSON.stringify({ deviceID: identity, payload: pulses, fPort: 2 })),
        identity,
      });

    const entry = await entryOf(identity);
    const { data: shown } = await previewOf(identity);
    const { status, data } = await create({ identity, model_id: models.pulses });

    expect(entry).toMatchObject({
      count: 2,
      first_at: now - 1800,
      last_at: now - 1200,
      way: "http/readings",
    });
    expect(shown.messages.map(({ at, reason }) => [at, reason])).toEqual([
      [now - 1200, "unknown device"],
      [now - 1800, "unknown device"],
    ]);
    expect(shown.models.find(({ model_id }) => model_id === models.pulses)?.values["in1"]).toBe(10_000);
    expect([status, data.taken]).toEqual([200, 2]);
    const readings = await rowsOf(data.device_id);
    expect(readings.length).toBeGreaterThan(0);
    // Of the time they were received, not of the registration.
    for (const { received } of readings) expect(received).toBeLessThanOrEqual(now - 1200);
    expect(await entryOf(identity)).toBeUndefined();
    expect(await kept(identity, api.companies.first)).toBe(0);
  });

  test("an encrypted telegram of a receiver is read with the key that is given with it", async () => {
    const identity = "dme-55667799-70-07";
    const now = api.services.clock.now();
    await keep({ at: now - 600, topic: "wmbus/ROOF", payload: telegram(1), identity });

    const { data } = await create({ identity, model_id: models.radio, keys: { encryption: key } });

    expect(data.taken).toBe(1);
    expect((await rowsOf(data.device_id)).at(-1)?.received).toBe(now - 600);
  });

  test("a message of a network server over MQTT is imported too", async () => {
    const identity = "a1b2c3d4e5f60798";
    const at = api.services.clock.now() - 900;
    const payload = JSON.stringify({
      deviceInfo: { devEui: identity, applicationId: "1" },
      time: new Date(at * 1000).toISOString(),
      fPort: 2,
      fCnt: 7,
      data: Buffer.from(pulses, "hex").toString("base64"),
    });
    await keep({
      at: at + 2,
      topic: `c${String(api.companies.first)}/application/1/device/${identity}/event/up`,
      payload: new TextEncoder().encode(payload),
      identity,
    });

    const { data } = await create({ identity, model_id: models.pulses });

    expect(data.taken).toBe(1);
    expect((await rowsOf(data.device_id)).length).toBeGreaterThan(0);
  });

  test("is not visible to another company, whether or not it has the same number", async () => {
    const identity = "a1b2c3d4e5f60797";
    await keep({
      at: api.services.clock.now() - 60,
      topic: "http/readings",
      payload: new TextEncoder().encode(JSON.stringify({ deviceID: identity, payload: pulses, fPort: 2 })),
      identity,
    });

    const seen = await entryOf(identity, foreign);
    const { data: shown } = await previewOf(identity, foreign);
    const preview = await api.ask(inbox.preview, {
      token: foreign,
      input: { body: { identity, company_id: api.companies.first } },
    });
    const { data } = await create({ identity, model_id: models.pulses }, foreign);

    expect(seen).toBeUndefined();
    expect(shown).toEqual({ messages: [], models: [] });
    expect(preview.status).toBe(404);
    expect(data.taken).toBe(0);
    expect(await rowsOf(data.device_id)).toEqual([]);
    expect(await kept(identity, api.companies.first)).toBe(1);
    expect((await entryOf(identity))?.count).toBe(1);
  });

  test("messages that cannot be decoded again stay in quarantine", async () => {
    const identity = "a1b2c3d4e5f60796";
    await keep({ at: 1_795_000_000, topic: "http/readings", payload: fromHex("00ff"), identity });

    const { data } = await create({ identity, model_id: models.pulses });

    expect(data.taken).toBe(0);
    expect(await kept(identity, api.companies.first)).toBe(1);
  });

  test("a repeat that arrives after the registration changes nothing", async () => {
    const identity = "a1b2c3d4e5f60795";
    const reading = { deviceID: identity, payload: pulses, fPort: 2, reference: "7" };
    const send = () => api.ask(push.readings, { token, input: { body: { readings: [reading] } } });
    await send();

    const { data } = await create({ identity, model_id: models.pulses });
    const { data: again } = await send();

    expect(data.taken).toBe(1);
    expect(again.results[0]?.result).toBe("taken");
  });
});
