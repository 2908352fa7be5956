import { problem, type ParsedOf } from "@metrum/contract/core";
import { mostLineTests, type LineTest, type lines } from "@metrum/contract/headend";
import { readUntil, record, type Ctx } from "#core";
import { addLineJobs, requestPriority, taskOf } from "#headend/dialogue";
import { lineModel, lineOfGateway } from "#headend/exchanges";
import { openOwnLine } from "#metering/gateways";
import { failedTest } from "./testJob.ts";
import * as store from "./testStore.ts";

/** Longer than a test may take, shorter than a request may wait. */
const patienceMs = 50_000;
/** Interval of reads of the answer without a notification. */
const pauseMs = 1_000;

/**
 * Has a line tested by the process that holds it, and waits for the answer. A line in use is not interrupted:
 * the test is refused. A line that cannot be opened is an outcome. Problems: not_found, tied_devices_only,
 * gateway_in_trash, unknown_model, line_not_set, line_busy, line_test_limit.
 */
export async function testLine(ctx: Ctx, given: ParsedOf<typeof lines.test>["body"]): Promise<LineTest> {
  const { database, scope, session, address, clock } = ctx;
  const { kind, model_id: modelId, inside_addr: insideAddr = "" } = given;
  if (modelId !== undefined && !lineModel(modelId))
    throw problem("unknown_model", { attributes: { model_id: ["unknown"] } });
  // A separate transaction: no row stays locked while the line is in use.
  const gateway = await database.scoped(scope, async (db) => {
    const { id } = await openOwnLine({ ...ctx, db }, given.gateway_id);
    return store.testedGateway(db, id);
  });
  const target = gateway && lineOfGateway(gateway);
  if (!target) throw problem("line_not_set");
  const task = (await store.hasProcess(database.system)) ? await taskOf(database.system, target) : undefined;
  if ((await store.testsOfCompany(database.system, scope, clock.now())) >= mostLineTests)
    throw problem("line_test_limit", { params: { max: mostLineTests } });
  const after = { line: target.key, kind, model_id: modelId ?? null, inside_addr: insideAddr };
  await database.scoped(scope, (db) =>
    record(
      { db, scope, session, address },
      { action: "line.test", subject: `gateway ${String(gateway.gatewayId)}`, after },
    ),
  );
  if (task === undefined) return failedTest("no_line");
  const asked = { kind, modelId: modelId ?? null, insideAddr };
  return runTest(ctx, {
    task,
    test: { gatewayId: gateway.gatewayId, line: target.key, asked, now: clock.now() },
  });
}

interface Asked {
  readonly task: string;
  readonly test: store.NewTest;
}

async function runTest(ctx: Ctx, { task, test }: Asked): Promise<LineTest> {
  const { database } = ctx;
  const id = await store.addTest(database.system, test);
  if (id === undefined) throw problem("line_busy");
  try {
    await addLineJobs(database.system, [
      {
        kind: store.lineTestKind,
        task,
        payload: { lineTestId: id },
        line: test.line,
        key: `lineTest:${String(id)}`,
        priority: requestPriority,
      },
    ]);
    const answer = await readUntil(ctx, {
      read: () => store.answerOfTest(database.system, id),
      isFinal: (found) => found !== undefined,
      channel: store.lineTestChannel,
      payload: String(id),
      waitMs: patienceMs,
      pauseMs,
    });
    if (answer?.result === "line_busy") throw problem("line_busy");
    return answer ?? failedTest("timeout");
  } finally {
    await store.closeTest(database.system, id);
  }
}
