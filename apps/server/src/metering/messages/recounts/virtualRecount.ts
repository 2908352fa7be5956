import { sources, type DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import { beginSnapshot, inTransaction, type Services } from "#core";
import { dueKinds, forever, markDependants } from "../due/index.ts";
import { firstAndLastTime } from "../read/index.ts";
import type { DeviceMetadata } from "../rows/index.ts";
import {
  instants,
  readSources,
  sourceIdsOf,
  sumsFrom,
  virtualFieldsOf,
  type Sums,
  type VirtualRow,
} from "../virtual/index.ts";
import { byDay, type WrongRow } from "./derivedRecount.ts";
import { differing, hullOf, type Examined, type Parts, type Recount } from "./difference.ts";
import { freshServices } from "./freshServices.ts";
import { messagesOf, type Message } from "./message.ts";
import { countDevices, devicesAfter, propertiesOf, waitingSpans } from "./recountStore.ts";

const partSec = 7 * 86_400;
const kind = "virtual row";

/** Rows of virtual devices, from the first reading of their sources on. */
export const virtualRecount = (services: Services): Recount => ({
  of: "virtual devices",
  kinds: [kind],
  count: (companyId) => countDevices(services.database.pool, companyId, true),
  idsAfter: (after, companyId) => devicesAfter(services.database.pool, { after, companyId, isVirtual: true }),
  examine: (id) => examine(freshServices(services), id as DeviceId),
  markDue: async (id, wrong) => {
    const { pool, system } = services.database;
    const [deviceId] = sourceIdsOf(virtualFieldsOf((await propertiesOf(pool, id)) ?? {}));
    if (deviceId === undefined || wrong.length === 0) return wrong;
    const span = { deviceId: deviceId as DeviceId, ...hullOf(wrong) };
    await markDependants(system, dueKinds.virtualDevices, [span]);
    return [];
  },
});

async function examine(services: Services, id: DeviceId): Promise<Examined> {
  const { pool } = services.database;
  const device = (await services.parts.readingStore.metadata.of([id])).get(id);
  const of = virtualFieldsOf((await propertiesOf(pool, id)) ?? {});
  if (!device || of.size === 0) return { rows: 0, differences: [] };
  const ids = sourceIdsOf(of);
  const extent = await firstAndLastTime(pool, { deviceIds: [...ids, id], from: 0, to: forever });
  let sums = await sumsFrom(services, of, new Map());
  const [wrong, late]: [WrongRow[], WrongRow[]] = [[], []];
  let rows = 0;
  for (let start = extent?.from ?? 0; extent && start <= extent.to; start += partSec) {
    const part = { from: start, to: start + partSec - 1 };
    const found = await inTransaction(pool, async (client) => {
      await client.query(beginSnapshot);
      return examinePart(services, client, { device, ids, sums, ...part });
    });
    rows += found.rows;
    sums = found.next;
    // A change carries on into all that follows.
    for (const row of found.wrong) (row.ts >= found.dueFrom ? late : wrong).push(row);
  }
  return {
    rows,
    differences: [
      ...byDay(device, kind, wrong).map((each) => ({ ...each, waits: false })),
      ...byDay(device, kind, late).map((each) => ({ ...each, waits: true })),
    ],
  };
}

interface Part {
  readonly device: DeviceMetadata;
  readonly ids: readonly number[];
  readonly sums: Sums;
  readonly from: number;
  readonly to: number;
}

interface PartExamined {
  readonly rows: number;
  readonly wrong: readonly WrongRow[];
  readonly dueFrom: number;
  /** What goes on with the next part. */
  readonly next: Sums;
}

async function examinePart(
  services: Services,
  client: pg.ClientBase,
  { device, ids, sums, from, to }: Part,
): Promise<PartExamined> {
  const due = await waitingSpans(client, dueKinds.virtualDevices, ids);
  const read = await readSources(services, client, { ids, from, to });
  const stored = await messagesOf(services, client, { id: device.id, from, to });
  const { rows: expected, next } = await sums(client, instants(read));
  return {
    rows: read.length + stored.length,
    wrong: wrongRows(stored, expected),
    next,
    dueFrom: Math.min(Infinity, ...due.map((span) => span.from)),
  };
}

function wrongRows(stored: readonly Message[], expected: readonly VirtualRow[]): WrongRow[] {
  const key = (msgType: number, ts: number): string => `${String(msgType)} ${String(ts)}`;
  const missing = new Map(expected.map((row) => [key(row.msgType, row.ts), row]));
  const wrong: WrongRow[] = [];
  for (const message of stored) {
    const { msg_type: msgType, ts } = message;
    const row = missing.get(key(msgType, ts));
    missing.delete(key(msgType, ts));
    if (message.source !== sources.calculated || message.is_estimate) continue;
    const values = message.set.fields.map((name, at) => [name, message.v[at] ?? null] as const);
    const found = differing(new Map([["status", message.status], ...values]), row && partsOf(row));
    if (found) wrong.push({ msgType, ts, ...found });
  }
  for (const row of missing.values()) {
    const found = differing(undefined, partsOf(row));
    if (found) wrong.push({ msgType: row.msgType, ts: row.ts, ...found });
  }
  return wrong;
}

const partsOf = ({ status, values }: VirtualRow): Parts =>
  new Map<string, number | undefined>([["status", status], ...Object.entries(values)]);
