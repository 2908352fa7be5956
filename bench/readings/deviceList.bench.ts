import { meterModels } from "@metrum/catalogue";
import { devices, deviceSortFields, type DeviceListInput } from "@metrum/contract/metering";
import { startApi } from "../api.ts";
import { seedList, type SeededList } from "./deviceListSeed.ts";
import { inARow, keyFigures, limitOf, lookups, summed, type Case as ListCase } from "./listPages.ts";
import type { Bench } from "../report.ts";

type Case = ListCase<DeviceListInput>;

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
      const keyMs = await lookups(
        api,
        devices.get,
        seeded.ids.filter((_, n) => n % 1_000 === 0),
      );
      const list = casesOf(seeded);
      const again = await inARow(api, devices.list, list);
      const forget = setInterval(
        () => api.services.bus.publish("devicesChanged", { companyId: api.companyId }),
        1,
      );
      const anew = await inARow(api, devices.list, list);
      clearInterval(forget);
      return [
        ...keyFigures(devices.get, keyMs),
        ...summed("list", list, again, limitOf(keyMs)),
        ...summed("list, every total counted anew", list, anew),
      ];
    } finally {
      await api.stop();
    }
  },
};

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
