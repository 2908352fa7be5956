import { spawn } from "node:child_process";
import { once } from "node:events";
import { ProtocolError } from "@metrum/protocols/core";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { openSecrets, putDeviceSecret, reserveNumbers, sealPlainPasswords } from "./secrets.ts";
import { sealedNames, type SecretName } from "./secretStore.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const db = () => api.services.database.system;
const ctx = () => ({ db: db(), secretBox: api.services.secretBox });

async function aDevice(properties: Record<string, unknown> = {}): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID",
      inside_addr, report_period_update, properties)
    values (${api.companies.first}, 101, 'M', 1, 1, 4, 'secret', 'S-1', '1', 3600, ${JSON.stringify(properties)}::jsonb)
    returning id`.execute(db());
  return rows[0]?.id ?? 0;
}

async function sealedOf(id: number): Promise<Partial<Record<SecretName, string>>> {
  const { rows } = await sql<{ name: SecretName; text: string }>`
    select name, encode(sealed, 'base64') as text from device_secret where device_id = ${id}`.execute(db());
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]));
}

const numbers = (atLeast: number, count = 1) => ({ counter: "dlms", atLeast, count });

test("a secret is stored sealed, opens for its own device and name only, and an empty one is deleted", async () => {
  const [one, other] = [await aDevice(), await aDevice()];
  await putDeviceSecret(ctx(), { deviceId: one, name: "password", text: "Gurux-1" });
  await putDeviceSecret(ctx(), { deviceId: one, name: "encryption", text: "00".repeat(16) });
  const sealed = await sealedOf(one);

  expect(Buffer.from(sealed.password ?? "", "base64").includes("Gurux-1")).toBe(false);
  expect(openSecrets(api.services.secretBox, one, sealed)).toEqual({
    password: "Gurux-1",
    keys: { encryption: "00".repeat(16) },
  });
  expect(() => openSecrets(api.services.secretBox, other, sealed)).toThrow();
  expect(() =>
    openSecrets(api.services.secretBox, one, { authentication: sealed.encryption ?? "" }),
  ).toThrow();
  await putDeviceSecret(ctx(), { deviceId: one, name: "password", text: "" });
  expect(await sealedNames(db(), one)).toEqual(["encryption"]);
});

test("a password stored by an earlier version is moved out of the properties", async () => {
  const id = await aDevice({ host: "10.0.0.1", password: "111111" });

  expect(await sealPlainPasswords(api.services)).toBe(1);

  const { rows } = await sql`select properties from device where id = ${id}`.execute(db());
  expect(rows).toEqual([{ properties: { host: "10.0.0.1" } }]);
  expect(openSecrets(api.services.secretBox, id, await sealedOf(id))).toEqual({ password: "111111" });
  expect(await sealPlainPasswords(api.services)).toBe(0);
});

test("concurrent polls get ranges of numbers that do not overlap, whatever counter the meter reports", async () => {
  const id = await aDevice();
  const reservations = Array.from({ length: 60 }, (_, at) => ({
    atLeast: (at * 7) % 50,
    count: 1 + (at % 9),
  }));

  const given = await Promise.all(
    reservations.map(async ({ atLeast, count }) => {
      const first = await reserveNumbers(api.services.database, id, numbers(atLeast, count));
      expect(first).toBeGreaterThanOrEqual(atLeast);
      return Array.from({ length: count }, (_, at) => first + at);
    }),
  );

  const all = given.flat();
  expect(new Set(all).size).toBe(all.length);
});

test("a process killed between reservation and use wastes its numbers and repeats none", async () => {
  const id = await aDevice();
  const connection = JSON.stringify(api.database.connection);
  const code = `
    import { openDatabase } from "./apps/server/src/core/database/database.ts";
    import { reserveNumbers } from "./apps/server/src/metering/devices/settings/secrets.ts";
    const database = openDatabase(${connection});
    for (;;) console.log(await reserveNumbers(database, ${String(id)}, ${JSON.stringify(numbers(5, 10))}));`;
  const taken: number[] = [];
  const run = async () => {
    const child = spawn(
      process.execPath,
      ["--conditions=source", "--import", "tsx", "--input-type=module", "-e", code],
      { cwd: new URL("../../../../../..", import.meta.url), stdio: ["ignore", "pipe", "inherit"] },
    );
    let text = "";
    child.stdout.on("data", (piece: Buffer) => {
      text += piece.toString();
      if (text.split("\n").length > 20) child.kill("SIGKILL");
    });
    await once(child, "close");
    taken.push(...text.trim().split("\n").map(Number));
  };

  await Promise.all([run(), run()]);
  const next = await reserveNumbers(api.services.database, id, numbers(5, 10));

  expect(taken.length).toBeGreaterThanOrEqual(40);
  expect(new Set(taken).size).toBe(taken.length);
  expect(taken.every((first) => (first - 5) % 10 === 0)).toBe(true);
  expect(next).toBeGreaterThan(Math.max(...taken));
});

test("reserved ranges follow a plain counter, up to the last number", async () => {
  const end = 2 ** 32;
  const atLeast = fc.oneof(fc.nat(50), fc.integer({ min: end - 40, max: end + 2 }));
  const steps = fc.array(fc.record({ atLeast, count: fc.integer({ min: 1, max: 12 }) }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(steps, async (reservations) => {
      const id = await aDevice();
      let next = 0;
      for (const given of reservations) {
        const first = Math.max(next, given.atLeast);
        const reserved = reserveNumbers(api.services.database, id, numbers(given.atLeast, given.count));
        if (first + given.count > end) {
          await expect(reserved).rejects.toMatchObject({ kind: "refused" });
          continue;
        }
        expect(await reserved).toBe(first);
        next = first + given.count;
      }
    }),
    { numRuns: 20 },
  );
});

test("an exhausted range is an error of the device, and a range never goes back", async () => {
  const id = await aDevice();

  await expect(reserveNumbers(api.services.database, id, numbers(2 ** 32 - 4, 5))).rejects.toThrow(
    ProtocolError,
  );
  expect(await reserveNumbers(api.services.database, id, numbers(2 ** 32 - 5, 5))).toBe(2 ** 32 - 5);
  await expect(reserveNumbers(api.services.database, id, numbers(0))).rejects.toMatchObject({
    kind: "refused",
  });
  await expect(
    sql`update device_counter set next = 1 where device_id = ${id}`.execute(db()),
  ).rejects.toThrow();
});
