import { meterModels, modelById } from "@metrum/catalogue";
import type { DeviceId, ResourceKey } from "@metrum/vocabulary";
import type pg from "pg";
import type { Clock } from "#core";
import { depthsOf, type DeviceMetadata } from "../rows/index.ts";
import { pulseHours, type CounterFacts } from "../growth/index.ts";

/** How long a changed zone, period or model may go unnoticed by another process. */
const freshMs = 30_000;
/** Maximum number of cached devices; beyond it the cache is cleared. */
const most = 200_000;

export interface MetadataCache {
  /** Metadata of existing devices, including those in the trash: their readings are still stored. */
  of(ids: Iterable<number>): Promise<ReadonlyMap<number, DeviceMetadata>>;
}

export function createMetadataCache(pool: pg.Pool, clock: Clock): MetadataCache {
  let known = new Map<number, DeviceMetadata>();
  let readAt = clock.monotonicMs();
  return {
    async of(ids) {
      if (clock.monotonicMs() - readAt > freshMs || known.size > most) {
        known = new Map();
        readAt = clock.monotonicMs();
      }
      const current = known;
      const missing = new Set<number>();
      for (const id of ids) if (!current.has(id)) missing.add(id);
      if (missing.size > 0)
        for (const metadata of await read(pool, [...missing])) current.set(metadata.id, metadata);
      return current;
    },
  };
}

interface FactRow {
  id: DeviceId;
  company_id: number;
  model_id: number;
  zone: string;
  report_period_update: number;
  starting_value: number;
  impulse_weight: number;
  dependants: number;
  is_virtual: boolean;
}

/** Some thousand devices at most, by primary key. */
async function read(pool: pg.Pool, ids: readonly number[]): Promise<DeviceMetadata[]> {
  const { rows } = await pool.query<FactRow>({
    name: "messages-facts",
    text: `select d.id, d.company_id, d.model_id, d.report_period_update, d.starting_value, d.impulse_weight, coalesce(d.timezone, c.timezone) as zone,
        coalesce((select bit_or(1 << x.kind) from device_dependent x where x.device_id = d.id), 0) as dependants,
        exists (select from virtual_source x where x.virtual_id = d.id) as is_virtual
      from device d join company c on c.id = d.company_id where d.id = any($1::int[])`,
    values: [ids],
  });
  return rows.map((row) => ({
    id: row.id,
    companyId: row.company_id,
    modelId: row.model_id,
    zone: row.zone,
    reportPeriodSec: row.report_period_update,
    depths: depthsByModel.get(row.model_id) ?? depthsOfUnknown,
    dependants: row.dependants,
    isVirtual: row.is_virtual,
    // A virtual counter is the sum of growths: it never rolls over.
    ...(row.is_virtual ? { counterCapacity: undefined, counterStart: undefined } : countersOf(row)),
  }));
}

const depthsByModel: ReadonlyMap<number, ReturnType<typeof depthsOf>> = new Map(
  meterModels.map((model) => [model.id, depthsOf(model)]),
);
const depthsOfUnknown = depthsOf(undefined);

/**
 * Hours at full load that the digits of a meter are taken to be enough for. Our own choice: half a year, a winter of gas,
 * and of water and heat as long as their meters run near their greatest flow between two readings of a year. Whoever
 * builds meters with fewer digits says so (`holdsHours`).
 */
const requiredHours: Partial<Record<ResourceKey, number>> = {
  electricity: 4_000,
  gas: 8_000,
  water: 1_600,
  heat: 3_000,
};

/** A pulse counter rolls over at the capacity of its registers times the pulse weight of the device. */
export function countersOf(
  row: Readonly<Pick<FactRow, "model_id" | "impulse_weight" | "starting_value">>,
): CounterFacts {
  const model = modelById(row.model_id);
  if (model?.kind !== "meter") return { counterCapacity: undefined, counterStart: undefined };
  const { counterCapacity, capacities, pulses, resource } = model;
  const holdsHours = model.holdsHours ?? requiredHours[resource];
  if (!pulses) return { counterCapacity, capacities, counterStart: undefined, holdsHours };
  return {
    counterCapacity: pulses.capacity * row.impulse_weight,
    counterStart: { field: pulses.main, value: row.starting_value },
    holdsHours: pulseHours,
  };
}
