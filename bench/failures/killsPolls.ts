import { setTimeout as sleep } from "node:timers/promises";
import { startPark, type Park, type Plan } from "@metrum/simulator";
import type { CompanyId } from "@metrum/vocabulary";
import type { Database } from "../../apps/server/src/core/index.ts";
import { seedCatalogue } from "../../apps/server/src/platform/demo/catalogue.ts";
import { freePort } from "./killsServer.ts";

/**
 * Simulated meters that the platform polls on schedule: behind converters, whose lines any process may open,
 * and behind modems that dial in.
 */
export interface Polled {
  readonly behindConverters: readonly number[];
  readonly behindModems: readonly number[];
  readonly stop: () => Promise<void>;
}

const intervalSec = 5;
const converterModel = 603;
const modemModel = 601;
const meterModel = 102;
const converters = 6;
const modems = 4;

async function plan(): Promise<Plan> {
  const keys = Array.from({ length: converters + modems }, (_, at) => at);
  const ports = await Promise.all(Array.from({ length: converters }, freePort));
  return {
    baseStations: [],
    gateways: keys.map((at) => ({
      key: `g${String(at)}`,
      modelId: at < converters ? converterModel : modemModel,
      name: `G-${String(at)}`,
      place: "",
      deviceID: at < converters ? `3100${String(at)}` : String(350_000_000_000_000 + at),
      ...(ports[at] === undefined ? {} : { port: ports[at] }),
    })),
    devices: keys.map((at) => ({
      modelId: meterModel,
      gateway: `g${String(at)}`,
      insideAddr: "1",
      deviceID: String(78_000_000 + at),
      name: `P-${String(at)}`,
      place: "",
      intervalSec,
      seed: at,
      load: "home",
      meanPerHour: 1,
      start: 1000,
      impulseWeight: 1,
      startingValue: 0,
      hasLeaks: false,
      clockDriftPerDay: 0,
    })),
  };
}

export async function startPolled(
  database: Database,
  of: { readonly companyId: CompanyId; readonly modemPort: number },
): Promise<Polled> {
  const planned = await plan();
  const park: Park = await startPark(planned, {
    host: "127.0.0.1",
    ports: { modem: of.modemPort },
    heartbeatSec: 20,
  });
  const seeded = await database.system
    .transaction()
    .execute((db) => seedCatalogue(db, of.companyId, planned, "127.0.0.1"));
  const ids = seeded.map(({ id }) => id);
  return {
    behindConverters: ids.slice(0, converters),
    behindModems: ids.slice(converters),
    stop: park.stop,
  };
}

const limitSec = 180;

/**
 * Waits until each of these devices was read in an exchange that began after this time. Errors: Error that
 * names the others.
 */
export async function untilPolled(
  database: Database,
  ids: readonly number[],
  sinceMs: number,
): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query<{ id: number }>(
      `select id from unnest($1::int[]) id where not exists (
        select from poll_log where device_id = id and started_ms > $2::bigint and result = 0)`,
      [ids, sinceMs],
    );
    if (rows.length === 0) return;
    if (Date.now() - sinceMs > limitSec * 1000)
      throw new Error(
        `devices ${rows.map(({ id }) => id).join()} were not read for ${String(limitSec)} s: ${await stateOf(database)}`,
      );
    await sleep(200);
  }
}

/** Connected modems, line holders, and waiting jobs: explains why a meter is not read. */
async function stateOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ state: object }>(
    `select json_build_object(
      'processes', (select json_agg(process) from process),
      'lines', (select json_agg(line_holder) from line_holder),
      'jobs', (select json_agg(j) from (
        select id, key, task_identifier, queue_name, attempts, run_at, locked_at, locked_by, last_error from graphile_worker.jobs) j)
    ) as state`,
  );
  return JSON.stringify(rows[0]?.state);
}
