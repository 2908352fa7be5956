import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fileFormats, pathOf, type FileFormat, type ListFile } from "@metrum/contract/core";
import { devices } from "@metrum/contract/metering";
import { startApi, type BenchApi } from "../api.ts";
import { seedList } from "../readings/deviceListSeed.ts";
import { atLeast, atMost, reported, type Bench, type Figure } from "../report.ts";

/** The columns that the screen shows. */
const columns: ListFile["columns"] = [
  { title: "Status", of: ["state"], words: { on_time: "On time", silent: "Silent", never: "Never" } },
  { title: "Name", of: ["name"] },
  { title: "Place", of: ["place"] },
  { title: "Model", of: ["model_title"] },
  { title: "Interface", of: ["interface_id"], words: { 4: "RS-485" } },
  { title: "Via", of: ["gateway.name", "base_station.name"] },
  { title: "Last reading", of: ["last_reading.value"] },
  { title: "Unit", of: ["last_reading.unit"] },
  { title: "Last data", of: ["last_data_at"], shows: "time" },
  { title: "7 days", of: ["completeness"], shows: "shares" },
  { title: "Number", of: ["deviceID"] },
  { title: "Active", of: ["is_active"], words: { true: "yes", false: "no" } },
];

const rowsPerSec = 20_000;
/** Live heap that a file may add to that of an idle process, whatever its length. */
const heapMb = 150;
/** Pause between the collections of the pass that measures the heap. */
const collectEveryMs = 1_000;

export const bench: Bench = {
  title: "the list of 100,000 devices as a file of 12 columns, received over HTTP",
  async run() {
    const api = await startApi();
    try {
      const { ids } = await seedList(api);
      await save(api, "csv", { ids: ids.slice(0, 5_000) });
      const figures: Figure[] = [];
      for (const format of fileFormats) figures.push(...(await measured(api, format)));
      return figures;
    } finally {
      await api.stop();
    }
  },
};

async function measured(api: BenchApi, format: FileFormat): Promise<Figure[]> {
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const started = performance.now();
  const { rows, bytes } = await save(api, format, {});
  const sec = (performance.now() - started) / 1000;
  loop.disable();
  const { mostMb, taken } = await liveHeap(() => save(api, format, {}));
  return [
    atLeast(`${format}: rows per second (${String(rows)} rows)`, rows / sec, "rows/s", rowsPerSec),
    atMost(
      `${format}: live heap above idle, most of ${String(taken)} collections in an untimed pass`,
      mostMb,
      "MiB",
      heapMb,
    ),
    reported(`${format}: event loop delay, longest`, loop.max / 1e6, "ms"),
    reported(`${format}: size`, bytes / 2 ** 20, "MiB"),
  ];
}

/**
 * The most heap in use above that before, in MiB. Garbage is collected before each look: how much of it lies about
 * otherwise depends on the memory of the machine, not on the work. The collections take time, so such a pass is not
 * timed.
 */
async function liveHeap(work: () => Promise<unknown>): Promise<{ mostMb: number; taken: number }> {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  const live = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const idle = live();
  let [most, taken] = [0, 0];
  const watch = setInterval(() => {
    most = Math.max(most, live() - idle);
    taken += 1;
  }, collectEveryMs);
  await work();
  clearInterval(watch);
  if (taken === 0) throw new Error("the file was written before the heap was looked at");
  return { mostMb: most / 2 ** 20, taken };
}

async function save(
  { port, token }: BenchApi,
  format: FileFormat,
  filter: { readonly ids?: readonly number[] },
) {
  const file: ListFile = { format, title: "Devices", zone: "Asia/Ulaanbaatar", columns };
  const call = (body: object) =>
    fetch(`http://127.0.0.1:${String(port)}/api/${pathOf(devices.list)}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "accept-encoding": "identity",
      },
      body: JSON.stringify({ ...filter, ...body }),
    });
  const list = (await (await call({ per_page: 10 })).json()) as {
    readonly data: { readonly metering_devices: { readonly total: number } };
  };
  const response = await call({ file });
  if (response.status !== 200 || response.body === null) throw new Error(await response.text());
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  return { rows: list.data.metering_devices.total, bytes };
}
