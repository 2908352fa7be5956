import type { LineTest } from "@metrum/contract/headend";
import { sql } from "kysely";
import { storableJson, type Db, type Scope } from "#core";
import type { GatewayPlace } from "#headend/exchanges";

/** Name of the line job that tests a line. */
export const lineTestKind = "lineTest";
/** Channel that announces the end of a test; the payload is its id. */
export const lineTestChannel = "line_test_ended";

/** What a test does on its line. */
export interface AskedTest {
  readonly kind: "listen" | "ask";
  readonly modelId: number | null;
  readonly insideAddr: string;
}

/** Tests are forgotten after this time, also those of a dead process. */
const keptSec = 120;
/** Time in which the tests of a company are counted. */
const countedSec = 60;

export interface NewTest {
  readonly gatewayId: number;
  readonly line: string;
  readonly asked: AskedTest;
  readonly now: number;
}

/** Stores a test; undefined when the line has one, or is in use. */
export async function addTest(
  system: Db,
  { gatewayId, line, asked, now }: NewTest,
): Promise<number | undefined> {
  await sql`delete from line_test where asked_at < ${now - keptSec}`.execute(system);
  const { rows } = await sql<{ id: number }>`
    insert into line_test (gateway_id, line, asked, asked_at)
    select ${gatewayId}::int, ${line}::text, ${storableJson(asked)}::jsonb, ${now}::bigint
    where not exists (select from graphile_worker._private_job_queues
        where queue_name = ${`line:${line}`} and locked_at is not null)
      and not exists (select from transparent_port where transparent_port.line = ${line} and state <> 'closed')
    on conflict (line) where not is_over do nothing returning id::float8`.execute(system);
  return rows[0]?.id;
}

/** Tests of the gateways of a company in the last minute. Rows: the tests of the installation in two. */
export async function testsOfCompany(system: Db, { companyId }: Scope, now: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from line_test t join gateway g on g.id = t.gateway_id
    where g.company_id = ${companyId} and t.asked_at >= ${now - countedSec}`.execute(system);
  return rows[0]?.n ?? 0;
}

/** A gateway whose line is tested. */
export interface TestedGateway extends GatewayPlace {
  readonly listens: unknown;
  /** DLMS messages travel in the wrapper of TCP on it. */
  readonly isWrapped: boolean;
}

const placeColumns = sql`g.id as "gatewayId", g.model_id as "gatewayModelId", g.host, g.port, g.serial,
  g.is_line_entered as "isEntered", g.listens, g.dlms_wrapper as "isWrapped"`;

/** The line of a gateway that came through `resolve`, outside the trash. Primary key. */
export async function testedGateway(db: Db, id: number): Promise<TestedGateway | undefined> {
  const { rows } = await sql<TestedGateway>`
    select ${placeColumns} from gateway g where g.id = ${id} and g.deleted_at is null`.execute(db);
  return rows[0];
}

/** A test that has no answer yet, with its gateway. Primary keys. */
export async function askedTest(
  system: Db,
  id: number,
): Promise<{ readonly asked: AskedTest; readonly gateway: TestedGateway } | undefined> {
  const { rows } = await sql<TestedGateway & { readonly asked: AskedTest }>`
    select t.asked, ${placeColumns} from line_test t join gateway g on g.id = t.gateway_id
    where t.id = ${id} and not t.is_over and g.deleted_at is null`.execute(system);
  const [row] = rows;
  if (!row) return undefined;
  const { asked, ...gateway } = row;
  return { asked, gateway };
}

/** Whether any process talks to devices. */
export async function hasProcess(system: Db): Promise<boolean> {
  return (await sql`select from process limit 1`.execute(system)).rows.length > 0;
}

export async function endTest(system: Db, id: number, answer: LineTest): Promise<void> {
  await sql`update line_test set answer = ${storableJson(answer)}::jsonb where id = ${id}`.execute(system);
  await sql`select pg_notify(${lineTestChannel}, ${String(id)})`.execute(system);
}

/** The answer of a test, undefined while there is none. */
export async function answerOfTest(system: Db, id: number): Promise<LineTest | undefined> {
  const { rows } = await sql<{ answer: LineTest | null }>`
    select answer from line_test where id = ${id}`.execute(system);
  return rows[0]?.answer ?? undefined;
}

/** The call has its answer, or waits no longer. */
export async function closeTest(system: Db, id: number): Promise<void> {
  await sql`update line_test set is_over = true, answer = null where id = ${id}`.execute(system);
}
