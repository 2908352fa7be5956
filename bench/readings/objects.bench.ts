import { objects } from "@metrum/contract/accounting";
import { call, Nothing, pathOf } from "@metrum/contract/core";
import { serve } from "../../apps/server/src/core/index.ts";
import { startApi, type BenchApi } from "../api.ts";
import { seedList } from "./deviceListSeed.ts";
import { applyLoad, type Request } from "../load.ts";
import { atMost, median, percentile, reported, type Bench, type Figure } from "../report.ts";
import { followStatements, type Statements } from "../statements.ts";

const samples = 300;
const limitOfMoveMs = 20;
const timesEmpty = 3;
const moves = 40;

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
  title:
    "the objects tree of 100,000 nodes with 100,000 devices: levels, search, and moves of a branch of 5,000",
  async run() {
    const statements = followStatements();
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
      const tree = await seedTree(api);
      return [...(await levels(api, tree)), ...(await moved(api, tree, statements))];
    } finally {
      await api.stop();
    }
  },
};

interface Tree {
  readonly tops: readonly number[];
  readonly streets: readonly number[];
  /** A branch of 5,000 nodes, and the two districts between which it moves. */
  readonly branch: number;
  readonly places: readonly [number, number];
}

/**
 * Ten cities of ten districts; a district has about twenty streets of fifty houses. A branch of 5,000 nodes hangs on the first district.
 */
async function seedTree({ services, companyId }: BenchApi): Promise<Tree> {
  const { pool } = services.database;
  const below = async (parents: readonly number[], each: number, name: string): Promise<number[]> => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into object_node (company_id, parent_id, sort, name, address)
        select $1::int, p.id, n, $3 || ' ' || (p.id * 7919 + n) % 10007, jsonb_build_object('unrestricted_value', $3 || ', ' || n)
        from unnest($2::int[]) as p (id), generate_series(1, $4::int) n returning id`,
      [companyId, parents, name, each],
    );
    return rows.map(({ id }) => id);
  };
  const { rows } = await pool.query<{ id: number }>(
    "insert into object_node (company_id, sort, name) select $1::int, n, 'City ' || n from generate_series(1, 10) n returning id",
    [companyId],
  );
  const tops = rows.map(({ id }) => id);
  const districts = await below(tops, 10, "District");
  const streets = await below(districts, 19, "Street");
  await below(streets, 49, "House");
  const [branch = 0] = await below(districts.slice(0, 1), 1, "Branch");
  const parts = await below([branch], 49, "Part");
  await below(parts, 101, "Flat");
  await pool.query(
    `insert into object_item (object_id, company_id, device_id, is_counted)
      select o.id, $1::int, d.id, d.deleted_at is null and not d.is_archived
      from (select id, deleted_at, is_archived, row_number() over (order by id) as at from device where company_id = $1) d
        join (select id, row_number() over (order by id desc) as at from object_node where company_id = $1) o
          on o.at = d.at`,
    [companyId],
  );
  // Counters as a recount makes them: nodes bottom up; those of devices came by the trigger.
  await pool.query(
    `with recursive pair as (
        select id as top, id, 0 as distance from object_node
        union all select top, n.id, distance + 1 from pair join object_node n on n.parent_id = pair.id
      )
      update object_node n set childs_count = c.childs, nodes_below = c.below
      from (select top, count(*) filter (where distance = 1) as childs, count(*) - 1 as below from pair group by top) c
      where c.top = n.id`,
  );
  await pool.query("vacuum analyze");
  return { tops, streets, branch, places: [districts[0] ?? 0, districts[57] ?? 0] };
}

async function levels(api: BenchApi, { tops, streets }: Tree): Promise<Figure[]> {
  const { data } = (await (
    await fetch(`http://127.0.0.1:${String(api.port)}/api/${pathOf(objects.export)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
      body: JSON.stringify({ per_page: 10 }),
    })
  ).json()) as { data: { objects: { total: number } } };
  const of = (body: object): Request => ({
    method: "POST",
    path: `/api/${pathOf(objects.buildTree)}`,
    token: api.token,
    body: { with_descendants: false, ...body },
  });
  const p95 = async (requests: readonly Request[]): Promise<[number, number]> => {
    await applyLoad({ port: api.port, requests, connections: 1, count: 50 });
    const { times } = await applyLoad({ port: api.port, requests, connections: 1, count: samples });
    return [percentile(times.flat(), 0.95), median(times.flat())];
  };
  const [empty, emptyMedian] = await p95([
    { method: "POST", path: "/api/bench/empty", token: api.token, body: {} },
  ]);
  const limit = timesEmpty * empty;
  const figures = [
    reported("nodes of the tree", data.objects.total, ""),
    reported(`an empty call (p50 ${String(emptyMedian)}), p95`, empty, "ms"),
  ];
  const cases: readonly [string, readonly Request[], boolean][] = [
    ["the top", [of({})], true],
    ["districts of a city", tops.map((parent_id) => of({ parent_id })), true],
    ["houses of a street", streets.slice(0, 200).map((parent_id) => of({ parent_id })), true],
    ["search of 3 digits", ["123", "477", "908"].map((search_string) => of({ search_string })), false],
    ["search without a hit", ["xyz0", "xyz1"].map((search_string) => of({ search_string })), false],
    ["the top with statistics", [of({ with_stats: true })], false],
  ];
  for (const [title, requests, isLimited] of cases) {
    const [slow, usual] = await p95(requests);
    const what = `${title} (p50 ${shown(usual)}), p95`;
    figures.push(isLimited ? atMost(what, slow, "ms", limit) : reported(what, slow, "ms"));
  }
  return figures;
}

const shown = (value: number): string => String(Number(value.toPrecision(3)));

/** Milliseconds of each transaction: what its statements took together. */
function transactionsOf(sent: ReturnType<Statements["taken"]>): number[] {
  const sums: number[] = [];
  for (const { text, ms } of sent)
    if (/^begin/i.test(text)) sums.push(ms);
    else if (sums.length > 0) sums[sums.length - 1] = (sums.at(-1) ?? 0) + ms;
  return sums;
}

/** Moves by the call, with the time that their statements take in the database. */
async function moved(
  { services, port, token }: BenchApi,
  { branch, places }: Tree,
  statements: Statements,
): Promise<Figure[]> {
  const { pool } = services.database;
  const move = (at: number): Request => ({
    method: "POST",
    path: `/api/${pathOf(objects.update)}`,
    token,
    body: { _id: branch, parent_id: places[at % 2] },
  });
  const requests = [move(1), move(0)];
  await applyLoad({ port, requests, connections: 1, count: 10 });
  statements.taken();
  const { times } = await applyLoad({ port, requests, connections: 1, count: moves });
  const inDatabase = transactionsOf(statements.taken());
  const { rows } = await pool.query<{ below: number; from: number; to: number }>(
    `select (select nodes_below from object_node where id = $1) as below,
      (select nodes_below from object_node where id = $2) as from, (select nodes_below from object_node where id = $3) as to`,
    [branch, ...places],
  );
  const [row] = rows;
  return [
    reported("nodes below the branch that moves", row?.below ?? 0, ""),
    reported(
      `a move, whole call (p50 ${shown(median(times.flat()))}), p95`,
      percentile(times.flat(), 0.95),
      "ms",
    ),
    atMost(
      `a move, its statements with begin and commit (p50 ${shown(median(inDatabase))}), p95`,
      percentile(inDatabase, 0.95),
      "ms",
      limitOfMoveMs,
    ),
  ];
}
