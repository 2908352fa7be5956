import type { Call } from "@metrum/contract/core";
import { taskStates } from "@metrum/contract/headend";
import { push } from "@metrum/contract/metering";
import { sql } from "kysely";
import { packSteps } from "#headend/exchanges";
import { engineer, inBranch, tieToStreet, type Branch } from "./branch.ts";
import { copyForOthers } from "./copies.ts";
import type { Fixture, Records } from "../records.ts";
import { makeVictim, makeVictims, makeWorlds, type World } from "./victims.ts";

/** A tied user with one thing of every kind in the branch, and what else there is. */
export interface SharedWorld {
  readonly branch: Branch;
  /** Things in the branch, each connected with the others. */
  readonly inside: Records;
  readonly worlds: Readonly<Record<string, World>>;
}

export async function makeSharedWorld(fixture: Fixture): Promise<SharedWorld> {
  const worlds = await makeWorlds(fixture.api);
  const { own } = worlds;
  if (!own) throw new Error("no own world");
  const branch = await tieToStreet(fixture, own);
  const inside = await inBranch(fixture, branch, kindsOf(fixture));
  await connect(fixture, { branch, inside });
  return { branch, inside, worlds };
}

/** Every kind of record. */
const kindsOf = ({ ours }: Fixture) =>
  (Object.keys(ours) as (keyof Records)[]).filter((kind) => kind !== "company");

/** When the device was read, and a time that a meter claims whose clock is far ahead. */
const readAt = 1_793_500_000;
const claimed = 1_900_000_000;

/** The device is behind the gateway, was read and asked, belongs to the task and the group, and measures the point. */
async function connect(
  { api }: Fixture,
  { branch: { own, user, street }, inside }: Pick<SharedWorld, "branch" | "inside">,
): Promise<void> {
  const { company } = own;
  const { device, gateway, baseStation, task, accountingPoint: point, object } = inside;
  const { system } = api.services.database;
  const put = (statement: ReturnType<typeof sql>) => statement.execute(system);
  await put(
    sql`update device set gateway_id = ${gateway}, base_station_id = ${baseStation} where id = ${device}`,
  );
  await put(onTheMap(object));
  await put(sql`update sheet_import set user_id = ${user}
    where id = any(${[inside.sheetImport, inside.rehearsedImport, inside.doneImport, inside.objectImport]}::int[])`);
  await put(sql`
    insert into device_task_item (task_id, device_id, company_id, created_at, status_id, result)
    select id, ${device}, ${company}, created_at, 4, 1 from device_task where id = ${task}`);
  await put(sql`
    insert into device_command (company_id, task_id, device_id, key, arguments, actuates, switches_off, state, created_at,
      expires_at, next_at, ended_at)
    values (${company}, ${task}, ${device}, 'now_value', '{}', false, false, 'done', 1793491200, 1793499999, 0, 1793495000)`);
  await put(sql`insert into poll_group_device (device_id, group_id, company_id)
    values (${device}, ${inside.pollGroup}, ${company})`);
  await put(sql`insert into device_attribute (company_id, device_id, name, value)
    values (${company}, ${device}, 'Feeder', '4')`);
  await put(sql`insert into object_attribute (object_id, company_id, name, value)
    values (${street}, ${company}, 'Year', '1987')`);
  await put(sql`
    insert into transparent_port (company_id, device_id, user_id, session_id, address, line, process_id, state, asked_at, ends_at)
    values (${company}, ${device}, ${user}, 1, '192.0.2.1', 'line', 1, 'closed', 1793491200, 1793499999)`);
  await put(sql`insert into point_device (point_id, company_id, device_id, field, from_ts)
    values (${point}, ${company}, ${device}, 'tariff0', 1767225600)`);
  await put(sql`
    insert into point_term (point_id, company_id, kind, from_ts, consumer_id, supplier_id, transformer_id)
    values (${point}, ${company}, 'consumer', 0, ${inside.consumer}, null, null),
      (${point}, ${company}, 'supplier', 0, null, ${inside.supplier}, null),
      (${point}, ${company}, 'current_transformer', 0, null, null, ${inside.transformer})`);
  await put(sql`update period_total set point_id = ${point} where period_id = ${inside.settlementPeriod}`);
  await put(sql`
    insert into poll_log (device_id, started_ms, kind, result, tries, duration_ms, line, steps)
    values (${device}, ${readAt * 1000}, 1, 0, 1, 10, 'line', ${packSteps([])})`);
  const readings = [readAt, claimed].map((time) => ({ device_id: device, time, values: { tariff1: 5 } }));
  await api.ask(push.readings, { token: await api.token(engineer), input: { body: { readings } } });
}

const onTheMap = (object: number) =>
  sql`update object_node set address = '{"coordinates": [49.5, 106]}' where id = ${object}`;

/**
 * Others get what the branch has: copies of its devices and points that share the rest with them, and things of their
 * own of every kind.
 */
export async function addOthers(fixture: Fixture, { branch }: SharedWorld): Promise<void> {
  const { system } = fixture.api.services.database;
  const { rows: nodes } = await sql<{ id: number }>`
    select id from object_branch(array[${branch.street}::int]) as id`.execute(system);
  const { rows: devices } = await sql<{ id: number }>`
    select device_id as id from object_item
    where device_id is not null and object_id = any(${nodes.map(({ id }) => id)}::int[])`.execute(system);
  const { rows: points } = await sql<{ id: number }>`
    select id from accounting_point where object_id = any(${nodes.map(({ id }) => id)}::int[])`.execute(
    system,
  );
  const elsewhere = await makeVictim(fixture.api, branch.own, "object");
  await onTheMap(elsewhere).execute(system);
  await copyForOthers(system, {
    devices: devices.map(({ id }) => id),
    points: points.map(({ id }) => id),
    objects: new Map(nodes.map(({ id }) => [id, elsewhere])),
  });
  const { device, pollGroup } = await makeVictims(fixture.api, branch.own, kindsOf(fixture));
  // A group without devices is everybody's.
  await sql`insert into poll_group_device (device_id, group_id, company_id)
    values (${device}, ${pollGroup}, ${branch.own.company})`.execute(system);
}

/** Companies below, beside and above the own one get things of every kind, except services, which are common to all. */
export async function addForeign(fixture: Fixture, { worlds }: SharedWorld): Promise<void> {
  for (const name of ["child", "sibling", "parent"]) {
    const world = worlds[name];
    if (!world) throw new Error(`no ${name}`);
    const kinds = kindsOf(fixture).filter((kind) => kind !== "companyService");
    await makeVictims(fixture.api, world, kinds);
  }
}

/** Devices and points of the company that the tied user does not see. */
export async function hiddenFrom({ api }: Fixture, { own, user }: Branch) {
  const { rows } = await sql<{ devices: number[]; points: number[] }>`
    with seen as (
      select device_id from object_item where device_id is not null and object_id in (
        select id from object_branch(array(select object_id from object_user where user_id = ${user}::int)) as id)
      union all select device_id from device_user where user_id = ${user}::int
    )
    select array(select id from device where company_id = ${own.company} and id not in (select device_id from seen)) as devices,
      array(select id from accounting_point p where company_id = ${own.company}
        and (object_id is null or object_id not in (
          select id from object_branch(array(select object_id from object_user where user_id = ${user}::int)) as id))
        and not exists (select from point_device t where t.point_id = p.id and t.to_ts is null
          and t.device_id in (select device_id from seen))) as points`.execute(api.services.database.system);
  return rows[0] ?? { devices: [], points: [] };
}

/** The devices of a task wait again. */
export async function openTask({ api }: Fixture, id: number): Promise<void> {
  const { id: queued } = taskStates.queued;
  const { system } = api.services.database;
  await sql`update device_task set status_id = ${queued}, ended_at = null, done_count = null, failed_count = null
    where id = ${id}`.execute(system);
  await sql`update device_task_item set status_id = ${queued}, result = null, ended_at = null
    where task_id = ${id}`.execute(system);
}

/** Users who see the whole company, because they are tied to nothing. */
export async function untiedUsers({ api }: Fixture, { own }: Branch): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from users where company_id = ${own.company} and not exists (select from device_user where user_id = users.id)
      and not exists (select from object_user where user_id = users.id) order by id`.execute(
    api.services.database.system,
  );
  return rows.map(({ id }) => id);
}

/** Whether a call only shows something. */
export function isReading({ id, method, right }: Call): boolean {
  if (id === "device.tieUser") return false;
  return !/update|create|delete/.test(right ?? "") && (method === "GET" || !/admin/.test(right ?? ""));
}

/** How a thing of the branch comes to hold something of others too. */
const sharing: Partial<
  Record<
    keyof Records,
    (id: number, of: { device: number; point: number; company: number }) => ReturnType<typeof sql>
  >
> = {
  gateway: (id, { device }) => sql`update device set gateway_id = ${id} where id = ${device}`,
  trashedGateway: (id, { device }) => sql`update device set gateway_id = ${id} where id = ${device}`,
  baseStation: (id, { device }) => sql`update device set base_station_id = ${id} where id = ${device}`,
  trashedBaseStation: (id, { device }) => sql`update device set base_station_id = ${id} where id = ${device}`,
  task: (id, { device, company }) => sql`
    insert into device_task_item (task_id, device_id, company_id, created_at, status_id, result)
    select id, ${device}, ${company}, created_at, status_id, 1 from device_task where id = ${id}`,
  pollGroup: (id, { device, company }) => sql`
    insert into poll_group_device (device_id, group_id, company_id) values (${device}, ${id}, ${company})`,
  balanceGroup: (id, { point, company }) => sql`
    insert into balance_group_point (group_id, company_id, point_id, role) values (${id}, ${company}, ${point}, 'out')`,
  transformer: (id, { point, company }) => sql`
    insert into point_term (point_id, company_id, kind, from_ts, transformer_id)
    values (${point}, ${company}, 'current_transformer', 0, ${id})`,
  accountingPoint: (id, { device, company }) => sql`
    insert into point_device (point_id, company_id, device_id, field, from_ts, to_ts)
    values (${id}, ${company}, ${device}, 'tariff0', 1700000000, 1700003600)`,
};

/** Things of the branch for one act, as far as they are shared with others. */
export async function recordsToActOn(
  fixture: Fixture,
  branch: Branch,
  { kinds, areShared }: { readonly kinds: ReadonlySet<keyof Records>; readonly areShared: boolean },
): Promise<Records> {
  const { api } = fixture;
  const { system } = api.services.database;
  const { own, user } = branch;
  const records = await inBranch(fixture, branch, kinds);
  const imports = (["sheetImport", "rehearsedImport", "doneImport"] as const).map((kind) =>
    kinds.has(kind) ? records[kind] : 0,
  );
  await sql`update sheet_import set user_id = ${user} where id = any(${imports}::int[])`.execute(system);
  if (!areShared) return records;
  for (const kind of kinds)
    await sharing[kind]?.(records[kind], {
      device: await makeVictim(api, own, "device"),
      point: await makeVictim(api, own, "accountingPoint"),
      company: own.company,
    }).execute(system);
  return records;
}
