import { auditLog } from "@metrum/contract/access";
import { tasks } from "@metrum/contract/headend";
import { devices, deviceTrash } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { countDevices } from "#access/licence";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { aLicence, serverBuild } from "#testing/access/licence";
import { rm, writeFile } from "node:fs/promises";
import { removeMarked } from "./removal.ts";

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({ env: serverBuild });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());
beforeEach(async () => {
  await sql`delete from device`.execute(api.services.database.system);
});

async function aDevice(number: string, company = api.companies.first): Promise<DeviceId> {
  const { rows } = await sql<{ id: DeviceId }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
    values (${company}, 101, 'SDM630-Modbus', 4, 3, 4, ${`Meter ${number}`}, ${number}) returning id`.execute(
    api.services.database.system,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("no device was added");
  return id;
}

const params = (id: number) => ({ params: { id: String(id) } });
const toTrash = (id: number) => api.ask(deviceTrash.add, { token, input: params(id) });
const restore = (id: number) => api.ask(deviceTrash.restore, { token, input: params(id) });
const remove = (id: number) => api.ask(deviceTrash.remove, { token, input: params(id) });
const archive = (ids: number[], is_archived = true) =>
  api.ask(deviceTrash.archive, { token, input: { body: { ids, is_archived } } });
const listed = async (body: object = {}) =>
  (
    await api.ask(devices.list, { token, input: { body: { per_page: 2500, ...body } } })
  ).data.metering_devices.data.map(({ id }) => id);
const logged = async (action: string) =>
  (await api.ask(auditLog.log, { token, input: { body: { action } } })).data.log;

it("DEV-005 DEV-009 a device in the trash leaves the list for that of the trash, fetched with 2500 rows a page", async () => {
  const [kept, id] = [await aDevice("A-1"), await aDevice("A-2")];

  const { status, msg } = await toTrash(id);

  expect([status, msg]).toEqual([200, "Прибор в корзине"]);
  expect(await listed()).toEqual([kept]);
  expect(await listed({ is_deleted: true })).toEqual([id]);
  const { data } = await api.ask(devices.list, {
    token,
    input: { body: { is_deleted: true, per_page: 2500 } },
  });
  expect(data.metering_devices).toMatchObject({ per_page: 2500, total: 1, data: [{ is_deleted: true }] });
  expect((await logged("device.trash"))[0]).toMatchObject({
    object_type: "device",
    object_id: String(id),
    before: { name: "Meter A-2", deviceID: "A-2" },
  });
});

it("DEV-006 a device is restored from the trash; restoring it twice changes nothing", async () => {
  const id = await aDevice("B-1");
  await toTrash(id);

  const first = await restore(id);
  const entries = (await logged("device.restore")).length;
  const second = await restore(id);

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await listed()).toEqual([id]);
  expect((await logged("device.restore")).length).toBe(entries);
});

it("DEV-057 a device is not restored while another has its identifier; the refusal names that device", async () => {
  const id = await aDevice("c-1");
  await toTrash(id);
  await aDevice("C-1");

  const { status, code, msg } = await restore(id);

  expect([status, code]).toEqual([409, "identifier_taken"]);
  expect(msg).toContain("Meter C-1");
  expect(await listed({ is_deleted: true })).toEqual([id]);
});

it("two devices with the same identifier are not restored together", async () => {
  const ids = [await aDevice("D-1")];
  await toTrash(ids[0] ?? 0);
  ids.push(await aDevice("D-1"));
  await toTrash(ids[1] ?? 0);

  const { code } = await api.ask(deviceTrash.move, { token, input: { body: { ids, is_deleted: false } } });

  expect(code).toBe("identifier_taken");
  expect(await listed({ is_deleted: true })).toHaveLength(2);
});

it("DEV-007 only a trashed device is removed for good: hidden at once, then deleted with its readings", async () => {
  const [id, other] = [await aDevice("E-1"), await aDevice("E-2")];
  const now = api.services.clock.now();
  const reading = { msgType: 1, ts: now, receivedAt: now, source: "polled", values: { tariff0: 5 } } as const;
  await ingest(
    api.services,
    [id, other].map((deviceId) => ({ ...reading, deviceId })),
  );

  const early = await remove(id);
  await toTrash(id);
  const removed = await remove(id);

  expect([early.status, early.code]).toEqual([409, "device_not_in_trash"]);
  expect(removed.status).toBe(200);
  expect(await listed({ is_deleted: true })).toEqual([]);
  const answers = [
    await api.ask(devices.get, { token, input: params(id) }),
    await restore(id),
    await remove(id),
  ];
  expect(answers.map(({ code }) => code)).toEqual(["not_found", "not_found", "not_found"]);

  await removeMarked(api.services);

  const { rows } = await sql<{ device: number; readings: number[] }>`
    select (select count(*)::int from device where id = ${id}) as device,
      (select array_agg(distinct device_id) from message) as readings`.execute(api.services.database.system);
  expect(rows[0]).toEqual({ device: 0, readings: [other] });
});

it("DEV-008 the trash is cleared entirely, that of other companies is not", async () => {
  const theirs = await aDevice("F-1", api.companies.second);
  const ids = [await aDevice("F-1"), await aDevice("F-2")];
  const kept = await aDevice("F-3");
  await sql`update device set deleted_at = now() where id = any(${[...ids, theirs]}::int[])`.execute(
    api.services.database.system,
  );

  const { msg } = await api.ask(deviceTrash.clear, { token });
  await removeMarked(api.services);

  expect(msg).toContain("2");
  const { rows } = await sql<{ id: number }>`select id from device order by id`.execute(
    api.services.database.system,
  );
  expect(rows.map((row) => row.id)).toEqual([theirs, kept]);
});

it("DEV-063 an archived device stays readable, and is listed only on request", async () => {
  const [used, id] = [await aDevice("G-1"), await aDevice("G-2")];

  const { status } = await archive([id]);

  expect(status).toBe(200);
  expect(await listed()).toEqual([used]);
  expect(await listed({ is_archived: true })).toEqual([id]);
  expect(await listed({ ids: [id] })).toEqual([id]);
  const { data } = await api.ask(devices.get, { token, input: params(id) });
  expect(data.metering_device).toMatchObject({ is_archived: true, is_deleted: false });
  expect((await logged("device.archive"))[0]).toMatchObject({ after: { is_archived: true } });
});

it("DEV-063 neither an archived device nor one in the trash is polled for a user", async () => {
  const [archived, trashed] = [await aDevice("H-1"), await aDevice("H-2")];
  await archive([archived]);
  await toTrash(trashed);
  const poll = (id: number) =>
    api.ask(tasks.create, {
      token,
      input: { body: { command_type: "poll", title: "Poll", device_ids: [id] } },
    });

  expect([(await poll(archived)).code, (await poll(trashed)).code]).toEqual([
    "device_put_away",
    "device_put_away",
  ]);
});

it("a device in the trash can be neither archived nor restored from the archive", async () => {
  const [used, id] = [await aDevice("I-1"), await aDevice("I-2")];
  await toTrash(id);

  expect((await archive([used, id])).code).toBe("device_in_trash");
  expect(await listed({ is_archived: true })).toEqual([]);
});

it("DEV-063 ACL-018 a licence counts neither trash nor archive, and restoring devices beyond its limit is refused", async () => {
  const { system } = api.services.database;
  const licensed = await countDevices(system);
  const ids = [await aDevice("J-1"), await aDevice("J-2")];
  await archive(ids.slice(0, 1));
  await toTrash(ids[1] ?? 0);
  expect(await countDevices(system)).toBe(licensed);
  const path = api.services.config.licenceFile;
  await writeFile(path, aLicence({ devices: licensed }));

  const codes = [(await archive(ids.slice(0, 1), false)).code, (await restore(ids[1] ?? 0)).code];
  await rm(path);

  expect(codes).toEqual(["device_limit_reached", "device_limit_reached"]);
  expect((await archive(ids.slice(0, 1), false)).status).toBe(200);
});

it("ACL-018 trash, archive and removal need delete or access_all on 4", async () => {
  const id = await aDevice("K-1");
  const operator = await api.token("operator@metrum.example");

  const answers = [
    await api.ask(deviceTrash.add, { token: operator, input: params(id) }),
    await api.ask(deviceTrash.restore, { token: operator, input: params(id) }),
    await api.ask(deviceTrash.remove, { token: operator, input: params(id) }),
    await api.ask(deviceTrash.clear, { token: operator }),
    await api.ask(deviceTrash.move, {
      token: operator,
      input: { body: { ids: [id], is_deleted: true } },
    }),
    await api.ask(deviceTrash.archive, {
      token: operator,
      input: { body: { ids: [id], is_archived: true } },
    }),
  ];

  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(["right_missing"]));
});

it("a list with a device of another company is refused as a whole", async () => {
  const [own, theirs] = [await aDevice("L-1"), await aDevice("L-2", api.companies.second)];

  const move = await api.ask(deviceTrash.move, {
    token,
    input: { body: { ids: [own, theirs], is_deleted: true } },
  });

  expect([move.code, (await archive([own, theirs])).code]).toEqual(["not_found", "not_found"]);
  expect(await listed()).toEqual([own]);
});
