import { meterModels } from "@metrum/catalogue";
import { deviceSortFields } from "@metrum/contract";
import { interfaces, resourceByKey } from "@metrum/vocabulary";
import { startApi, type BenchApi } from "./api.ts";
import { applyLoad } from "./load.ts";
import { atMost, median, percentile, reported, type Bench, type Figure } from "./report.ts";

const deviceCount = 100_000;
const asks = 60;
const warmUp = 5;

/** Every sort, every filter alone and with the two sorts that people use, searches of all kinds. */
function cases(modelIds: readonly number[], ids: readonly number[]): ReadonlyMap<string, object> {
  const sorts = deviceSortFields.flatMap((sort_field) =>
    (["asc", "desc"] as const).map((sort) => [`sort ${sort_field} ${sort}`, { sort_field, sort }] as const),
  );
  const filters = [
    ["active", { device_state: "active" }],
    ["inactive", { device_state: "inactive" }],
    ["archived", { is_archived: true }],
    ["deleted", { is_deleted: true }],
    ["model", { model_id: modelIds[0] }],
    ["rare model", { model_id: modelIds.at(-1) }],
    ["models", { model_id: modelIds.slice(0, 3) }],
    ["model option", { model_options: ["now_value"] }],
    ["interface", { interface_id: 4 }],
    ["group", { device_group_id: 1 }],
    ["gateway", { gateway_ids: [1] }],
    ["ids", { ids: ids.slice(0, 200) }],
    ...["on_time", "silent", "never", "off"].map(
      (state) => [`state ${state}`, { fields_filter: { state: [state] } }] as const,
    ),
    ["search 3 letters, all", { search_string: "met" }],
    ["search 3 digits", { search_string: "977" }],
    ["search one", { search_string: "00077777" }],
    ["search two words", { search_string: "house 77" }],
    ["search none", { search_string: "zzz" }],
  ] as const;
  const combined = filters.flatMap(([name, filter]) => [
    [name, filter] as const,
    [`${name}, newest data first`, { ...filter, sort_field: "last_data_at", sort: "desc" }] as const,
    [`${name}, by name`, { ...filter, sort_field: "name", sort: "asc" }] as const,
  ]);
  return new Map<string, object>([...sorts, ...combined]);
}

export const bench: Bench = {
  title: "first page of the device list at 100,000 devices against a key lookup over the same API",
  async run() {
    const api = await startApi();
    try {
      const { modelIds, ids } = await seed(api);
      const get = { method: "GET", path: `/api/device/metering_device/${String(ids[77_777])}` };
      const named = [...cases(modelIds, ids)];
      const lists = named.map(([, body]) => ({
        method: "POST",
        path: "/api/device/metering_devices",
        body: { page: 1, per_page: 25, ...body },
      }));
      // In turns, so that what else the machine does meets all alike; the first rounds only warm up.
      const requests = [get, ...lists].map((request) => ({ ...request, token: api.token }));
      const { times } = await applyLoad({
        port: api.port,
        requests,
        connections: 1,
        count: requests.length * (warmUp + asks),
      });
      const [lookups, ...listed] = times.map((each) => each.slice(warmUp));
      const lookup = median(lookups ?? []);
      const all = listed.flat();
      const slowest = named.map(([name], at) => ({ name, p95: percentile(listed[at] ?? [], 0.95) }));
      slowest.sort((a, b) => b.p95 - a.p95);
      return [
        reported("key lookup, p50", lookup, "ms"),
        reported("list, p50 over all cases", median(all), "ms"),
        ...slowest.slice(0, 8).map(({ name, p95 }): Figure => reported(`  p95 of "${name}"`, p95, "ms")),
        atMost(`p95 over all ${String(slowest.length)} cases together`, percentile(all, 0.95), "ms", 30),
        atMost("p95 of the slowest case", slowest[0]?.p95 ?? 0, "ms", 30),
        atMost("p95 of the slowest case, of the key lookup", (slowest[0]?.p95 ?? 0) / lookup, "x", 10),
      ];
    } finally {
      await api.stop();
    }
  },
};

/** A company as large as one can be: most devices speak, some are silent, never spoke, are off, archived or in the trash. */
async function seed({ services, companyId }: BenchApi): Promise<{ modelIds: number[]; ids: number[] }> {
  const { pool } = services.database;
  const now = services.clock.now();
  const models = meterModels.slice(0, 12);
  const interfaceIds = models.map(
    (model) => interfaces.find(({ name }) => model.interfaces.includes(name))?.id ?? 4,
  );
  await pool.query(
    `insert into gateway (company_id, model_id, interface_id, name, device_id)
      select $1, 1, 10, 'Gateway ' || n, 'bench' || n from generate_series(1, 2000) n`,
    [companyId],
  );
  // Squared, so that the first models are frequent and the last is rare.
  const { rows } = await pool.query<{ id: number }>(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, gateway_id,
        name, place, "deviceID", is_active, is_archived, deleted_at)
      select $1, ($3::int[])[k], ($4::text[])[k], ($5::int[])[k], ($6::int[])[k], ($7::int[])[k], 1 + n % 2000,
        'Meter ' || md5(n::text), 'House ' || n % 977 || ', flat ' || n % 83, lpad(n::text, 8, '0'),
        n % 50 <> 0, n % 97 = 0, case when n % 89 = 0 then now() end
      from (select n, 1 + floor(power(abs(hashint4(n)) / 2147483648.0, 2) * $2)::int as k from generate_series(1, $8::int) n) numbers
      returning id`,
    [
      companyId,
      models.length,
      models.map(({ id }) => id),
      models.map(({ brand, title }) => `${brand} ${title}`),
      models.map(({ resource }) => resourceByKey[resource].deviceGroupId),
      models.map(({ deviceTypeId }) => deviceTypeId),
      interfaceIds,
      deviceCount,
    ],
  );
  const ids = rows.map(({ id }) => id);
  await pool.query(
    `update device_state set last_data_at = $1::int8 - abs(hashint4(device_id)) % 200000,
        silent_at = $1::int8 - abs(hashint4(device_id)) % 200000 + 86400
      where company_id = $2 and device_id % 41 <> 0`,
    [now, companyId],
  );
  await pool.query("insert into field_set (fields) values ('{tariff0,tariff1}') on conflict do nothing");
  await pool.query(
    `insert into device_latest (device_id, msg_type, ts, received_at, field_set_id, status, source, v)
      select device_id, 1, last_data_at, last_data_at, (select max(id) from field_set), 1, 1, array[device_id, device_id]
      from device_state where company_id = $1 and last_data_at is not null`,
    [companyId],
  );
  await pool.query(
    `insert into reading_day (device_id, msg_type, field_set_id, day, hours, n, first_ts, last_ts, first, last, sum, min, max)
      select device_id, 1, (select max(id) from field_set), to_timestamp($2)::date - d, 16777215, 24, 0, 1,
        array[1.0, 1.0], array[2.0, 2.0], '{}', '{}', '{}'
      from device_state, generate_series(0, 6) d where company_id = $1`,
    [companyId, now],
  );
  await pool.query("vacuum analyze");
  return { modelIds: models.map(({ id }) => id), ids };
}
