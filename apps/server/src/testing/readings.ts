import type { DeviceId } from "@metrum/vocabulary";
import { createBus, createLog, openDatabase, systemClock, type Services } from "#core";
import { readConfig } from "#config";
import { openTestDatabase, type TestDatabase } from "./database.ts";
import type { Incoming } from "#metering/messages";
import { createServices } from "../services.ts";

/** A separate database with devices to write readings of; `peer` creates another process's services on it. */
export interface TestStore {
  readonly services: Services;
  readonly peer: () => Services;
  readonly addDevice: (given?: Partial<TestDevice>) => Promise<DeviceId>;
  readonly query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  readonly close: () => Promise<void>;
}

interface TestDevice {
  readonly modelId: number;
  readonly zone: string | null;
  readonly companyZone: string;
  readonly reportPeriodSec: number;
}

export async function openTestStore(): Promise<TestStore> {
  const database = await openTestDatabase();
  const all: Services[] = [];
  const peer = (): Services => {
    const services = servicesOn(database);
    all.push(services);
    return services;
  };
  const services = peer();
  return {
    services,
    peer,
    addDevice: async (given = {}) => addDevice(services, given),
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      return (await services.database.pool.query<Row>(text, [...values])).rows;
    },
    async close() {
      for (const each of all) await each.database.close();
      await database.drop();
    },
  };
}

function servicesOn(database: TestDatabase): Services {
  return createServices({
    config: readConfig({ METRUM_LOG_LEVEL: "silent" }),
    database: openDatabase({ ...database.connection, max: 6 }),
    bus: createBus((error) => {
      throw error;
    }),
    clock: systemClock,
    log: createLog("silent"),
  });
}

async function addDevice(services: Services, given: Partial<TestDevice>): Promise<DeviceId> {
  const { pool } = services.database;
  const { rows: companies } = await pool.query<{ id: number }>(
    `insert into company (path, name, timezone, active_modules)
      values (('t' || replace(gen_random_uuid()::text, '-', ''))::ltree, 'Test', $1, '[]') returning id`,
    [given.companyZone ?? "Europe/Samara"],
  );
  const { rows } = await pool.query<{ id: DeviceId }>(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID", timezone, report_period_update)
      values ($1, $2, 'Model', 4, 3, 4, 'Meter', '1', $3, $4) returning id`,
    [companies[0]?.id, given.modelId ?? 1, given.zone ?? null, given.reportPeriodSec ?? 3600],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("no device was created");
  return id;
}

/** Epoch seconds of a time in UTC. */
export const at = (iso: string): number => Date.parse(iso) / 1000;

/** A polled reading that arrived a second after its slot. */
export function aReading(given: Partial<Incoming> & Pick<Incoming, "deviceId" | "ts" | "values">): Incoming {
  return { msgType: 1, receivedAt: given.ts + 1, source: "polled", ...given };
}
