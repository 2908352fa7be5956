import { devices, deviceSortFields, type DeviceListInput, type DeviceState } from "@metrum/contract/metering";
import type { CompanyId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scope } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { few, findQuery, pageQuery, type DevicePage } from "./listStore.ts";

/** Enough for lists that are read in index order, and for plans like those of a hundred thousand. */
const many = 15_000;
const now = 1_790_000_000;
let api: TestApi;
let token: string;
let monotonicMs = 0;

interface Row {
  readonly id: number;
  readonly name: string;
  readonly place: string;
  readonly deviceID: string;
  readonly model: string;
  readonly interface_id: number;
  readonly device_group_id: number;
  readonly last_data_at: number | null;
  readonly inside_addr: string;
  readonly created_at: number;
  readonly state: DeviceState;
  readonly archived: boolean;
}
let everything: readonly Row[];
/** Those that are listed unless the archive is requested. */
let rows: readonly Row[];

beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, monotonicMs: () => monotonicMs } });
  token = await api.token("engineer@metrum.example");
  const { system } = api.services.database;
  for (const [companyId, count] of [
    [api.companies.first, many],
    [api.companies.second, 500],
  ] as const)
    await sql`
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, place,
        "deviceID", is_active, is_archived, inside_addr, created_at)
      select ${companyId}, 101, 'Model ' || n % 3, 1 + n % 4, 3, 4 + n % 2, 'Meter ' || n * 7919 % 15013, 'House ' || n % 97,
        lpad((n * 31 % 15017)::text, 8, '0'), n % 20 <> 1, n % 50 = 2, (n % 247)::text,
        to_timestamp(1700000000 + n % 5000)
      from generate_series(1, ${count}::int) n
    `.execute(system);
  await sql`
    update device_state set last_data_at = ${now}::int - device_id % 600, silent_at = ${now}::int - device_id % 600 + 550
    where device_id % 11 <> 3
  `.execute(system);
  await sql`vacuum analyze device, device_state`.execute(system);
  const found = await sql<Row>`
    select device.id, name, place, "deviceID", model_title as model, interface_id, device_group_id, last_data_at,
      is_archived as archived, inside_addr, extract(epoch from created_at)::int as created_at,
      case when not is_active then 'off' when last_data_at is null then 'never'
        when silent_at <= ${now} then 'silent' else 'on_time' end as state
    from device join device_state on device_id = device.id where device.company_id = ${api.companies.first}
  `.execute(system);
  everything = found.rows;
  rows = everything.filter(({ archived }) => !archived);
});
afterAll(() => api.close());

const listed = async (body: DeviceListInput) => {
  const answer = await api.ask(devices.list, { token, input: { body: { per_page: 25, ...body } } });
  expect(answer.status, answer.text).toBe(200);
  return answer.data.metering_devices;
};

type Field = (typeof deviceSortFields)[number];
function compare(field: Field): (a: Row, b: Row) => number {
  return (a, b) => {
    const [left, right] = [a[field], b[field]];
    if (left === right) return a.id - b.id;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right ? -1 : 1;
  };
}

describe("a list of many devices", () => {
  it.each(deviceSortFields)("is sorted by %s both ways, page by page", async (field) => {
    const up = [...rows].sort(compare(field)).map(({ id }) => id);

    const first = await listed({ sort_field: field, sort: "asc" });
    const second = await listed({ sort_field: field, sort: "asc", page: 2 });
    const last = await listed({ sort_field: field, sort: "desc" });

    expect([...first.data, ...second.data].map((row) => row.id)).toEqual(up.slice(0, 50));
    expect(last.data.map((row) => row.id)).toEqual(up.reverse().slice(0, 25));
    expect(first.total).toBe(rows.length);
  });

  const filters: readonly (readonly [string, DeviceListInput, (row: Row) => boolean])[] = [
    ["active", { device_state: "active" }, (row) => row.state !== "off"],
    ["not archived", { is_archived: false }, (row) => !row.archived],
    ["archived", { is_archived: true }, (row) => row.archived],
    ["of three groups", { device_group_id: [1, 2, 3] }, (row) => row.device_group_id < 4],
    ["on time", { fields_filter: { state: ["on_time"] } }, (row) => row.state === "on_time"],
    ["silent", { fields_filter: { state: ["silent"] } }, (row) => row.state === "silent"],
    [
      "on time, silent or off",
      { fields_filter: { state: ["on_time", "silent", "off"] } },
      (row) => row.state !== "never",
    ],
    ["never heard of", { fields_filter: { state: ["never"] } }, (row) => row.state === "never"],
    [
      "never heard of or off",
      { fields_filter: { state: ["never", "off"] } },
      (row) => /never|off/.test(row.state),
    ],
    ["in any state", { fields_filter: { state: ["on_time", "silent", "never", "off"] } }, () => true],
    ["found by what all have", { search_string: "METER" }, () => true],
    ["found by what few have", { search_string: "r 1499" }, (row) => row.name.startsWith("Meter 1499")],
    ["found by what all have", { search_string: "meter" }, () => true],
    ["found by what many have", { search_string: "meter 1" }, (row) => row.name.startsWith("Meter 1")],
    [
      "active and found by what most have",
      { search_string: "00", device_state: "active" },
      (row) => row.state !== "off" && row.deviceID.includes("00"),
    ],
  ];
  it.each(filters)("returns those that are %s, in any order", async (_, filter, belongs) => {
    const kept = (filter.is_archived ? everything : rows).filter(belongs);

    for (const field of ["name", "last_data_at"] as const) {
      const page = await listed({ ...filter, sort_field: field, sort: "asc" });
      expect(page.total).toBe(kept.length);
      const wanted = [...kept].sort(compare(field)).slice(0, 25);
      expect(page.data.map((row) => row.id)).toEqual(wanted.map(({ id }) => id));
    }
  });

  it.each(["asc", "desc"] as const)(
    "pages by name %s through what many have, counted or known",
    async (sort) => {
      const found = rows
        .filter(({ name }) => name.includes("Meter 1"))
        .sort(compare("name"))
        .map(({ id }) => id);
      const wanted = sort === "asc" ? found : found.reverse();
      // The second time the total is known. The last page of these is read in another way.
      for (const page of [1, 2, 1, 2, 4, 6])
        for (const per_page of [25, 250]) {
          const { data, total } = await listed({ search_string: "meter 1", sort, page, per_page });
          expect(total).toBe(wanted.length);
          expect(data.map(({ id }) => id)).toEqual(wanted.slice((page - 1) * per_page, page * per_page));
        }
    },
  );

  it("shows the new total at once after a switch, and changes of others within two seconds", async () => {
    const before = await listed({ device_state: "active" });
    const id = before.data[0]?.id ?? 0;
    await api.ask(devices.switch, {
      token,
      input: { params: { id: String(id) }, body: { is_active: false } },
    });
    const switched = await listed({ device_state: "active" });
    await sql`update device set is_active = true where id = ${id}`.execute(api.services.database.system);
    monotonicMs += 2_001;
    const later = await listed({ device_state: "active" });

    expect(before.total).toBeGreaterThan(few);
    expect(switched.total).toBe(before.total - 1);
    expect(later.total).toBe(before.total);
  });
});

describe("the plan of", () => {
  const pageOf = (given: Partial<DevicePage>): DevicePage => ({
    filter: {},
    modelIds: undefined,
    sort_field: "name",
    sort: "asc",
    limit: 25,
    offset: 0,
    now,
    ...given,
  });
  const scope = (): Scope => ({
    companyId: api.companies.first,
    companyPath: "1",
    userId: 1 as UserId,
    access: {
      is_admin: true,
      is_platform: false,
      rules: { create: [], read: [], update: [], delete: [], access_all: [] },
    },
    onlyTiedDevices: false,
    timeZone: "Asia/Ulaanbaatar",
  });

  const state = (...states: DeviceState[]) => ({ fields_filter: { state: states } });
  const cases: readonly (readonly [string, () => ReturnType<typeof findQuery>])[] = [
    ["a total", () => findQuery(scope(), pageOf({}), false)],
    [
      "a filtered total",
      () => findQuery(scope(), pageOf({ filter: { model_id: 101, device_state: "active" } }), false),
    ],
    ["a total of a state", () => findQuery(scope(), pageOf({ filter: state("on_time") }), false)],
    ["a rare search", () => findQuery(scope(), pageOf({ filter: { search_string: "1499" } }), true)],
  ];
  it.each(cases)("%s", async (_, query) => {
    const { text, tables } = await planOf(query());

    expect(text).toMatchSnapshot();
    expect(tables).not.toContain("Seq Scan");
  });

  it.each([
    ["a page by name", pageOf({}), null],
    ["a page by last data", pageOf({ sort_field: "last_data_at", sort: "desc" }), null],
    ["a page of a frequent search", pageOf({ filter: { search_string: "meter" } }), null],
    ["a page of a state", pageOf({ filter: state("on_time") }), null],
    ["a page of few", pageOf({}), "{1,2,3}"],
  ] as const)("%s", async (_, page, ids) => {
    const { text, tables } = await planOf(pageQuery(scope(), page, ids));

    expect(text).toMatchSnapshot();
    expect(tables).not.toContain("Seq Scan");
  });

  it("UI-068: a page of thousands reads some hundreds of rows, however it is sorted and searched", async () => {
    for (const sort_field of deviceSortFields)
      for (const sort of ["asc", "desc"] as const)
        for (const filter of [{}, { search_string: "meter" }, { search_string: "00" }]) {
          const query = pageQuery(scope(), pageOf({ sort_field, sort, filter }), null);
          const read = await rowsRead(query, api.companies.first);

          expect([sort_field, sort, filter, read >= 25 && read < 1_000]).toEqual([
            sort_field,
            sort,
            filter,
            true,
          ]);
        }
  });
});

interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Node[];
}

/**
 * The statement, and how its plan reads the tables of devices, as the role of the API. Which suitable index
 * is used depends on vacuum during other tests, so only the kind of access is checked.
 */
async function planOf(query: { compile: ReturnType<typeof findQuery>["compile"] }) {
  const { sql: text, parameters } = query.compile(api.services.database.system);
  const plan = await explained(text, parameters, { company: api.companies.first, how: "format json" });
  const accessTo = (node: Node): string[] => [
    ...(node["Relation Name"]?.startsWith("device") ? [node["Node Type"]] : []),
    ...(node.Plans ?? []).flatMap(accessTo),
  ];
  return { text: text.replaceAll(/\s*\n\s*/g, "\n").trim(), tables: plan ? accessTo(plan) : ["no plan"] };
}

/** Rows of the tables of devices that a statement reads, those that it drops included. */
async function rowsRead(query: { compile: ReturnType<typeof findQuery>["compile"] }, company: CompanyId) {
  const { sql: text, parameters } = query.compile(api.services.database.system);
  const plan = await explained(text, parameters, { company, how: "analyze, timing off, format json" });
  const readBy = (node: Node): number => {
    const {
      "Actual Rows": rows = 0,
      "Actual Loops": loops = 0,
      "Rows Removed by Filter": dropped = 0,
    } = node;
    const own = node["Relation Name"]?.startsWith("device") ? (rows + dropped) * loops : 0;
    return (node.Plans ?? []).reduce((sum, each) => sum + readBy(each), own);
  };
  return plan ? readBy(plan) : Number.NaN;
}

async function explained(
  text: string,
  parameters: readonly unknown[],
  { company, how }: { readonly company: CompanyId; readonly how: string },
): Promise<Node | undefined> {
  const client = await api.services.database.pool.connect();
  await client.query(
    `begin; set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0;
      select set_config('metrum.company', id::text, true), set_config('metrum.company_path', path::text, true)
        from company where id = ${String(company)};
      set local role metrum_api`,
  );
  const { rows: found } = await client.query<{ "QUERY PLAN": readonly { Plan: Node }[] }>(
    `explain (${how}) ${text}`,
    [...parameters],
  );
  client.release(true);
  return found[0]?.["QUERY PLAN"][0]?.Plan;
}
