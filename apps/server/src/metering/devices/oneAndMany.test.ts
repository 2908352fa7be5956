import {
  devices,
  deviceTrash,
  type DeviceChangeAction,
  type DeviceChangeFault,
} from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type Answer, type TestApi } from "#testing/api";
import { changeDevices } from "./changes.ts";

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const system = () => api.services.database.system;

async function added(more: object = {}): Promise<DeviceId> {
  const row = { is_active: true, is_archived: false, deleted_at: null, deviceID: null, ...more };
  const { rows } = await sql<{ id: DeviceId }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID",
      is_active, is_archived, deleted_at)
    values (${api.companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, 'Meter', coalesce(${row.deviceID}, gen_random_uuid()::text),
      ${row.is_active}, ${row.is_archived}, ${row.deleted_at}) returning id`.execute(system());
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("no device was added");
  return id;
}

async function underPoint(more: object = {}): Promise<DeviceId> {
  const id = await added(more);
  await sql`
    with point as (
      insert into accounting_point (company_id, name, resource_type_id, timezone)
      values (${api.companies.first}, 'Point', 3, 'Asia/Ulaanbaatar') returning id
    )
    insert into point_device (point_id, company_id, device_id, field, from_ts, to_ts)
    select id, ${api.companies.first}, ${id}, 'tariff0', 1700000000, 1700003600 from point`.execute(system());
  return id;
}

const deleted_at = new Date(1_793_491_200_000);
let twins = 0;
/** Makes a device of this kind; the same for each way. */
const states = {
  plain: () => added(),
  off: () => added({ is_active: false }),
  archived: () => added({ is_archived: true }),
  "in the trash": () => added({ deleted_at }),
  "archived, in the trash": () => added({ is_archived: true, deleted_at }),
  "in the trash, with another of its number": async () => {
    const deviceID = `twin-${String(++twins)}`;
    await added({ deviceID });
    return added({ deviceID, deleted_at });
  },
  "a source": async () => {
    const [id, virtual] = [await added(), await added()];
    await sql`insert into virtual_source (virtual_id, source_id, company_id)
      values (${virtual}, ${id}, ${api.companies.first})`.execute(system());
    return id;
  },
  "under a point": () => underPoint(),
  "under a point, in the trash": () => underPoint({ deleted_at }),
} as const;

type Action = Extract<
  DeviceChangeAction,
  "switch_on" | "switch_off" | "archive" | "unarchive" | "trash" | "restore" | "remove"
>;
const ofOne: Readonly<Record<Action, (id: number) => Promise<Answer<unknown>>>> = {
  switch_on: (id) => api.ask(devices.switch, { token, input: { ...of(id), body: { is_active: true } } }),
  switch_off: (id) => api.ask(devices.switch, { token, input: { ...of(id), body: { is_active: false } } }),
  archive: (id) => api.ask(deviceTrash.archive, { token, input: { body: { ids: [id], is_archived: true } } }),
  unarchive: (id) =>
    api.ask(deviceTrash.archive, { token, input: { body: { ids: [id], is_archived: false } } }),
  trash: (id) => api.ask(deviceTrash.add, { token, input: of(id) }),
  restore: (id) => api.ask(deviceTrash.restore, { token, input: of(id) }),
  remove: (id) => api.ask(deviceTrash.remove, { token, input: of(id) }),
};
const actions = Object.keys(ofOne) as Action[];
const of = (id: number) => ({ params: { id: String(id) } });

/** Calls of a list of ids, for the changes that have one. */
const ofSome: Partial<typeof ofOne> = {
  switch_on: (id) =>
    api.ask(devices.switchBulk, { token, input: { body: { device_ids: [id], is_active: true } } }),
  switch_off: (id) =>
    api.ask(devices.switchBulk, { token, input: { body: { device_ids: [id], is_active: false } } }),
  trash: (id) => api.ask(deviceTrash.move, { token, input: { body: { ids: [id], is_deleted: true } } }),
  restore: (id) => api.ask(deviceTrash.move, { token, input: { body: { ids: [id], is_deleted: false } } }),
};

/** Refusals of a call, by the reasons of a task that name the same. */
const refusals: Partial<Record<DeviceChangeFault, string>> = { is_source: "device_is_source" };

async function asTask(id: DeviceId, action: Action): Promise<string> {
  const scope = { companyId: api.companies.first, onlyTiedDevices: false } as const;
  const { faults } = await system()
    .transaction()
    .execute((db) => changeDevices({ ...api.services, db, scope }, [id], { action }));
  const fault = faults.get(id);
  return fault === undefined ? "done" : (refusals[fault] ?? fault);
}

async function after(id: number): Promise<unknown> {
  const { rows } = await sql`
    select is_active, is_archived, deleted_at is not null as is_deleted, removed_at is not null as is_removed
    from device where id = ${id}`.execute(system());
  return rows[0];
}

test.each(
  actions.flatMap((action) => Object.entries(states).map(([name, make]) => [action, name, make] as const)),
)(
  "%s of a device that is %s: the call for one, the call for a list of one and the task do and refuse the same",
  async (action, _, make) => {
    const [one, some, task] = [await make(), await make(), await make()];
    const outcomeOf = ({ status, code }: Answer<unknown>): string => (status === 200 ? "done" : code);

    const alone = [outcomeOf(await ofOne[action](one)), await after(one)];

    const many = ofSome[action];
    if (many) expect([outcomeOf(await many(some)), await after(some)]).toEqual(alone);
    expect([await asTask(task, action), await after(task)]).toEqual(alone);
  },
);
