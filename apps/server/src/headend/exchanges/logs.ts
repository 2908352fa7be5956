import { modelById } from "@metrum/catalogue";
import type { ExchangeStep, TaskLog } from "@metrum/contract";
import {
  fromHex,
  ProtocolError,
  toHex,
  type Driver,
  type ExplainedStep,
  type RecordFormats,
} from "@metrum/protocols";
import { sql } from "kysely";
import type { Ctx, Db, Scope } from "#core";
import { openSecrets, type DeviceSecrets } from "#metering/devices";
import { sealedSecrets, type AskedDevice } from "./asked.ts";
import { maskSecrets, type LoggedStep } from "./exchange.ts";
import { knownFormats, sendsCompact } from "./recordFormatStore.ts";
import { factorySecrets } from "./secrets.ts";
import { unpackSteps } from "./steps.ts";

export interface LogFilter {
  readonly device_id: number;
  readonly id?: number | undefined;
  readonly device_task_id?: number | undefined;
  readonly type_id?: number | undefined;
  readonly result_code?: number | undefined;
  readonly start_date?: number | undefined;
  readonly stop_date?: number | undefined;
  readonly steps?: boolean | undefined;
}

interface LogRow extends Omit<TaskLog, "steps"> {
  readonly steps: readonly LoggedStep[] | null;
}

interface PackedRow extends Omit<TaskLog, "steps"> {
  readonly steps: Buffer | null;
}

/**
 * A page of the exchanges of one device, newest first. Rows: those of the device in the period, by primary key. The log has
 * no company of its own, so the id comes from a query on `device`.
 */
export async function logPage(
  { db, scope }: { readonly db: Db; readonly scope: Scope },
  filter: LogFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: LogRow[]; total: number }> {
  const conditions = [
    sql`device_id = (select id from device where id = ${filter.device_id} and company_id = ${scope.companyId})`,
    ...(filter.id === undefined ? [] : [sql`started_ms = ${filter.id}`]),
    ...(filter.device_task_id === undefined ? [] : [sql`device_task_id = ${filter.device_task_id}`]),
    ...(filter.type_id === undefined ? [] : [sql`kind = ${filter.type_id}`]),
    ...(filter.result_code === undefined ? [] : [sql`result = ${filter.result_code}`]),
    ...(filter.start_date === undefined
      ? [] // A row may count failures until the end of its day.
      : [
          sql`started_ms >= ${(filter.start_date - 86_400) * 1000}`,
          sql`coalesce(last_ms, started_ms) >= ${filter.start_date * 1000}`,
        ]),
    ...(filter.stop_date === undefined ? [] : [sql`started_ms < ${(filter.stop_date + 1) * 1000}`]),
  ];
  const where = sql.join(conditions, sql` and `);
  const steps = filter.steps === true || filter.id !== undefined ? sql`steps` : sql`null::bytea`;
  const { rows } = await sql<PackedRow>`
    select started_ms as id, device_task_id, device_id, kind as type_id, result as result_code, message,
      started_ms / 1000 as created_at, received_at, duration_ms, tries, readings, line, repeats,
      coalesce(last_ms, started_ms) / 1000 as last_at, ${steps} as steps
    from poll_log where ${where} order by started_ms desc limit ${page.limit} offset ${page.offset}`.execute(
    db,
  );
  const { rows: counted } = await sql<{ n: number }>`
    select count(*)::int as n from poll_log where ${where}`.execute(db);
  return {
    rows: rows.map((row) => ({ ...row, steps: row.steps && unpackSteps(row.steps) })),
    total: counted[0]?.n ?? 0,
  };
}

/** What says what the bytes of a device mean. */
export interface LoggedDevice {
  readonly driver: Driver | undefined;
  /** Of a device that encrypts what it sends. */
  readonly keys?: NonNullable<DeviceSecrets["keys"]>;
  /** Of a device that shortens what it sends. */
  readonly formats?: RecordFormats;
}

/** Driver and keys of a device of the company. Primary keys. */
export async function loggedDevice(
  { db, scope, config, log }: Pick<Ctx, "db" | "scope" | "config" | "log">,
  deviceId: number,
): Promise<LoggedDevice> {
  const { rows } = await sql<{ model_id: number; sealed: AskedDevice["sealed"] }>`
    select d.model_id, ${sealedSecrets} as sealed from device d
    where d.id = ${deviceId} and d.company_id = ${scope.companyId}`.execute(db);
  const [row] = rows;
  const model = row && modelById(row.model_id);
  const driver = model?.kind === "meter" ? model.driver : undefined;
  if (driver?.kind !== "uplink" || !row) return { driver };
  const shown = sendsCompact(driver) ? { driver, formats: await knownFormats(db, deviceId) } : { driver };
  try {
    const { keys } = openSecrets(config, deviceId, row.sealed);
    return keys === undefined ? shown : { ...shown, keys };
  } catch (error) {
    log.error({ err: error, device: deviceId }, "secrets of a device do not open");
    return shown;
  }
}

/** A row as the call answers it: every byte of its steps with its meaning, by the driver of the model. */
export function explainRow({ steps, ...row }: LogRow, device: LoggedDevice): TaskLog {
  if (!steps) return row;
  const shown = steps.map((step) => withoutPassword(step, device));
  const spans = spansOf(shown, device);
  return { ...row, steps: shown.map((step, at) => explainedStep(step, spans[at])) };
}

/** Rows of the time before passwords of models were left out of the log are shown without them as well. */
function withoutPassword(step: LoggedStep, { driver }: LoggedDevice): LoggedStep {
  const secrets = factorySecrets(driver);
  if (secrets.length === 0) return step;
  const hide = (hex: string): string => toHex(maskSecrets(fromHex(hex), secrets));
  return { ...step, sent: hide(step.sent), received: hide(step.received) };
}

function explainedStep(step: LoggedStep, spans: ExplainedStep = unexplained): ExchangeStep {
  return {
    label: step.label,
    try: step.try,
    tries: step.tries,
    at_ms: step.at,
    answered_ms: step.answered,
    ended_ms: step.ended,
    sent: step.sent,
    received: step.received,
    error: step.error ? { ...step.error, offset: step.error.offset ?? null } : null,
    sent_spans: [...spans.sent],
    received_spans: [...spans.received],
  };
}

const unexplained: ExplainedStep = { sent: [], received: [] };

function spansOf(steps: readonly LoggedStep[], device: LoggedDevice): readonly ExplainedStep[] {
  const { driver } = device;
  if (driver?.kind !== "line" || !driver.explainDialogue)
    return steps.map((step) => spansOfOne(step, device));
  return driver.explainDialogue(
    steps.map(({ sent, received }) => ({ sent: fromHex(sent), received: fromHex(received) })),
  );
}

/** Bytes that the driver cannot read stay without a meaning; they are shown all the same. */
function spansOfOne(step: LoggedStep, { driver, ...device }: LoggedDevice): ExplainedStep {
  const sent = fromHex(step.sent);
  const received = fromHex(step.received);
  try {
    if (driver?.kind === "line") return driver.explain(sent, received);
    // What a codec of the company reads, the driver of the model would name wrongly.
    if (driver?.kind === "uplink" && step.fport !== undefined && step.codec === undefined)
      return { sent: [], received: driver.explain(received, step.fport, device) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  return unexplained;
}
