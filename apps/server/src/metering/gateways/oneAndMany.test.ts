import { baseStations, gateways, type CarrierAction, type CarrierFault } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type Answer, type TestApi } from "#testing/api";

/** What one call does to one gateway or base station, the call for many does to a list of one. */
let api: TestApi;
const tokens = { all: "", tied: "" };
let street: number;
beforeAll(async () => {
  api = await openTestApi();
  tokens.all = await api.token("engineer@metrum.example");
  const { rows } = await sql<{ id: number }>`
    with street as (
      insert into object_node (company_id, name) values (${api.companies.first}, 'Street') returning id
    ), tie as (
      insert into object_user (object_id, user_id, company_id)
      select street.id, u.id, u.company_id from street, users u where u.email = 'operator@metrum.example'
    ), rights as (
      update access_group set access_rules = jsonb_build_object('create', a, 'read', a, 'update', a, 'delete', a,
        'access_all', '[]'::jsonb) from (select '[4, 6]'::jsonb as a) m where name = 'Operators'
    )
    select id from street`.execute(system());
  street = rows[0]?.id ?? 0;
  tokens.tied = await api.token("operator@metrum.example");
});
afterAll(() => api.close());

const system = () => api.services.database.system;

type Kind = "gateway" | "base_station";
interface Made {
  readonly is_active?: boolean;
  readonly is_archived?: boolean;
  readonly deleted_at?: Date;
  readonly number?: string;
}

/** One of the street, so that the tied user sees it. */
async function added(kind: Kind, { number, ...more }: Made = {}): Promise<number> {
  const row = { is_active: true, is_archived: false, deleted_at: null, ...more };
  const named = number === undefined ? sql`gen_random_uuid()::text` : sql`${number}::text`;
  const ofKind = kind === "gateway" ? sql`601, 10` : sql`701`;
  const columns = kind === "gateway" ? sql`model_id, interface_id` : sql`model_id`;
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into ${sql.table(kind)} (company_id, ${columns}, name, device_id, is_active, is_archived, deleted_at)
      values (${api.companies.first}, ${ofKind}, 'Roof', ${named}, ${row.is_active}, ${row.is_archived}, ${row.deleted_at})
      returning id, company_id
    )
    insert into object_item (object_id, company_id, ${sql.ref(`${kind}_id`)}, is_counted)
    select ${street}, company_id, id, true from made returning ${sql.ref(`${kind}_id`)} as id`.execute(
    system(),
  );
  return rows[0]?.id ?? 0;
}

async function withDeviceOfOthers(kind: Kind, more: Made = {}): Promise<number> {
  const id = await added(kind, more);
  await sql`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID",
      ${sql.ref(`${kind}_id`)})
    values (${api.companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, 'Meter', gen_random_uuid()::text, ${id})`.execute(
    system(),
  );
  return id;
}

const deleted_at = new Date(1_793_491_200_000);
let twins = 0;
const states: Readonly<Record<string, (kind: Kind) => Promise<number>>> = {
  "in use": (kind) => added(kind),
  "switched off": (kind) => added(kind, { is_active: false }),
  "in the archive": (kind) => added(kind, { is_archived: true }),
  "in the archive, switched off": (kind) => added(kind, { is_archived: true, is_active: false }),
  "in the trash": (kind) => added(kind, { deleted_at }),
  "in the trash, switched off": (kind) => added(kind, { deleted_at, is_active: false }),
  "in the trash, from the archive": (kind) => added(kind, { deleted_at, is_archived: true }),
  "in the trash, with another of its number": async (kind) => {
    const number = `twin-${kind}-${String(++twins)}`;
    await added(kind, { number });
    return added(kind, { number, deleted_at });
  },
  "with a device of others": (kind) => withDeviceOfOthers(kind),
  "in the trash, with a device of others": (kind) => withDeviceOfOthers(kind, { deleted_at }),
  "in the archive, with a device of others": (kind) => withDeviceOfOthers(kind, { is_archived: true }),
};

const inPath = (id: number) => ({ params: { id: String(id) } });
const calls = { gateway: gateways, base_station: baseStations } as const;

const ofOne: Readonly<
  Record<CarrierAction, (kind: Kind, id: number, token: string) => Promise<Answer<unknown>>>
> = {
  switch_on: (kind, id, token) =>
    api.ask(calls[kind].edit, { token, input: { body: { id, is_active: true } } }),
  switch_off: (kind, id, token) =>
    api.ask(calls[kind].edit, { token, input: { body: { id, is_active: false } } }),
  archive: (kind, id, token) =>
    api.ask(calls[kind].archive, { token, input: { body: { ids: [id], is_archived: true } } }),
  unarchive: (kind, id, token) =>
    api.ask(calls[kind].archive, { token, input: { body: { ids: [id], is_archived: false } } }),
  trash: (kind, id, token) => api.ask(calls[kind].toTrash, { token, input: inPath(id) }),
  restore: (kind, id, token) => api.ask(calls[kind].restore, { token, input: inPath(id) }),
};
const actions = Object.keys(ofOne) as CarrierAction[];

const codeOf: Readonly<Record<Kind, Readonly<Record<CarrierFault, string>>>> = {
  gateway: {
    in_trash: "gateway_in_trash",
    archived: "gateway_archived",
    identifier_taken: "identifier_taken",
    tied_devices_only: "tied_devices_only",
  },
  base_station: {
    in_trash: "base_station_in_trash",
    archived: "base_station_archived",
    identifier_taken: "identifier_taken",
    tied_devices_only: "tied_devices_only",
  },
};

/** Of a list in use, in the archive or in the trash: where the thing stands. */
const placeOf = (state: string) => ({
  ...(state.startsWith("in the trash") ? { is_deleted: true } : {}),
  ...(state.startsWith("in the archive") ? { is_archived: true } : {}),
});

interface Asked {
  readonly action: CarrierAction;
  readonly filter: { ids: number[]; is_deleted?: boolean; is_archived?: boolean };
  readonly token: string;
}

async function asMany(kind: Kind, asked: Asked) {
  const { action, filter, token } = asked;
  const answer = await api.ask(calls[kind].changeMany, { token, input: { body: { action, filter } } });
  const [fault] = answer.status === 200 ? answer.data.refused : [];
  if (answer.status !== 200) return answer.code;
  return fault ? codeOf[kind][fault.reason] : "done";
}

async function rowOf(kind: Kind, id: number): Promise<unknown> {
  const { rows } = await sql`
    select is_active, is_archived, deleted_at is not null as is_deleted from ${sql.table(kind)} where id = ${id}`.execute(
    system(),
  );
  return rows[0];
}

/** What the log says of one, without what differs between two. Switching one is a change of its form. */
async function logOf(kind: Kind, id: number): Promise<unknown> {
  const { rows } = await sql<{ action: string; after: object }>`
    select action, after - 'device_id' as after from audit
    where subject = ${`${kind} ${String(id)}`} order by id`.execute(system());
  return rows.filter(({ action }) => !/\.(?:update|switch)$/.test(action));
}

const users = ["all", "tied"] as const;

describe.each(["gateway", "base_station"] as const)("ACL-039 DEV-063 %s", (kind) => {
  const cases = actions.flatMap((action) =>
    Object.keys(states).flatMap((state) => users.map((user) => [action, state, user] as const)),
  );

  test.each(cases)(
    "%s of one that is %s, for a user who sees %s: one and many are the same",
    async (action, state, user) => {
      const make = states[state];
      if (!make) throw new Error(state);
      const [one, many, token] = [await make(kind), await make(kind), tokens[user]];

      const { status, code } = await ofOne[action](kind, one, token);
      const alone = status === 200 ? "done" : code;
      const asList = await asMany(kind, { action, filter: { ids: [many], ...placeOf(state) }, token });

      expect([asList, await rowOf(kind, many), await logOf(kind, many)]).toEqual([
        alone,
        await rowOf(kind, one),
        await logOf(kind, one),
      ]);
    },
  );
});
