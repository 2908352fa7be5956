import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createBus,
  createLog,
  migrate,
  openDatabase,
  systemClock,
  type Services,
} from "../apps/server/src/core/index.ts";
import { startEmbedded } from "../apps/server/src/core/database/embedded/index.ts";
import { readConfig } from "../apps/server/src/config.ts";
import { createServices } from "../apps/server/src/services.ts";

/** A server's services on a disposable cluster with the settings of production, durability included. */
export interface BenchCluster {
  readonly services: Services;
  readonly dataDir: string;
  readonly stop: () => Promise<void>;
}

export async function startCluster(env: Readonly<Record<string, string>> = {}): Promise<BenchCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), "metrum-bench-"));
  await chmod(dataDir, 0o711);
  const embedded = await startEmbedded({ dataDir, log: () => undefined });
  const services = createServices({
    config: { ...readConfig({ METRUM_DEMO: "true", METRUM_LOG_LEVEL: "warn", ...env }), production: true },
    database: openDatabase({ ...embedded.connection, max: 20 }),
    bus: createBus((error) => {
      throw error;
    }),
    clock: systemClock,
    log: createLog("warn"),
  });
  await migrate(services.database.pool);
  return {
    services,
    dataDir,
    async stop() {
      await services.database.close();
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Devices created by one statement; returns their ids. */
export async function addDevices(
  services: Services,
  given: { count: number; modelId: number },
): Promise<number[]> {
  const { pool } = services.database;
  const { rows: companies } = await pool.query<{ id: number }>(
    `insert into company (path, name, timezone, active_modules)
      values (('b' || (select count(*) from company))::ltree, 'Bench', 'Europe/Berlin', '[]') returning id`,
  );
  const { rows } = await pool.query<{ id: number }>(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, place, "deviceID")
      select $1, $2, 'Model', 4, 3, 4, 'Meter ' || n, 'House ' || n % 977, lpad(n::text, 8, '0')
      from generate_series(1, $3::int) n returning id`,
    [companies[0]?.id, given.modelId, given.count],
  );
  return rows.map((row) => row.id);
}
