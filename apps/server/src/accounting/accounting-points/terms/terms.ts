import { pointBounds } from "@metrum/contract/accounting";
import { isSameContent, problem } from "@metrum/contract/core";
import type { PointStandard } from "@metrum/contract/metering";
import type { AccountingPointId } from "@metrum/vocabulary";
import { record, resolve, resolveOne, type Ctx } from "#core";
import {
  lockPoint,
  momentOf,
  pointsChanged,
  refuseBilled,
  refuseBilledSpans,
  refuseMoment,
  subjectOf,
  type RegisterValues,
  type TermKind,
} from "../records/index.ts";
import * as store from "./termStore.ts";
import type { Term, TermValue } from "./termStore.ts";

/** A term to be set; a null value ends it. */
export interface TermChange {
  readonly kind: TermKind;
  readonly value: TermValue | null;
  readonly from: number;
  /** Undefined: until the next term of the kind that is known already; null: for good. */
  readonly to?: number | null | undefined;
  readonly reading?: RegisterValues | undefined;
  readonly note?: string | undefined;
  /** The field of the request that says `from`; without one, `from`. */
  readonly field?: string | undefined;
}

/**
 * Sets a term of a locked point from a moment on. What was valid before the moment stays as it was. Returns
 * the value before, for the log; undefined if nothing changes. Problems: point_moment, point_limit,
 * period_closed.
 */
export async function putTerm(
  ctx: Pick<Ctx, "db" | "scope">,
  pointId: AccountingPointId,
  { kind, value, from, to: given, reading = {}, note = "", field = "from" }: TermChange,
): Promise<{ readonly before: unknown } | undefined> {
  const { db, scope } = ctx;
  const terms = await store.termsOf(db, { pointId, kind });
  const to = given === undefined ? (terms.find((term) => term.from_ts > from)?.from_ts ?? null) : given;
  if (to !== null && to <= from) refuseMoment("to");
  const within = terms.filter((term) => term.from_ts < (to ?? Infinity) && (term.to_ts ?? Infinity) > from);
  if (value === null ? within.length === 0 : isSame(within, value, { from, to, reading })) return undefined;
  if (terms.length >= pointBounds.intervals)
    throw problem("point_limit", { params: { max: pointBounds.intervals } });
  await refuseBilled(ctx, pointId, { from, to, field });
  await store.cutTerms(db, { pointId, kind, from, to });
  if (value !== null)
    await store.insertTerms(db, scope, [{ pointId, kind, from, to, reading, note, ...value }]);
  const before = within.find((term) => term.from_ts <= from);
  return { before: before ? valueOf(before) : null };
}

/** A term of a new point, which has no others. */
export interface FirstTerm extends Pick<TermChange, "kind" | "value" | "from"> {
  readonly pointId: AccountingPointId;
  readonly zone: string;
}

/** Sets terms of new points for good. Problem: period_closed. */
export async function putFirstTerms(
  ctx: Pick<Ctx, "db" | "scope">,
  terms: readonly FirstTerm[],
): Promise<void> {
  const put = terms.flatMap(({ value, zone, ...term }) =>
    value === null ? [] : [{ ...term, ...value, zone, to: null, reading: {}, note: "" }],
  );
  await refuseBilledSpans(
    ctx,
    put.map(({ from, to, zone }) => ({ from, to, zone, field: "valid_from" })),
  );
  await store.insertTerms(
    ctx.db,
    ctx.scope,
    put.map(({ zone: _, ...term }) => term),
  );
}

/** The value of a term by its kind, as the log shows it. */
export function valueOf(term: TermValue): unknown {
  const { number, voltage_level_id, consumer_id, supplier_id, transformer_id, standard } = term;
  if (number !== null && number !== undefined) return Number(number);
  return voltage_level_id ?? consumer_id ?? supplier_id ?? transformer_id ?? standard ?? null;
}

function isSame(
  within: readonly Term[],
  value: TermValue,
  { from, to, reading }: Pick<Term, "reading"> & { readonly from: number; readonly to: number | null },
): boolean {
  const [only] = within;
  const isCorrected = only?.from_ts === from && !hasReading(only.reading, reading);
  return (
    !isCorrected &&
    within.length === 1 &&
    only !== undefined &&
    only.from_ts <= from &&
    (only.to_ts ?? Infinity) >= (to ?? Infinity) &&
    isSameContent(valueOf(only), valueOf(value))
  );
}

/** Whether the registers that are given now were noted so at the change; none given: they stay. */
const hasReading = (noted: RegisterValues, given: RegisterValues): boolean =>
  Object.entries(given).every(([register, value]) => Number(Reflect.get(noted, register)) === value);

/** Terms as a form of the point sends them. */
export interface TermFields {
  readonly transformation_ratio?: number | null | undefined;
  readonly loss_factor?: number | null | undefined;
  readonly contract_power?: number | null | undefined;
  readonly voltage_level_id?: number | null | undefined;
  readonly consumer_id?: number | null | undefined;
  readonly supplier_id?: number | null | undefined;
  readonly standard?: PointStandard | null | undefined;
}

/** A term that a form names, and its value. */
export interface GivenTerm {
  readonly kind: TermKind;
  readonly value: TermValue | null;
}

/** The terms that a form names, with ids of the own company. Problem: not_found. */
export async function termsFrom(ctx: Ctx, given: TermFields): Promise<GivenTerm[]> {
  const [terms = []] = await termsOfForms(ctx, [given]);
  return terms;
}

/** The same of several forms. */
export async function termsOfForms(ctx: Ctx, forms: readonly TermFields[]): Promise<GivenTerm[][]> {
  const idsOf = (ids: readonly (number | null | undefined)[]) => ids.filter((id) => typeof id === "number");
  await resolve(ctx, "consumer", idsOf(forms.map(({ consumer_id }) => consumer_id)));
  await resolve(ctx, "supplier", idsOf(forms.map(({ supplier_id }) => supplier_id)));
  return forms.map(termsOfForm);
}

/** The terms of a form whose ids came through `resolve`. */
function termsOfForm(given: TermFields): GivenTerm[] {
  const term = <Value>(
    kind: TermKind,
    value: Value | null | undefined,
    as: (value: Value) => TermValue | null,
  ): GivenTerm[] => (value === undefined ? [] : [{ kind, value: value === null ? null : as(value) }]);
  const number = (value: number) => ({ number: value });
  return [
    ...term("ratio", given.transformation_ratio, number),
    ...term("loss", given.loss_factor, number),
    ...term("contract_power", given.contract_power, number),
    ...term("voltage_level", given.voltage_level_id, (voltage_level_id) => ({ voltage_level_id })),
    ...term("consumer", given.consumer_id, (consumer_id) => ({ consumer_id })),
    ...term("supplier", given.supplier_id, (supplier_id) => ({ supplier_id })),
    ...term("standard", given.standard, standardFrom),
  ];
}

/** Norms without those that are not set; none at all ends the standard. */
function standardFrom(given: PointStandard): TermValue | null {
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  return entries.length === 0 ? null : { standard: Object.fromEntries(entries) };
}

/** Field of a form by the kind that it sets. */
const fieldOfKind = {
  ratio: "transformation_ratio",
  loss: "loss_factor",
  contract_power: "contract_power",
  voltage_level: "voltage_level_id",
  consumer: "consumer_id",
  supplier: "supplier_id",
  standard: "standard",
} as const satisfies Partial<Record<TermKind, keyof TermFields>>;

const numeric: ReadonlySet<string> = new Set(["ratio", "loss", "contract_power"]);

interface SetTerm extends TermFields {
  readonly accounting_point_id: number;
  readonly kind: keyof typeof fieldOfKind;
  readonly number?: number | null | undefined;
  readonly from?: number | undefined;
  readonly to?: number | null | undefined;
  readonly reading?: Readonly<Record<string, number>> | undefined;
  readonly note?: string | undefined;
}

/** A term of one kind by the body of its call. Problems: not_found, wrong_input. */
async function valueFrom(ctx: Ctx, body: SetTerm): Promise<TermValue | null> {
  const { kind, number = null } = body;
  const isOutside = (kind === "ratio" && number === 0) || (kind === "loss" && (number ?? 0) >= 1);
  if (isOutside) throw problem("wrong_input", { attributes: { number: ["range"] } });
  // Those of other kinds set nothing, but are of the company all the same.
  if (body.consumer_id != null) await resolveOne(ctx, "consumer", body.consumer_id);
  if (body.supplier_id != null) await resolveOne(ctx, "supplier", body.supplier_id);
  const given = numeric.has(kind) ? number : (body[fieldOfKind[kind]] ?? null);
  const [term] = await termsFrom(ctx, { [fieldOfKind[kind]]: given });
  return term?.value ?? null;
}

/** Sets one term of a point. Problems: not_found, wrong_input, point_moment, point_limit. */
export async function setTerm(ctx: Ctx, body: SetTerm): Promise<void> {
  const pointId = await lockPoint(ctx, body.accounting_point_id);
  const from = momentOf(ctx, body.from, "from");
  if (typeof body.to === "number") momentOf(ctx, body.to, "to");
  const value = await valueFrom(ctx, body);
  await changeTerm(ctx, pointId, { ...body, value, from });
}

/** Puts a term of a locked point, writes the log, and has the numbers from there on recomputed. */
export async function changeTerm(ctx: Ctx, pointId: AccountingPointId, change: TermChange): Promise<boolean> {
  const changed = await putTerm(ctx, pointId, change);
  if (!changed) return false;
  const { kind, from, to, value, note } = change;
  await record(ctx, {
    action: "point.term",
    subject: subjectOf(pointId),
    before: { [kind]: changed.before },
    after: {
      [kind]: value === null ? null : valueOf(value),
      from,
      ...(to == null ? {} : { to }),
      ...(note ? { note } : {}),
    },
  });
  pointsChanged(ctx);
  return true;
}
