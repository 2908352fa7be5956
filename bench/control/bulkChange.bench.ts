import { pathOf, type Call, type ReplyOf } from "@metrum/contract/core";
import { tasks, taskStates } from "@metrum/contract/headend";
import { gateways, type CarrierAction, type DeviceChange } from "@metrum/contract/metering";
import { domains } from "../../apps/server/src/domains.ts";
import { startApi, type BenchApi } from "../api.ts";
import { seedList } from "../readings/deviceListSeed.ts";
import { atLeast, atMost, reported, type Bench, type Figure } from "../report.ts";
import { followStatements, type Statements } from "../statements.ts";

const wanted = { devices: 50_000, gateways: 10_000 };
const limitSec = 30;
/** Of a batch of 5,000 devices with its transaction; of a call that changes gateways. */
const mostStatements = { batch: 20, call: 20 };
const batchSize = 5_000;
/**
 * Behind these are 50,000 of the devices that are neither in the trash nor in the archive: 200 behind each but 20, of
 * which all devices are there.
 */
const gatewaysOfHalf = { of: 500, taken: 270 };

type Pool = BenchApi["services"]["database"]["pool"];

export const bench: Bench = {
  title:
    "bulk changes of 50,000 of 100,000 devices, each a task, and of 10,000 gateways: time, statements, audit",
  async run() {
    const statements = followStatements();
    const api = await startApi();
    const stop = await domains.find(({ name }) => name === "tasks")?.worker?.(api.services);
    try {
      const { gatewayIds } = await seedList(api, gatewaysOfHalf.of);
      const gateway_ids = gatewayIds.slice(0, gatewaysOfHalf.taken);
      const figures: Figure[] = [];
      for (const change of changesOf()) {
        const filter = { gateway_ids, ...change.filter };
        figures.push(...(await deviceFigures(api, statements, { ...change, filter })));
      }
      await addGateways(api, wanted.gateways - gatewaysOfHalf.of);
      for (const [action, filter] of carrierChanges)
        figures.push(...(await gatewayFigures(api, statements, { action, filter })));
      return figures;
    } finally {
      await stop?.();
      await api.stop();
    }
  },
};

interface Wanted {
  readonly change: DeviceChange;
  readonly filter: { readonly is_archived?: boolean; readonly is_deleted?: boolean };
}

/** In this order each finds the same 50,000 devices. */
const changesOf = (): readonly Wanted[] => {
  const present = { is_archived: false };
  return [
    { change: { action: "switch_off" }, filter: present },
    { change: { action: "switch_on" }, filter: present },
    { change: { action: "period", report_period_update: 7_200 }, filter: present },
    { change: { action: "trash" }, filter: present },
    { change: { action: "restore" }, filter: { is_deleted: true } },
    { change: { action: "archive" }, filter: present },
    { change: { action: "unarchive" }, filter: { is_archived: true } },
  ];
};

const carrierChanges: readonly (readonly [CarrierAction, Wanted["filter"]])[] = [
  ["switch_off", {}],
  ["archive", {}],
  ["unarchive", { is_archived: true }],
  ["trash", {}],
  ["restore", { is_deleted: true }],
];

async function deviceFigures(
  api: BenchApi,
  statements: Statements,
  { change, filter }: Wanted,
): Promise<Figure[]> {
  const { pool } = api.services.database;
  await remember(pool, "device", "is_active, is_archived, deleted_at, report_period_update");
  const audited = await auditRows(api);
  const ended = endOfTask(api);
  statements.taken();
  const startedMs = performance.now();
  const { device_task } = await ask(api, tasks.change, { ...change, filter });
  const answeredMs = performance.now();
  if (!device_task) throw new Error("the filter matches no device");
  const ofCall = statements.taken();
  await ended(device_task.id);
  const endedMs = performance.now();
  const ofTask = statements.taken().map(({ text }) => text);
  const changed = await changedRows(pool, "device");
  const { rows } = await pool.query<{ done: number }>(
    "select count(*)::int as done from device_task_item where task_id = $1 and status_id = $2",
    [device_task.id, taskStates.done.id],
  );
  const batches = Math.ceil(device_task.device_count / batchSize);
  const { action } = change;
  return [
    atLeast(`${action}: devices of the task`, device_task.device_count, "devices", wanted.devices),
    atMost("  until the task has ended", (endedMs - startedMs) / 1000, "s", limitSec),
    reported("  of this the call", (answeredMs - startedMs) / 1000, "s"),
    reported("  statements of the call", ofCall.length, ""),
    atMost("  statements of the task", ofTask.length, "", batches * mostStatements.batch),
    atMost("  of these inserts of audit rows", audits(ofTask), "", batches),
    atMost("  devices without an outcome", device_task.device_count - (rows[0]?.done ?? 0), "devices", 0),
    reported("  devices changed", changed, "devices"),
    // The request itself has one.
    ...oneEach((await auditRows(api)) - audited - 1, changed),
  ];
}

async function gatewayFigures(
  api: BenchApi,
  statements: Statements,
  { action, filter }: { readonly action: CarrierAction; readonly filter: Wanted["filter"] },
): Promise<Figure[]> {
  const { pool } = api.services.database;
  await remember(pool, "gateway", "is_active, is_archived, deleted_at");
  const audited = await auditRows(api);
  statements.taken();
  const startedMs = performance.now();
  const { changed_count } = await ask(api, gateways.changeMany, { action, filter });
  const endedMs = performance.now();
  const sent = statements.taken().map(({ text }) => text);
  const changed = await changedRows(pool, "gateway");
  return [
    atLeast(`gateways, ${action}: changed`, changed_count, "gateways", wanted.gateways),
    atMost("  until the answer", (endedMs - startedMs) / 1000, "s", limitSec),
    atMost("  statements", sent.length, "", mostStatements.call),
    atMost("  of these inserts of audit rows", audits(sent), "", 1),
    atMost("  rows that differ from the answer", Math.abs(changed - changed_count), "gateways", 0),
    ...oneEach((await auditRows(api)) - audited, changed),
  ];
}

const oneEach = (added: number, changed: number): Figure[] => [
  reported("  audit rows", added, "rows"),
  atMost("  audit rows too many or missing", Math.abs(added - changed), "rows", 0),
];

const audits = (texts: readonly string[]): number =>
  texts.filter((text) => /insert into audit\b/.test(text)).length;

/** Resolves for a task of the company once it has ended, also if that was before the question. */
function endOfTask({ services }: BenchApi): (taskId: number) => Promise<void> {
  const final = new Set<number>(Object.values(taskStates).flatMap((each) => (each.isFinal ? [each.id] : [])));
  const ended = new Set<number>();
  let tell: () => void = () => undefined;
  services.bus.on("tasksChanged", (changes) => {
    for (const { taskId, deviceId, statusId } of changes)
      if (deviceId === undefined && final.has(statusId)) ended.add(taskId);
    tell();
  });
  return async (taskId) => {
    while (!ended.has(taskId)) await new Promise<void>((resolve) => (tell = resolve));
  };
}

/** Keeps the rows of a table as they are now. */
async function remember(pool: Pool, table: "device" | "gateway", columns: string): Promise<void> {
  await pool.query("drop table if exists before_change");
  await pool.query(
    `create table before_change as select id, row(${columns})::text as was, '${columns}' as columns from ${table}`,
  );
}

/** Number of rows that have changed since. */
async function changedRows(pool: Pool, table: "device" | "gateway"): Promise<number> {
  const { rows: known } = await pool.query<{ columns: string }>("select columns from before_change limit 1");
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from before_change join ${table} using (id)
      where row(${known[0]?.columns ?? ""})::text is distinct from was`,
  );
  return rows[0]?.n ?? Number.NaN;
}

async function auditRows({ services, companyId }: BenchApi): Promise<number> {
  const { rows } = await services.database.pool.query<{ n: number }>(
    "select count(*)::int as n from audit where company_id = $1",
    [companyId],
  );
  return rows[0]?.n ?? Number.NaN;
}

/** More gateways without devices. */
async function addGateways({ services, companyId }: BenchApi, count: number): Promise<void> {
  const { pool } = services.database;
  await pool.query(
    `insert into gateway (company_id, model_id, interface_id, name, device_id)
      select $1::int, 501, 10, 'Spare ' || n, 'S' || lpad(n::text, 12, '0') from generate_series(1, $2::int) n`,
    [companyId, count],
  );
  await pool.query("vacuum analyze gateway");
}

async function ask<C extends Call>({ port, token }: BenchApi, call: C, body: object): Promise<ReplyOf<C>> {
  const response = await fetch(`http://127.0.0.1:${String(port)}/api/${pathOf(call)}`, {
    method: call.method,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(await response.text());
  return ((await response.json()) as { readonly data: ReplyOf<C> }).data;
}
