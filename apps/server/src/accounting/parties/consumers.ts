import { subjectPerson, type Consumer, type consumers } from "@metrum/contract/access";
import { problem, type ParsedOf } from "@metrum/contract/core";
import type { ConsumerId } from "@metrum/vocabulary";
import { record, recordEach, resolveOne, type Ctx } from "#core";
import * as store from "./consumerStore.ts";
import { directoryPage, lockParties, lockParty, refuseNew, refuseUsed } from "./pages.ts";

type Created = ParsedOf<typeof consumers.create>["body"];
type Changed = ParsedOf<typeof consumers.update>["body"];
type Fields = Omit<Changed, "_id">;

const ofOrganisations = ["registration_date", "registration_number"] as const;
const ofPersons = ["phone_number", "email"] as const;

/** Fields of the other type, and the fault of whoever gives them. */
const foreignTo = (type: number) =>
  type === subjectPerson
    ? { names: ofOrganisations, fault: "only_organisation" as const }
    : { names: ofPersons, fault: "only_person" as const };

export const subjectOf = (id: number): string => `consumer ${String(id)}`;

export async function consumerList(ctx: Ctx, body: ParsedOf<typeof consumers.list>["body"]) {
  const { subject_type_id: value } = body;
  return directoryPage(ctx, body, {
    kind: "consumer",
    usualSort: "name",
    only: value === undefined ? undefined : { column: "subject_type_id", value },
    rowsOf: (ids) => store.consumersOf(ctx.db, ctx.scope, { ids, now: ctx.clock.now() }),
  });
}

/** Problem: not_found. */
export async function openConsumer(ctx: Ctx, given: number): Promise<Consumer> {
  return shown(ctx, await resolveOne(ctx, "consumer", given));
}

async function shown({ db, scope, clock }: Ctx, id: ConsumerId): Promise<Consumer> {
  const [row] = await store.consumersOf(db, scope, { ids: [id], now: clock.now() });
  if (!row) throw problem("not_found");
  return row;
}

/** Problems: tied_devices_only, party_limit, wrong_input with fields of the other type. */
export async function addConsumer(ctx: Ctx, body: Created): Promise<Consumer> {
  const [id] = await addConsumers(ctx, [body]);
  if (id === undefined) throw new Error("a consumer was added without an id");
  return shown(ctx, id);
}

/** The same for many, all or none; ids in the order given. */
export async function addConsumers(ctx: Ctx, bodies: readonly Created[]): Promise<ConsumerId[]> {
  await refuseNew(ctx, "consumer", bodies.length);
  for (const body of bodies) refuseForeign(body.subject_type_id, body);
  const rows = bodies.map(({ name, subject_type_id, ...body }) => ({
    ...given(body),
    name,
    subject_type_id,
  }));
  const ids = await store.insertConsumers(ctx.db, ctx.scope.companyId, rows);
  await recordEach(
    ctx,
    "consumer.create",
    ids.map((id, at) => ({
      subject: subjectOf(id),
      after: noted(bodies[at] ?? {}, Object.keys(given(bodies[at] ?? {}))),
    })),
  );
  return ids;
}

/** Problems: not_found, tied_devices_only, consumer_erased, wrong_input with fields of the other type. */
export async function changeConsumer(ctx: Ctx, { _id, ...fields }: Changed): Promise<Consumer> {
  const id = await lockParty(ctx, "consumer", _id);
  const before = await shown(ctx, id);
  if (before.erased_at !== null) throw problem("consumer_erased");
  const type = fields.subject_type_id ?? before.subject_type_id;
  refuseForeign(type, fields);
  const cleared = Object.fromEntries(foreignTo(type).names.map((name) => [name, null]));
  const put = { ...given(fields), ...cleared };
  const changed = Object.entries(put).filter(([name, value]) => Reflect.get(before, name) !== value);
  if (changed.length === 0) return before;
  await store.changeConsumer(ctx.db, ctx.scope, id, Object.fromEntries(changed));
  const names = changed.map(([name]) => name);
  await record(ctx, {
    action: "consumer.update",
    subject: subjectOf(id),
    before: noted(before, names),
    after: noted(put, names),
  });
  return shown(ctx, id);
}

/** Removes consumers, each named once. Problems: not_found, tied_devices_only, party_in_use. */
export async function removeConsumers(ctx: Ctx, given: readonly number[]): Promise<void> {
  if (given.length === 0) return;
  const { db, scope, clock } = ctx;
  const ids = await lockParties(ctx, "consumer", given);
  await refuseUsed(ctx, "consumer", ids);
  const rows = await store.consumersOf(db, scope, { ids, now: clock.now() });
  await store.deleteConsumers(db, scope, ids);
  await recordEach(
    ctx,
    "consumer.delete",
    rows.map((row) => ({
      subject: subjectOf(Number(row._id)),
      before: noted(row, ["subject_type_id", "account_access_enabled"]),
    })),
  );
}

/** Given fields as they are stored: an empty one of a single type is none. */
function given(fields: Fields): Partial<store.NewConsumer> {
  const single: readonly string[] = [...ofOrganisations, ...ofPersons];
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, single.includes(name) && value === "" ? null : value]),
  );
}

/** Problem: wrong_input, for a value of the other type. */
function refuseForeign(type: number, fields: Fields): void {
  const { names, fault } = foreignTo(type);
  const wrong = names.filter((name) => (fields[name] ?? "") !== "");
  if (wrong.length > 0)
    throw problem("wrong_input", { attributes: Object.fromEntries(wrong.map((name) => [name, [fault]])) });
}

/** Fields whose values say nothing about a person. */
const impersonal = new Set(["subject_type_id", "account_access_enabled"]);

/**
 * What the log says about a change. It is never edited, so it has the names of personal fields and not their
 * values: data that are erased must not stay in it.
 */
function noted(row: object, names: readonly string[]): object {
  const personal = names.filter((name) => !impersonal.has(name));
  return {
    ...Object.fromEntries(
      names.filter((name) => impersonal.has(name)).map((name) => [name, Reflect.get(row, name) as unknown]),
    ),
    ...(personal.length > 0 ? { fields: personal } : {}),
  };
}
