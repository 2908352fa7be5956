import { meterModels } from "@metrum/catalogue";
import { devices, pathOf, type DeviceListInput } from "@metrum/contract";
import { closeList, openList, type ListUnderTest } from "./deviceListSeed.ts";
import { atMost, median, percentile, reported, round, type Bench, type Figure } from "./report.ts";

const limitMs = 30;
const timesKey = 10;
const samples = 40;
const warmUp = 3;

interface Case {
  readonly title: string;
  /** The request of the nth sample: searches ask something else each time, so that no total is remembered. */
  readonly body: (n: number) => DeviceListInput;
}

const sorts: readonly Pick<DeviceListInput, "sort_field" | "sort">[] = [
  { sort_field: "name", sort: "asc" },
  { sort_field: "last_data_at", sort: "desc" },
  { sort_field: "model", sort: "desc" },
];
const sortFields = [
  "id",
  "name",
  "place",
  "deviceID",
  "model",
  "interface_id",
  "device_group_id",
  "last_data_at",
] as const;

export const bench: Bench = {
  title: "first page of the device list at 100,000 devices over HTTP, held against device.get by key",
  async run() {
    const list = await openList();
    try {
      const keyMs = await measure(samples * 5, (n) =>
        askOne(list, list.ids[(n * 7919) % list.ids.length] ?? 0),
      );
      const limit = Math.min(limitMs, timesKey * median(keyMs));
      const figures: Figure[] = [
        reported("device.get by key, p50", median(keyMs), "ms"),
        reported("device.get by key, p95", percentile(keyMs, 0.95), "ms"),
      ];
      const all: number[] = [];
      for (const { title, body } of cases(list)) {
        const taken = await measure(samples, (n) => askPage(list, body(n)));
        all.push(...taken);
        const p50 = median(taken);
        const p95 = percentile(taken, 0.95);
        figures.push(
          atMost(
            `${title} (p50 ${round(p50)}, p95 ${round(p95 / median(keyMs))} x key)`,
            p95,
            "ms p95",
            limit,
          ),
        );
      }
      return [
        ...figures,
        reported("all cases, p50", median(all), "ms"),
        reported("all cases, p95", percentile(all, 0.95), "ms"),
      ];
    } finally {
      await closeList(list);
    }
  },
};

async function measure(count: number, ask: (n: number) => Promise<void>): Promise<number[]> {
  const taken: number[] = [];
  for (let n = -warmUp; n < count; n++) {
    const began = performance.now();
    await ask(n + warmUp);
    if (n >= 0) taken.push(performance.now() - began);
  }
  return taken;
}

const askOne = (list: ListUnderTest, id: number) =>
  list.ask("GET", `/api/${pathOf(devices.get, { id: String(id) })}`);
const askPage = (list: ListUnderTest, body: DeviceListInput) =>
  list.ask("POST", `/api/${pathOf(devices.list)}`, { per_page: 25, page: 1, ...body });

function cases(list: ListUnderTest): Case[] {
  const first = meterModels[0]?.id ?? 0;
  const filters: readonly (readonly [string, DeviceListInput | ((n: number) => DeviceListInput)])[] = [
    ["active", { device_state: "active" }],
    ["inactive", { device_state: "inactive" }],
    ["archived", { is_archived: true }],
    ["not archived", { is_archived: false }],
    ["one model", { model_id: first }],
    ["two models", { model_id: meterModels.slice(0, 2).map(({ id }) => id) }],
    ["model options", { model_options: ["now_value"] }],
    ["interface", { interface_id: 4 }],
    ["group", { device_group_id: [4] }],
    ["gateways", { gateway_ids: list.gatewayIds.slice(0, 3) }],
    ["ids", { ids: list.ids.slice(1000, 1100) }],
    ["on time", { fields_filter: { state: ["on_time"] } }],
    ["silent", { fields_filter: { state: ["silent"] } }],
    ["never", { fields_filter: { state: ["never"] } }],
    ["off", { fields_filter: { state: ["off"] } }],
    ["silent or never", { fields_filter: { state: ["silent", "never"] } }],
    ["trash", { is_deleted: true }],
    ["search, frequent (100,000)", (n) => ({ search_string: ["meter", "mete", "eter"][n % 3] ?? "" })],
    ["search, a third", (n) => ({ search_string: ["water", "wate", "ater"][n % 3] ?? "" })],
    ["search, 3 characters", (n) => ({ search_string: String(100 + ((n * 37) % 900)) })],
    ["search, rare", (n) => ({ search_string: String(10_000 + n * 1_931) })],
    ["search, no hit", (n) => ({ search_string: `xyz${n}` })],
    [
      "search, active, one model",
      (n) => ({ search_string: `street ${n}`, device_state: "active", model_id: first }),
    ],
  ];
  return [
    ...sortFields.flatMap((sort_field) =>
      (["asc", "desc"] as const).map((sort) => ({
        title: `by ${sort_field} ${sort}`,
        body: () => ({ sort_field, sort }),
      })),
    ),
    ...filters.flatMap(([title, filter]) =>
      sorts.map((sort) => ({
        title: `${title}, by ${String(sort.sort_field)} ${String(sort.sort)}`,
        body: (n: number) => ({ ...(typeof filter === "function" ? filter(n) : filter), ...sort }),
      })),
    ),
  ];
}
