import { accountingPoints, pointDevices, pointHistory, pointImport } from "@metrum/contract/accounting";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { aReading } from "#testing/readings";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const [hour, day] = [3600, 86_400];
const now = () => tree.api.services.clock.now();
const confirmed = { confirm: true, confirm_reason: "The display was photographed" };

async function aPoint(): Promise<number> {
  const answer = await tree.ask(accountingPoints.create, { title: "Input", resource_type_id: 3 });
  return answer.data.accounting_point.id;
}
const read = (deviceId: number, ts: number, tariff0: number) =>
  ingest(tree.api.services, [aReading({ deviceId: deviceId as DeviceId, ts, values: { tariff0 } })]);
const history = async (accounting_point_id: number) =>
  (await tree.ask(pointHistory.history, { accounting_point_id })).data.devices;

/** A point whose meter counts 24 a day, up to 1000 now. */
async function measured() {
  const [point, device] = [await aPoint(), await tree.aDevice()];
  for (let n = 10; n >= 0; n--) await read(device, now() - n * day, 1000 - 24 * n);
  return { point, device };
}

async function tied() {
  const { point, device } = await measured();
  const answer = await tree.ask(pointDevices.tieDevice, {
    ...{ accounting_point_id: point, device_id: device, from: now() - 5 * day, starting_value: 880 },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return { point, device };
}

type Asked = (more: object) => ReturnType<TreeApi["ask"]>;

async function confirmations(point: number): Promise<unknown[]> {
  const { rows } = await sql<{ confirmed: unknown }>`
    select after -> 'confirmed' as confirmed from audit
    where subject = ${`point ${String(point)}`} and after ? 'confirmed'`.execute(
    tree.api.services.database.system,
  );
  return rows.map((row) => row.confirmed);
}

/** Refused with the field, then without a reason, then stored with one. */
async function expectDoubt(point: number, ask: Asked, field: string): Promise<void> {
  const before = await history(point);
  const refused = await ask({});
  const unreasoned = await ask({ confirm: true });
  const unchanged = await history(point);
  const stored = await ask(confirmed);

  expect([refused.status, refused.code, Object.keys(refused.attributes)]).toEqual([
    409,
    "point_reading_doubted",
    [field],
  ]);
  expect([unreasoned.status, Object.keys(unreasoned.attributes)]).toEqual([422, ["confirm_reason"]]);
  expect(unchanged).toEqual(before);
  expect(stored.status, stored.text).toBe(200);
  expect(await confirmations(point)).toEqual([confirmed.confirm_reason]);
}

describe("TRUST-028 readings that the device itself contradicts are stored only once they are confirmed", () => {
  it.each([
    ["below the reading before", 870],
    ["above the reading after", 881],
    ["far above the usual growth", 1_200],
  ])("a tie opens %s", async (_, starting_value) => {
    const { point, device } = await measured();
    const from = now() - 5 * day;

    await expectDoubt(
      point,
      (more) =>
        tree.ask(pointDevices.tieDevice, {
          ...{ accounting_point_id: point, device_id: device, from, starting_value },
          ...more,
        }),
      "starting_value",
    );
  });

  it.each([
    ["below the reading before", 930],
    ["above the reading after", 977],
  ])("an end closes %s", async (_, value) => {
    const { point, device } = await tied();
    const to = now() - day;

    await expectDoubt(
      point,
      (more) =>
        tree.ask(pointDevices.untieDevice, {
          ...{ accounting_point_id: point, device_id: device, to, closing: { tariff0: value } },
          ...more,
        }),
      "closing.tariff0",
    );
  });

  it("a replacement closes far above the usual growth, and the new meter opens above its first reading", async () => {
    const { point } = await tied();
    const next = await tree.aDevice();
    await read(next, now(), 7);

    const ask: Asked = (more) =>
      tree.ask(pointDevices.replaceDevice, {
        ...{ accounting_point_id: point, device_id: next, removed_at: now() - hour },
        ...{ last_value: 1_500, starting_value: 8 },
        ...more,
      });
    const refused = await ask({});

    expect(Object.keys(refused.attributes)).toEqual(["last_value", "starting_value"]);
    await expectDoubt(point, (more) => ask({ starting_value: 7, ...more }), "last_value");
  });

  it("a correction opens below the reading before; what it does not change is not judged anew", async () => {
    const { point, device } = await tied();
    const [tie] = await history(point);
    const correct: Asked = (more) =>
      tree.ask(pointDevices.correctTie, {
        ...{ accounting_point_id: point, tie_number: tie?.id ?? 0, reason: "Read wrongly" },
        ...more,
      });

    await expectDoubt(point, (more) => correct({ opening: { tariff0: 800 }, ...more }), "opening.tariff0");
    await read(device, now() - 5 * day - hour, 879);
    expect((await correct({ act: "7/26" })).status).toBe(200);
  });

  it("a meter that is read once a year is judged by that reading", async () => {
    const [point, device] = [await aPoint(), await tree.aDevice()];
    await read(device, now() - 400 * day, 5_000);

    await expectDoubt(
      point,
      (more) =>
        tree.ask(pointDevices.tieDevice, {
          ...{ accounting_point_id: point, device_id: device, from: now() - day, starting_value: 4_000 },
          ...more,
        }),
      "starting_value",
    );
  });

  it("readings in line with those of the device, and of a new meter, need no confirmation", async () => {
    const { point } = await tied();
    const [next, other] = [await tree.aDevice(), await aPoint()];
    await read(next, now() - day, 0.2);

    const replaced = await tree.ask(pointDevices.replaceDevice, {
      ...{ accounting_point_id: point, device_id: next, removed_at: now() - hour },
      ...{ last_value: 999, starting_value: 6 },
    });
    const silent = await tree.ask(pointDevices.tieDevice, {
      ...{ accounting_point_id: other, device_id: await tree.aDevice(), starting_value: 71_234 },
    });

    expect([replaced.status, silent.status], replaced.text).toEqual([200, 200]);
  });
});

const importOf = (text: string) => tree.ask(pointImport.import, { text });
const countOf = async (name: string) =>
  (await tree.ask(accountingPoints.companyList, { search_string: name })).data.accounting_points.total;

it("AP-002 TRUST-028 a starting value that the device contradicts is refused with its row, or stored with a reason", async () => {
  const device = await tree.aDevice();
  await sql`update device set "deviceID" = 'IMPORT-8' where id = ${device}`.execute(
    tree.api.services.database.system,
  );
  const ts = now() - day;
  await read(device, ts, 1000);
  const text = (value: number, reason = "") =>
    `Name;Resource;Device;starting_value;confirm_reason\nDoubted;3;IMPORT-8;${String(value)};${reason}\n`;

  const refused = await importOf(text(900));
  const long = await importOf(text(900, "x".repeat(501)));
  const needless = await importOf(text(1001).replace("Doubted", "In line"));
  await sql`delete from point_device where device_id = ${device}`.execute(tree.api.services.database.system);
  const stored = await importOf(text(900, "The display was photographed"));

  expect([refused.status, refused.code, Object.keys(refused.attributes)]).toEqual([
    422,
    "import_refused",
    ["row 2"],
  ]);
  expect(refused.attributes["row 2"]).toEqual([expect.stringContaining("starting_value")]);
  expect(long.attributes["row 2"]).toEqual([expect.stringContaining("confirm_reason")]);
  expect([needless.status, stored.status, await countOf("Doubted")]).toEqual([200, 200, 1]);
  const { rows } = await sql<{ confirmed: string }>`
    select after ->> 'confirmed' as confirmed from audit
    where action = 'point.tieDevice' and (after ->> 'device_id')::int = ${device} order by id`.execute(
    tree.api.services.database.system,
  );
  expect(rows.map(({ confirmed }) => confirmed)).toEqual([null, "The display was photographed"]);
});
