import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { ingest } from "../../apps/server/src/metering/messages/index.ts";
import { startApi } from "../api.ts";
import { applyLoad } from "../load.ts";
import { median, reported, type Bench } from "../report.ts";

const count = 10_000;
const from = Date.UTC(2026, 0, 1) / 1000;
const asks = 25;

export const bench: Bench = {
  title: "10,000 rows of a device over HTTP against plain driver rows and JSON.stringify (reported)",
  async run() {
    const api = await startApi();
    try {
      const { services, port, token } = api;
      const model = meterModels.find(({ resource }) => resource === "electricity");
      const { rows: devices } = await services.database.pool.query<{ id: DeviceId }>(
        `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
          values ($1, $2, 'Model', 4, 3, 4, 'Meter', '1') returning id`,
        [api.companyId, model?.id ?? 0],
      );
      const deviceId = devices[0]?.id ?? (0 as DeviceId);
      await ingest(
        services,
        Array.from({ length: count }, (_, n) => ({
          deviceId,
          msgType: 5,
          ts: from + n * 1800,
          receivedAt: from + n * 1800 + 2000,
          source: "polled" as const,
          values: { power_a_plus: n / 7, power_a_minus: 0, power_r_plus: n / 13, power_r_minus: 0.25 },
        })),
      );
      await services.parts.readingStore.settle();
      const body = {
        device_id: deviceId,
        msgType: 5,
        startDate: from,
        stopDate: from + count * 1800,
        limit: count,
      };
      const overHttp = async (shape: "rows" | "columns") => {
        const request = { method: "POST", path: "/api/device/messages", token, body: { ...body, shape } };
        const { times, bytes } = await applyLoad({ port, requests: [request], connections: 1, count: asks });
        return { ms: median(times[0] ?? []), bytes };
      };
      const plain: number[] = [];
      for (let n = 0; n < asks; n++) {
        const began = performance.now();
        const { rows } = await services.database.pool.query(
          "select * from message where device_id = $1 and msg_type = 5 and ts >= $2 and ts <= $3 order by ts",
          [deviceId, from, from + count * 1800],
        );
        JSON.stringify(rows);
        plain.push(performance.now() - began);
      }
      const [columns, rows] = [await overHttp("columns"), await overHttp("rows")];
      return [
        reported("driver rows and JSON.stringify, p50", median(plain), "ms"),
        reported("columns over HTTP, p50", columns.ms, "ms"),
        reported("  of the plain driver", median(plain) / columns.ms, "x speed"),
        reported("  size", columns.bytes / 1024, "KiB"),
        reported("rows over HTTP, p50", rows.ms, "ms"),
        reported("  of the plain driver", median(plain) / rows.ms, "x speed"),
        reported("  size", rows.bytes / 1024, "KiB"),
      ];
    } finally {
      await api.stop();
    }
  },
};
