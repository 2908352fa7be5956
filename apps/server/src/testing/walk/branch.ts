import { users } from "@metrum/contract/access";
import { objects, objectTies } from "@metrum/contract/accounting";
import { sql, type RawBuilder } from "kysely";
import type { Fixture, Records } from "../records.ts";
import { makeVictims, type World } from "./victims.ts";

/** A user of the own company who is tied to a street of its objects tree. */
export const tied = "operator@metrum.example";
/** Who sees the whole company. */
export const engineer = "engineer@metrum.example";

/** The branch of a tied user, and the company it is part of. */
export interface Branch {
  readonly own: World;
  readonly street: number;
  readonly user: number;
}

/** Ties the user to a new street, with as many rights as one may have: access_all on devices would lift the tie. */
export async function tieToStreet({ api }: Fixture, own: World): Promise<Branch> {
  await sql`update access_group set access_rules = jsonb_build_object('create', a, 'read', a, 'update', a, 'delete', a,
    'access_all', '[6]'::jsonb) from (select '[1, 2, 4, 5, 6, 7, 8]'::jsonb as a) m where name = 'Operators'`.execute(
    api.services.database.system,
  );
  const token = await api.token(engineer);
  const made = await api.ask(objects.add, { token, input: { body: { name: "Street", parent_id: null } } });
  const { data } = await api.ask(users.info, { token: await api.token(tied) });
  const street = Number(made.data.object._id);
  const user = data.user.id;
  await api.ask(objectTies.tieUser, {
    token,
    input: { params: { id: String(street) }, body: { user_id: user } },
  });
  return { own, street, user };
}

type Placing = (id: number, branch: Branch) => RawBuilder<unknown>;

const item =
  (column: "device_id" | "gateway_id" | "base_station_id"): Placing =>
  (id, { own, street }) =>
    sql`
    insert into object_item (object_id, company_id, ${sql.ref(column)}, is_counted)
    values (${street}, ${own.company}, ${id}, true)`;
const partyOf =
  (kind: string, column = `${kind}_id`): Placing =>
  (id, { own, street }) =>
    sql`
    with point as (
      insert into accounting_point (company_id, name, resource_type_id, timezone, object_id)
      values (${own.company}, 'Of the street', 3, 'Asia/Ulaanbaatar', ${street}) returning id
    )
    insert into point_term (point_id, company_id, kind, from_ts, ${sql.ref(column)})
    select id, ${own.company}, ${kind}, 0, ${id} from point`;

/** Kinds of records that stand in a branch or not, with the statement that brings one into the street. */
export const placing: Partial<Record<keyof Records, Placing>> = {
  device: item("device_id"),
  trashedDevice: item("device_id"),
  gateway: item("gateway_id"),
  trashedGateway: item("gateway_id"),
  baseStation: item("base_station_id"),
  trashedBaseStation: item("base_station_id"),
  object: (id, { street }) => sql`update object_node set parent_id = ${street} where id = ${id}`,
  accountingPoint: (id, { street }) =>
    sql`update accounting_point set object_id = ${street} where id = ${id}`,
  exception: (id, { street }) => sql`
    insert into object_item (object_id, company_id, device_id, is_counted)
    select ${street}, company_id, device_id, true from validation_exception where id = ${id}`,
  consumer: partyOf("consumer"),
  supplier: partyOf("supplier"),
  transformer: partyOf("current_transformer", "transformer_id"),
  balanceGroup: (id, { street }) => sql`
    update accounting_point set object_id = ${street}
    where id in (select point_id from balance_group_point where group_id = ${id})`,
  task: (id, { street }) => sql`
    insert into object_item (object_id, company_id, device_id, is_counted)
    select ${street}, company_id, device_id, true from device_task_item where task_id = ${id}`,
};

/** Records of these kinds inside of the branch, as far as they stand in one. */
export async function inBranch(
  { api }: Fixture,
  branch: Branch,
  kinds: Iterable<keyof Records>,
): Promise<Records> {
  const wanted = [...kinds];
  const records = await makeVictims(api, branch.own, wanted);
  for (const kind of wanted)
    await placing[kind]?.(records[kind], branch).execute(api.services.database.system);
  return records;
}
