import { writeFile } from "node:fs/promises";
import { contract } from "@metrum/contract/calls";
import type { Call } from "@metrum/contract/core";
import { deviceRecord, deviceTrash, sheetImports } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { countDevices } from "#access/licence";
import { changeDevices } from "../../metering/devices/changes.ts";
import { takeSheets } from "../../metering/sheets/work.ts";
import { openTestApi, type Answer } from "../api.ts";
import { anEmail } from "./bodies.ts";
import { impatientClock } from "../clock.ts";
import { examples } from "./examples.ts";
import { aLicence, serverBuild } from "../access/licence.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { aSpareDevice } from "./spares.ts";

/** Places for devices in a licence: no call, import or task fills more than there are. */
let fixture: Fixture;
const engineer = "engineer@metrum.example";
let token: string;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ env: serverBuild, clock: impatientClock() }));
});
/** Some calls end sessions. */
beforeEach(async () => {
  token = await fixture.api.token(engineer);
});
afterAll(() => fixture.api.close());

const system = () => fixture.api.services.database.system;
const counted = () => countDevices(system());

/** A licence with so many free places; expired if wanted. */
async function license(free: number, expires_at = 4_102_444_800): Promise<void> {
  const text = aLicence({ devices: (await counted()) + free, expires_at });
  await writeFile(fixture.api.services.config.licenceFile, text);
}

describe("LIC-008 no call fills a place that is not there", () => {
  const calls = [...contract.values()]
    .filter(({ auth, id }) => auth !== "none" && examples[id]?.build !== "server")
    .map((call): [string, Call] => [call.id, call]);
  /** Calls whose example adds a device where there is room. */
  const adding: string[] = [];

  test.each(calls)("%s", async (id, call) => {
    const input = (await examples[id]?.input?.(fixture)) ?? {};
    await license(0);
    const before = await counted();

    const { code } = await fixture.api.ask(call, {
      token: await fixture.api.token(examples[id]?.as ?? engineer),
      input,
    });

    expect([id, (await counted()) > before]).toEqual([id, false]);
    if (code === "device_limit_reached") adding.push(id);
  });

  test("those that add one are refused for that reason", () => {
    expect(adding.toSorted()).toEqual(["device.create", "device.restore", "inbox.create"]);
  });
});

/** Several devices at once; returns why those were refused that were. */
interface Way {
  /** All of them or none; otherwise as many as there are places. */
  readonly isWhole: boolean;
  /** Prepares so many devices, and returns what adds them. */
  readonly prepare: (count: number) => Promise<() => Promise<readonly (string | undefined)[]>>;
}

async function spares(count: number, away: { readonly is_archived?: boolean; readonly deleted_at?: Date }) {
  const ids: DeviceId[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await aSpareDevice(fixture, true)) as DeviceId);
  await sql`
    update device set is_archived = ${away.is_archived ?? false}, deleted_at = ${away.deleted_at ?? null}
    where id = any(${ids}::int[])`.execute(system());
  return ids;
}
const trashed = (count: number) => spares(count, { deleted_at: new Date() });
const archived = (count: number) => spares(count, { is_archived: true });

const refusal = ({ status, code }: Answer<unknown>) => (status === 200 ? undefined : code);

async function asTask(ids: readonly DeviceId[], action: "restore" | "unarchive") {
  const { services, companies } = fixture.api;
  const scope = { companyId: companies.first, onlyTiedDevices: false } as const;
  const { faults } = await system()
    .transaction()
    .execute((db) => changeDevices({ ...services, db, scope }, ids, { action }));
  return [...faults.values()];
}

let files = 0;
const headings = {
  devices: "Number;Name;Model;Address on the line",
  objects: "Object (path);Device number;Model;Address on the line",
} as const;

/** Imports a file with so many devices. */
async function asFile(kind: keyof typeof headings, count: number) {
  const { api } = fixture;
  const name = `${kind}${String(++files)}`;
  const lines = Array.from(
    { length: count },
    (_, n) =>
      `${kind === "devices" ? "" : "Street / "}${name}-${String(n)};${name}-${String(n)};SDM630-Modbus;1`,
  );
  const body = { kind, file_name: "things.csv", text: [headings[kind], ...lines].join("\n") };
  const { data } = await api.ask(sheetImports.upload, { token, input: { body } });
  const { id, mapping } = data.import;
  await license(count);
  await api.ask(sheetImports.rehearse, { token, input: { body: { id, mapping } } });
  await takeSheets(api.services);
  return async () => {
    await api.ask(sheetImports.run, { token, input: { body: { id } } });
    await takeSheets(api.services);
    const rows = await api.ask(sheetImports.rows, {
      token,
      input: { body: { id, outcome: "refused", per_page: 100 } },
    });
    return rows.data.rows.data.map(({ faults }) => faults[0]?.code);
  };
}

const ways: Readonly<Record<string, Way>> = {
  "devices that are made at the same time": {
    isWhole: false,
    prepare: (count) =>
      Promise.resolve(async () => {
        const made = Array.from({ length: count }, () => {
          const body = { name: "Meter", deviceID: anEmail(), model_id: 101, inside_addr: "7" };
          return fixture.api.ask(deviceRecord.create, { token, input: { body } });
        });
        return (await Promise.all(made)).map(refusal).filter((each) => each !== undefined);
      }),
  },
  "a list from the trash": {
    isWhole: true,
    prepare: async (count) => {
      const body = { ids: await trashed(count), is_deleted: false };
      return async () => [refusal(await fixture.api.ask(deviceTrash.move, { token, input: { body } }))];
    },
  },
  "a list from the archive": {
    isWhole: true,
    prepare: async (count) => {
      const body = { ids: await archived(count), is_archived: false };
      return async () => [refusal(await fixture.api.ask(deviceTrash.archive, { token, input: { body } }))];
    },
  },
  "a task for devices in the trash": {
    isWhole: false,
    prepare: async (count) => {
      const ids = await trashed(count);
      return () => asTask(ids, "restore");
    },
  },
  "a task for devices in the archive": {
    isWhole: false,
    prepare: async (count) => {
      const ids = await archived(count);
      return () => asTask(ids, "unarchive");
    },
  },
  "a file of devices": { isWhole: false, prepare: (count) => asFile("devices", count) },
  "a file of objects with devices": { isWhole: false, prepare: (count) => asFile("objects", count) },
};

const wanted = 3;
const far = 4_102_444_800;

describe.each(Object.entries(ways))("LIC-008 %s", (_, { isWhole, prepare }) => {
  test.each([0, wanted - 1, wanted, wanted + 1])("for %i places", async (free) => {
    const add = await prepare(wanted);
    const before = await counted();
    await license(free);

    const refused = (await add()).filter((each) => each !== undefined);

    const fitting = free >= wanted ? wanted : isWhole ? 0 : free;
    expect((await counted()) - before).toBe(fitting);
    expect([...new Set(refused)]).toEqual(fitting < wanted ? ["device_limit_reached"] : []);
  });

  test("LIC-007 with a licence that has expired", async () => {
    const add = await prepare(wanted);
    const before = await counted();
    await license(wanted, Math.floor(Date.now() / 1000) - 1);

    const refused = (await add()).filter((each) => each !== undefined);
    await license(wanted, far);

    expect([(await counted()) - before, new Set(refused)]).toEqual([0, new Set(["licence_expired"])]);
  });
});
