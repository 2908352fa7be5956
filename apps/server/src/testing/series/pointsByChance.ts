import { meterModels } from "@metrum/catalogue";
import { statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { sql } from "kysely";
import { ingest, type Incoming } from "#metering/messages";
import type { TreeApi } from "../objectTree.ts";
import { aReading } from "../readings.ts";
import { chance, registerHistory, type HistoryTie, type RegisterHistory } from "./registerHistory.ts";

/** A point in the database, with a node of its own, whose history is one by chance. */
export interface PointByChance {
  readonly id: number;
  readonly node: string;
  /** Readings that come at once, and those that come later. */
  readonly early: readonly Incoming[];
  readonly late: readonly Incoming[];
}

interface Of {
  readonly seed: number;
  readonly start: number;
  /** What happens from this instant on is left out. */
  readonly until: number;
  readonly zone: string;
  /** The node above its own. */
  readonly top: string;
}

const model = meterModels.find(
  ({ counterCapacity, fields }) =>
    counterCapacity === 1_000_000 && fields.includes("tariff0") && fields.includes("tariff1"),
);

/** Makes a point with its meters, ratios and added amounts, without its readings. */
export async function pointByChance(tree: TreeApi, of: Of): Promise<PointByChance> {
  const { system } = tree.api.services.database;
  const { first: company } = tree.api.companies;
  const history = registerHistory(of.seed, of.start);
  const node = await tree.add(`House ${String(of.seed)}`, of.top);
  const { rows } = await sql<{ id: number }>`
    insert into accounting_point (company_id, object_id, name, resource_type_id, timezone)
    values (${company}, ${Number(node)}, ${`Point ${String(of.seed)}`}, 3, ${of.zone}) returning id`.execute(
    system,
  );
  const id = rows[0]?.id ?? 0;
  const devices = new Map<DeviceId, DeviceId>();
  for (const tie of history.ties.filter(({ from }) => from < of.until)) {
    const device = (await tree.aDevice()) as DeviceId;
    devices.set(tie.deviceId, device);
    const { to, closing } = untilNow(tie, of.until);
    await sql`update device set model_id = ${model?.id ?? 0} where id = ${device}`.execute(system);
    await sql`
      insert into point_device (point_id, company_id, device_id, field, from_ts, to_ts, opening, closing)
      values (${id}, ${company}, ${device}, 'tariff0', ${tie.from}, ${to}, ${JSON.stringify(tie.opening)},
        ${JSON.stringify(closing)})`.execute(system);
  }
  for (const { from, to, factor } of ratioSpans(history, of.until))
    await sql`
      insert into point_term (point_id, company_id, kind, from_ts, to_ts, number)
      values (${id}, ${company}, 'ratio', ${from}, ${to}, ${factor}::numeric)`.execute(system);
  for (const { field, from, to, amount } of history.added)
    if (to < of.until)
      await sql`
        insert into point_amount (point_id, company_id, field, from_ts, to_ts, amount, method)
        values (${id}, ${company}, ${field}, ${from}, ${to}, ${amount}::numeric, 'entered')`.execute(system);
  return { id, node, ...readingsOf(history, devices, of) };
}

function untilNow({ to, closing }: HistoryTie, until: number): Pick<HistoryTie, "to" | "closing"> {
  return to !== null && to < until ? { to, closing } : { to: null, closing: {} };
}

function ratioSpans({ ratios }: RegisterHistory, until: number) {
  const all = ratios.filter(({ from }, n) => from < until && ratios[n + 1]?.from !== from);
  return all.map(({ from, factor }, n) => ({ from, factor, to: all[n + 1]?.from ?? null }));
}

function readingsOf(
  history: RegisterHistory,
  devices: ReadonlyMap<DeviceId, DeviceId>,
  { seed, until }: Of,
): Pick<PointByChance, "early" | "late"> {
  const pick = chance(seed + 7);
  const [early, late]: [Incoming[], Incoming[]] = [[], []];
  for (const [own, deviceId] of devices) {
    const rows = new Map<string, { ts: number; msgType: number; status: number; values: Values }>();
    for (const [field, values] of history.readings.get(own) ?? [])
      for (const { ts, msgType, status, value } of values) {
        const key = `${String(ts)} ${String(msgType)}`;
        const row = rows.get(key) ?? { ts, msgType, status, values: {} };
        rows.set(key, { ...row, values: { ...row.values, [field]: value } });
      }
    for (const { ts, msgType, status, values } of rows.values()) {
      if (ts >= until) continue;
      const source = status === statuses.manual.id ? "manual" : "imported";
      const given = status === statuses.estimated.id ? { status: "estimated" as const } : {};
      const reading = aReading({ deviceId, ts, msgType, receivedAt: until, values, source, ...given });
      (pick(4) === 0 ? late : early).push(reading);
    }
  }
  return { early, late };
}

type Values = Partial<Record<FieldName, number>>;

/** Stores readings by time. */
export async function storeReadings(
  { api: { services } }: TreeApi,
  readings: readonly Incoming[],
): Promise<void> {
  await ingest(
    services,
    [...readings].sort((a, b) => a.ts - b.ts),
  );
}
