import { meterModels } from "@metrum/catalogue";
import { devices, deviceSortFields, pathOf, type DeviceListInput } from "@metrum/contract";
import { startApi, type BenchApi } from "./api.ts";
import { seedList, type SeededList } from "./deviceListSeed.ts";
import { applyLoad, type Request } from "./load.ts";
import { atMost, median, percentile, reported, round, type Bench, type Figure } from "./report.ts";

const limitMs = 30;
const timesKey = 10;
const samples = 30;

/** One kind of list with its requests: searches use another text each time. */
interface Case {
  readonly title: string;
  readonly bodies: readonly DeviceListInput[];
}

const sorts: readonly Pick<DeviceListInput, "sort_field" | "sort">[] = [
  { sort_field: "name", sort: "asc" },
  { sort_field: "last_data_at", sort: "desc" },
  { sort_field: "model", sort: "desc" },
];

export const bench: Bench = {
  title: "first page of the device list at 100,000 devices over HTTP, held against device.get by key",
  async run() {
    const api = await startApi();
    try {
      const seeded = await seedList(api);
      const keys = seeded.ids.filter((_, n) => n % 1_000 === 0).map((id): Request => lookup(api, id));
      await timesOf(api, keys, 3);
      const keyMs = (await timesOf(api, keys, 3)).flat();
      const limit = Math.min(limitMs, timesKey * median(keyMs));
      const list = casesOf(seeded);
      const again = await inARow(api, list);
      const forget = setInterval(
        () => api.services.bus.publish("devicesChanged", { companyId: api.companyId }),
        1,
      );
      const anew = await inARow(api, list);
      clearInterval(forget);
      return [
        reported("device.get by key, p50", median(keyMs), "ms"),
        reported("device.get by key, p95", percentile(keyMs, 0.95), "ms"),
        ...summed("list", list, again, limit),
        ...summed("list, every total counted anew", list, anew),
      ];
    } finally {
      await api.stop();
    }
  },
};

/** Without a limit the figures are only reported. */
function summed(
  how: string,
  list: readonly Case[],
  times: readonly (readonly number[])[],
  limit?: number,
): Figure[] {
  const p95Of = (what: string, each: readonly number[]): Figure => {
    const [title, p95] = [`${what} (p50 ${String(round(median(each)))}), p95`, percentile(each, 0.95)];
    return limit === undefined ? reported(title, p95, "ms") : atMost(title, p95, "ms", limit);
  };
  const slowest = list
    .map(({ title }, n) => p95Of(`  ${title}`, times[n] ?? []))
    .sort((a, b) => b.value - a.value);
  return [p95Of(`${how}, all ${String(list.length)} cases`, times.flat()), ...slowest.slice(0, 8)];
}

/** Milliseconds by case: in sequence, each `samples` times. */
async function inARow(api: BenchApi, list: readonly Case[]): Promise<number[][]> {
  const requests = list.flatMap(({ bodies }) =>
    Array.from({ length: samples }, (_, n) => page(api, bodies[n % bodies.length] ?? {})),
  );
  const times = await timesOf(api, requests, 1);
  return list.map((_, at) => times.slice(at * samples, (at + 1) * samples).flat());
}

async function timesOf(api: BenchApi, requests: readonly Request[], rounds: number) {
  const { times } = await applyLoad({
    port: api.port,
    requests,
    connections: 1,
    count: requests.length * rounds,
  });
  return times;
}

const lookup = ({ token }: BenchApi, id: number): Request => ({
  method: "GET",
  path: `/api/${pathOf(devices.get, { id: String(id) })}`,
  token,
});

const page = ({ token }: BenchApi, body: DeviceListInput): Request => ({
  method: "POST",
  path: `/api/${pathOf(devices.list)}`,
  token,
  body: { page: 1, per_page: 25, ...body },
});

function casesOf({ ids, gatewayIds }: SeededList): Case[] {
  const first = meterModels[0]?.id ?? 0;
  const variants = 3;
  const filters: readonly (readonly [string, (n: number) => DeviceListInput])[] = [
    ["active", () => ({ device_state: "active" })],
    ["inactive", () => ({ device_state: "inactive" })],
    ["archived", () => ({ is_archived: true })],
    ["not archived", () => ({ is_archived: false })],
    ["one model", (n) => ({ model_id: meterModels[n]?.id ?? first })],
    ["two models", () => ({ model_id: meterModels.slice(0, 2).map(({ id }) => id) })],
    ["model options", () => ({ model_options: ["now_value"] })],
    ["interface", () => ({ interface_id: 4 })],
    ["group", () => ({ device_group_id: [4] })],
    ["gateways", (n) => ({ gateway_ids: gatewayIds.slice(n, n + 3) })],
    ["ids", (n) => ({ ids: ids.slice(n * 1000, n * 1000 + 100) })],
    ["on time", () => ({ fields_filter: { state: ["on_time"] } })],
    ["silent", () => ({ fields_filter: { state: ["silent"] } })],
    ["never", () => ({ fields_filter: { state: ["never"] } })],
    ["off", () => ({ fields_filter: { state: ["off"] } })],
    ["silent or never", () => ({ fields_filter: { state: ["silent", "never"] } })],
    ["trash", () => ({ is_deleted: true })],
    ["search of what all have", (n) => ({ search_string: ["meter", "mete", "eter"][n] ?? "" })],
    ["search of what a third has", (n) => ({ search_string: ["water", "wate", "ater"][n] ?? "" })],
    ["search of 3 digits", (n) => ({ search_string: ["123", "477", "908"][n] ?? "" })],
    ["search of 5 digits", (n) => ({ search_string: ["10456", "72113", "99980"][n] ?? "" })],
    ["search without a hit", (n) => ({ search_string: `xyz${String(n)}` })],
    [
      "search in active of a model",
      (n) => ({ search_string: `street ${String(n)}`, device_state: "active", model_id: first }),
    ],
  ];
  const caseOf = (title: string, body: (n: number) => DeviceListInput): Case => ({
    title,
    bodies: Array.from({ length: variants }, (_, n) => body(n)),
  });
  return [
    ...deviceSortFields.flatMap((sort_field) =>
      (["asc", "desc"] as const).map((sort) =>
        caseOf(`by ${sort_field} ${sort}`, () => ({ sort_field, sort })),
      ),
    ),
    ...filters.flatMap(([title, filter]) =>
      sorts.map((sort) =>
        caseOf(`${title}, by ${String(sort.sort_field)} ${String(sort.sort)}`, (n) => ({
          ...filter(n),
          ...sort,
        })),
      ),
    ),
  ];
}
