import { partyBounds, type Consumer, type ConsumerExport } from "@metrum/contract/access";
import { record, resolveOne, type Ctx } from "#core";
import { openConsumer, subjectOf } from "./consumers.ts";
import { changeConsumer } from "./consumerStore.ts";
import { changesOf, daysOf } from "./exportStore.ts";
import { lockParty } from "./pages.ts";
import { intervalsOf } from "./pointStore.ts";

/** Everything that is stored about a consumer, for them. Problem: not_found. */
export async function exportConsumer(ctx: Ctx, given: number): Promise<ConsumerExport> {
  const { db, scope, clock } = ctx;
  const id = await resolveOne(ctx, "consumer", given);
  const limit = partyBounds.exported;
  const { rows: points, total } = await intervalsOf(db, scope, "consumer", { id, limit, offset: 0 });
  const days = await daysOf(db, scope, id, limit + 1);
  const changes = await changesOf(db, scope, subjectOf(id), limit + 1);
  await record(ctx, { action: "consumer.export", subject: subjectOf(id) });
  return {
    made_at: clock.now(),
    consumer: await openConsumer(ctx, id),
    points,
    days: days.slice(0, limit),
    changes: changes.slice(0, limit),
    is_complete: total <= limit && days.length <= limit && changes.length <= limit,
  };
}

/**
 * Empties every field of a consumer; a number replaces the name, and the history of points stays. Repeating it
 * changes nothing. Problems: not_found, tied_devices_only.
 */
export async function eraseConsumer(ctx: Ctx, given: number): Promise<Consumer> {
  const id = await lockParty(ctx, "consumer", given);
  const before = await openConsumer(ctx, id);
  if (before.erased_at !== null) return before;
  await changeConsumer(ctx.db, ctx.scope, id, {
    name: `№ ${String(id)}`,
    inn: "",
    number_of_contract: "",
    address: "",
    comment: "",
    registration_date: null,
    registration_number: null,
    phone_number: null,
    email: null,
    account_access_enabled: false,
    measurement_code_object: "",
    erased_at: new Date(ctx.clock.nowMs()),
  });
  await record(ctx, { action: "consumer.erase", subject: subjectOf(id) });
  return openConsumer(ctx, id);
}
