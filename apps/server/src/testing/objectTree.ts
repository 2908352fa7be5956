import { objects, objectTies, type TreeObject } from "@metrum/contract/accounting";
import type { Call, InputOf, ReplyOf } from "@metrum/contract/core";
import { sql } from "kysely";
import { openTestApi, type Answer, type TestApi, type TestApiOptions } from "./api.ts";
import { makeFixture, type Fixture } from "./records.ts";

type Build = InputOf<typeof objects.buildTree>["body"];

/** A platform whose engineer works on the objects tree, with what its tests do all the time. */
export interface TreeApi {
  readonly api: TestApi;
  readonly fixture: Fixture;
  readonly token: string;
  readonly ask: <C extends Call>(
    call: C,
    body?: InputOf<C>["body"],
    params?: object,
  ) => Promise<Answer<ReplyOf<C>>>;
  /** Adds a node, at the top or below another, and returns its id. */
  readonly add: (name: string, parent_id?: string | null, more?: object) => Promise<string>;
  readonly get: (id: string) => Promise<ReplyOf<typeof objects.get>>;
  readonly move: (_id: string, parent_id: string | null) => Promise<Answer<ReplyOf<typeof objects.update>>>;
  readonly build: (body: Build) => Promise<readonly TreeObject[]>;
  /** Children, nodes below, devices, devices below. */
  readonly counts: (id: string) => Promise<number[]>;
  readonly aDevice: () => Promise<number>;
  readonly tie: (object_id: string, ...device_ids: number[]) => Promise<Answer<unknown>>;
  /** Nodes with a counter that differs from what is really there. */
  readonly wrongCounters: () => Promise<unknown[]>;
}

export async function openTree(options: TestApiOptions = {}): Promise<TreeApi> {
  const api = await openTestApi(options);
  const fixture = await makeFixture(api);
  const token = await api.token("engineer@metrum.example");
  const ask: TreeApi["ask"] = (call, body, params) =>
    api.ask(call, {
      token,
      input: { body: body ?? {}, ...(params ? { params } : {}) } as InputOf<typeof call>,
    });
  const get: TreeApi["get"] = async (object_id) => (await ask(objects.get, { object_id })).data;
  return {
    api,
    fixture,
    token,
    ask,
    get,
    async add(name, parent_id = null, more = {}) {
      const answer = await ask(objects.add, { name, parent_id, ...more });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.data.object._id;
    },
    move: (_id, parent_id) => ask(objects.update, { _id, parent_id }),
    build: async (body) => (await ask(objects.buildTree, body)).data.tree,
    async counts(id) {
      const { childs_count, nodes_below, devices_info, childs_devices_info } = (await get(id)).object;
      return [childs_count, nodes_below, devices_info.devices, childs_devices_info.devices];
    },
    aDevice: () => aDevice(api),
    tie: (object_id, ...device_ids) => ask(objectTies.tieDevices, { object_id, device_ids }),
    wrongCounters: () => wrongCounters(api),
  };
}

async function aDevice({ companies, services }: TestApi): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
    values (${companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, 'Meter', gen_random_uuid()::text) returning id`.execute(
    services.database.system,
  );
  return rows[0]?.id ?? 0;
}

async function wrongCounters({ services }: TestApi): Promise<unknown[]> {
  const { rows } = await sql`
    with recursive pair as (
      select id as top, id, 0 as distance from object_node
      union all select top, n.id, distance + 1 from pair join object_node n on n.parent_id = pair.id
    ), truth as (
      select top, count(distinct pair.id) filter (where distance = 1) as childs, count(distinct pair.id) - 1 as below,
        count(i.device_id) filter (where distance = 0) as d, count(i.device_id) filter (where distance > 0) as db,
        count(i.gateway_id) filter (where distance = 0) as g, count(i.gateway_id) filter (where distance > 0) as gb,
        count(i.base_station_id) filter (where distance = 0) as s, count(i.base_station_id) filter (where distance > 0) as sb,
        (select count(*) from accounting_point where object_id = top) as p,
        (select count(*) from accounting_point a join pair q on q.id = a.object_id where q.top = pair.top and q.distance > 0) as pb
      from pair left join object_item i on i.object_id = pair.id and coalesce(
        (select deleted_at is null and not is_archived from device where id = i.device_id),
        (select deleted_at is null and not is_archived from gateway where id = i.gateway_id),
        (select deleted_at is null and not is_archived from base_station where id = i.base_station_id))
      group by top
    )
    select n.id, n.name, truth.* from object_node n join truth on truth.top = n.id
    where (childs_count, nodes_below, devices, devices_below, gateways, gateways_below, base_stations, base_stations_below,
        points, points_below)
      <> (childs, below, d, db, g, gb, s, sb, p, pb)`.execute(services.database.system);
  return rows;
}
