import { objectMap } from "@metrum/contract/accounting";
import { call, Nothing, pathOf, type Call, type ReplyOf } from "@metrum/contract/core";
import { serve } from "../../apps/server/src/core/index.ts";
import { startApi, type BenchApi } from "../api.ts";
import { seedList } from "./deviceListSeed.ts";
import { applyLoad, type Request } from "../load.ts";
import { atMost, median, percentile, reported, type Bench, type Figure } from "../report.ts";

const samples = 30;
/** A viewport opens in the time in which a cold list of devices does. */
const limitMs = 400;

const calls = {
  empty: call({
    id: "bench.empty",
    method: "POST",
    path: "bench/empty",
    right: "6:read|6:access_all",
    reach: "branch",
    summary: "Nothing but one statement in a transaction",
    reply: Nothing,
  }),
};

export const bench: Bench = {
  title: "the map of 100,000 objects with coordinates, each with a device",
  async run() {
    const api = await startApi([
      {
        name: "bench",
        calls: (on) =>
          serve(on, calls, {
            empty: async (_, ctx) => {
              await ctx.db.selectFrom("company").select("id").where("id", "=", ctx.scope.companyId).execute();
              return {};
            },
          }),
      },
    ]);
    try {
      await seedList(api);
      await seedPlaces(api);
      return await viewports(api);
    } finally {
      await api.stop();
    }
  },
};

/** 20 cities of 50 streets of 100 houses with coordinates; the devices stand at the houses. */
async function seedPlaces({ services, companyId }: BenchApi): Promise<void> {
  const { pool } = services.database;
  const below = async (parents: readonly number[], each: number, type: string, place: string) => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into object_node (company_id, parent_id, sort, name, type, address)
        select $1::int, p.id, n, initcap($4) || ' ' || n, $4, ${place}
        from unnest($2::int[]) as p (id), generate_series(1, $3::int) n returning id`,
      [companyId, parents, each, type],
    );
    return rows.map(({ id }) => id);
  };
  const { rows } = await pool.query<{ id: number }>(
    `insert into object_node (company_id, sort, name, type)
      select $1::int, n, 'City ' || n, 'city' from generate_series(1, 20) n returning id`,
    [companyId],
  );
  const streets = await below(
    rows.map(({ id }) => id),
    50,
    "street",
    "null::jsonb",
  );
  await below(
    streets,
    100,
    "house",
    `jsonb_build_object('unrestricted_value', 'House ' || n, 'coordinates', jsonb_build_array(
      44 + (p.id / 50 % 20) * 0.4 + p.id % 50 * 0.002 + n % 10 * 0.0001,
      90 + (p.id / 50 * 7 % 20) + n * 0.0003))`,
  );
  await pool.query(
    `insert into object_item (object_id, company_id, device_id, is_counted)
      select o.id, $1::int, d.id, d.deleted_at is null and not d.is_archived
      from (select id, deleted_at, is_archived, row_number() over (order by id) as at from device where company_id = $1) d
        join (select id, row_number() over (order by id desc) as at from object_node where company_id = $1) o
          on o.at = d.at`,
    [companyId],
  );
  await pool.query("vacuum analyze");
}

const request = (api: BenchApi, definition: Call, body?: object): Request => ({
  method: definition.method === "GET" ? "GET" : "POST",
  path: `/api/${pathOf(definition)}`,
  token: api.token,
  ...(body ? { body } : {}),
});

async function answer<C extends Call>(api: BenchApi, definition: C, body: object): Promise<ReplyOf<C>> {
  const { data } = (await (
    await fetch(`http://127.0.0.1:${String(api.port)}/api/${pathOf(definition)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  ).json()) as { data: ReplyOf<C> };
  return data;
}

async function viewports(api: BenchApi): Promise<Figure[]> {
  const start = await answer(api, objectMap.start, {});
  const world = { south: -85, west: -180, north: 85, east: 180 };
  const country = start.bounds ?? world;
  const around = (size: number) =>
    Array.from({ length: 20 }, (_, n) => {
      const [south, west] = [44 + (n % 20) * 0.4, 90 + ((n * 7) % 20)];
      return { south, west, north: south + size, east: west + size };
    });
  const views = (zoom: number, rectangles: readonly object[]) =>
    rectangles.map((rectangle) => request(api, objectMap.view, { ...rectangle, zoom }));
  const cases: readonly [string, readonly Request[]][] = [
    ["the world", views(2, [world])],
    ["all objects", views(5.5, [country])],
    [
      "all objects that are silent",
      [request(api, objectMap.view, { ...country, zoom: 5.5, states: ["silent"] })],
    ],
    ["a city", views(12, around(0.1))],
    ["some streets", views(16, around(0.008))],
    ["the list beside a city", around(0.1).map((each) => request(api, objectMap.list, each))],
    ["the start", [request(api, objectMap.start, {})]],
    ["GET objects/map, 10,000 objects", [request(api, objectMap.all)]],
  ];
  const p95 = async (requests: readonly Request[]): Promise<[number, number]> => {
    await applyLoad({ port: api.port, requests, connections: 1, count: 5 });
    const { times } = await applyLoad({ port: api.port, requests, connections: 1, count: samples });
    return [percentile(times.flat(), 0.95), median(times.flat())];
  };
  const [empty] = await p95([request(api, calls.empty, {})]);
  const seen = await answer(api, objectMap.view, { ...country, zoom: 5.5 });
  const figures = [
    reported("objects with coordinates", start.total, ""),
    reported("silent, partly silent, on time", seen.counts.silent + seen.counts.partly + seen.counts.ok, ""),
    reported("silent ones", seen.counts.silent, ""),
    reported("clusters of all", seen.clusters.length, ""),
    reported("an empty call, p95", empty, "ms"),
  ];
  for (const [title, requests] of cases) {
    const [slow, usual] = await p95(requests);
    figures.push(atMost(`${title} (p50 ${String(Number(usual.toPrecision(3)))}), p95`, slow, "ms", limitMs));
  }
  return figures;
}
