import type { Call } from "@metrum/contract/core";
import {
  baseStations,
  baseStationSortFields,
  gateways,
  gatewaySortFields,
  type BaseStationListInput,
  type GatewayListInput,
} from "@metrum/contract/metering";
import { startApi, type BenchApi } from "../api.ts";
import { seedList } from "./deviceListSeed.ts";
import { inARow, keyFigures, limitOf, lookups, summed, type Case } from "./listPages.ts";
import type { Bench, Figure } from "../report.ts";

const count = 10_000;
/** A converter, a modem, and a base station. */
const [converterModel, modemModel, stationModel] = [603, 601, 732];

export const bench: Bench = {
  title:
    "first pages of the lists of 10,000 gateways with 100,000 devices behind them, of 10,000 base stations, and of their trash",
  async run() {
    const api = await startApi();
    try {
      await seedList(api, count);
      await seedRest(api);
      return [
        ...(await measured(api, gateways, "gateway", gatewayCases)),
        ...(await measured(api, baseStations, "base_station", stationCases)),
      ];
    } finally {
      await api.stop();
    }
  },
};

/** Gateways of two models with all kinds of periods, 5 % off and 2 % in the trash; the base stations. */
async function seedRest({ services, companyId }: BenchApi): Promise<void> {
  const { pool } = services.database;
  await pool.query(
    `update gateway set name = 'House ' || (id * 7919) % 10007, last_session_at = id * 3, "desc" = 'Street ' || id % 97,
      report_period_update = 60 * (1 + id % 60), is_active = id % 20 <> 1,
      deleted_at = case when id % 50 = 3 then now() end, model_id = case when id % 10 = 7 then $2::int else $3::int end
      where company_id = $1`,
    [companyId, modemModel, converterModel],
  );
  await pool.query(
    `insert into base_station (company_id, model_id, name, device_id, radius, deleted_at)
      select $1::int, $3::int, 'Roof ' || (n * 7919) % 10007, lpad(to_hex(n), 16, '0'), 1000 + n % 5000,
        case when n % 50 = 3 then now() end
      from generate_series(1, $2::int) n`,
    [companyId, count, stationModel],
  );
  await pool.query("vacuum analyze");
}

async function measured(
  api: BenchApi,
  { get, list }: { readonly get: Call; readonly list: Call },
  table: "gateway" | "base_station",
  casesOf: (ids: readonly number[]) => readonly Case<object>[],
): Promise<Figure[]> {
  const { rows } = await api.services.database.pool.query<{ id: number }>(
    `select id from ${table} where company_id = $1 and deleted_at is null order by id`,
    [api.companyId],
  );
  const ids = rows.map(({ id }) => id);
  const keyMs = await lookups(
    api,
    get,
    ids.filter((_, n) => n % 100 === 0),
  );
  const cases = casesOf(ids);
  await inARow(api, list, cases);
  return [
    ...keyFigures(get, keyMs),
    ...summed(list.id, cases, await inARow(api, list, cases), limitOf(keyMs)),
  ];
}

const both = ["asc", "desc"] as const;
const searches = {
  "search of what all have": ["house", "hous", "ouse"],
  "search of 3 digits": ["123", "477", "908"],
  "search without a hit": ["xyz0", "xyz1", "xyz2"],
};
const found = (): Case<{ readonly search_string: string }>[] =>
  Object.entries(searches).map(([title, texts]) => ({
    title,
    bodies: texts.map((search_string) => ({ search_string })),
  }));

function gatewayCases(ids: readonly number[]): Case<GatewayListInput>[] {
  const filters: readonly Case<GatewayListInput>[] = [
    { title: "all", bodies: [{}] },
    { title: "active", bodies: [{ device_state: "active" }] },
    { title: "inactive", bodies: [{ device_state: "inactive" }] },
    { title: "one model", bodies: [{ model_id: converterModel }, { model_id: modemModel }] },
    { title: "two models", bodies: [{ model_id: [converterModel, modemModel] }] },
    { title: "ids", bodies: [{ ids: ids.slice(0, 100) }, { ids: ids.slice(500, 600) }] },
    { title: "trash", bodies: [{ is_deleted: true }] },
    ...found(),
  ];
  return sorted(gatewaySortFields, filters);
}

function stationCases(): Case<BaseStationListInput>[] {
  const filters: readonly Case<BaseStationListInput>[] = [
    { title: "all", bodies: [{}] },
    { title: "trash", bodies: [{ is_deleted: true }] },
    ...found(),
  ];
  return sorted(baseStationSortFields, filters);
}

/** Every filter in every order. */
function sorted<Field extends string, Body extends object>(
  fields: readonly Field[],
  filters: readonly Case<Body>[],
): Case<Body & { readonly sort_field: Field; readonly sort: "asc" | "desc" }>[] {
  return fields.flatMap((sort_field) =>
    both.flatMap((sort) =>
      filters.map(({ title, bodies }) => ({
        title: `${title}, by ${sort_field} ${sort}`,
        bodies: bodies.map((body) => ({ ...body, sort_field, sort })),
      })),
    ),
  );
}
