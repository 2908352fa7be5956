import { partyBounds, type PartyPoint } from "@metrum/contract/access";
import { pageSize, problem } from "@metrum/contract/core";
import { resolve, resolveOne, type Ctx } from "#core";
import {
  countOf,
  idsOfPage,
  lockRows,
  pointsInHistory,
  type PartyIdOf,
  type PartyKind,
} from "./pageStore.ts";
import { intervalsOf } from "./pointStore.ts";

const usualPage = 10;
const largestPage = 10_000;

/** Input of a list, as its schema has left it; the other spellings are normalised by `serve`. */
interface Asked {
  readonly paginate?: boolean | undefined;
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly search_string?: string | undefined;
  readonly sort?: "asc" | "desc" | undefined;
  readonly sort_field?: string | undefined;
}

interface Listing<Kind extends PartyKind, Row> {
  readonly kind: Kind;
  readonly usualSort: string;
  readonly only?: { readonly column: string; readonly value: string | number } | undefined;
  readonly rowsOf: (ids: readonly PartyIdOf<Kind>[]) => Promise<Row[]>;
}

/** A page of a directory. */
export async function directoryPage<Kind extends PartyKind, Row>(
  ctx: Ctx,
  asked: Asked,
  { kind, usualSort, only, rowsOf }: Listing<Kind, Row>,
) {
  const { limit, page } = pageOf(asked);
  const { ids, total } = await idsOfPage(ctx, ctx.scope, kind, {
    text: asked.search_string ?? "",
    sort_field: asked.sort_field ?? usualSort,
    sort: asked.sort ?? "asc",
    limit,
    offset: (page - 1) * limit,
    only,
  });
  return paged(await rowsOf(ids), { page, limit, total });
}

/** A page of the intervals at points. Problem: not_found. */
export async function pointsPage(ctx: Ctx, kind: PartyKind, asked: Asked & { readonly id: number }) {
  const { limit, page } = pageOf(asked);
  const id = await resolveOne(ctx, kind, asked.id);
  const part = { id, limit, offset: (page - 1) * limit };
  const { rows, total } = await intervalsOf(ctx.db, ctx.scope, kind, part);
  return { points: paged<PartyPoint>(rows, { page, limit, total }) };
}

function pageOf({ paginate, page = 1, per_page = usualPage }: Asked) {
  return paginate === false
    ? { limit: largestPage, page: 1 }
    : { limit: pageSize(per_page, largestPage), page };
}

function paged<Row>(
  data: Row[],
  of: { readonly page: number; readonly limit: number; readonly total: number },
) {
  return {
    data,
    current_page: of.page,
    last_page: Math.max(1, Math.ceil(of.total / of.limit)),
    per_page: of.limit,
    total: of.total,
  };
}

const mostOf: Readonly<Record<PartyKind, number>> = {
  consumer: partyBounds.consumers,
  supplier: partyBounds.suppliers,
  transformer: partyBounds.transformers,
};

/** Problems: tied_devices_only, party_limit. */
export async function refuseNew(ctx: Ctx, kind: PartyKind, added = 1): Promise<void> {
  refuseTied(ctx);
  if ((await countOf(ctx.db, ctx.scope, kind)) + added > mostOf[kind])
    throw problem("party_limit", { params: { max: mostOf[kind] } });
}

/** An entry that the session may change, locked. Problems: not_found, tied_devices_only. */
export async function lockParty<Kind extends PartyKind>(
  ctx: Ctx,
  kind: Kind,
  given: number,
): Promise<PartyIdOf<Kind>> {
  const [id] = await lockParties(ctx, kind, [given]);
  if (id === undefined) throw problem("not_found");
  return id;
}

/** The same for many, each named once. */
export async function lockParties<Kind extends PartyKind>(
  ctx: Ctx,
  kind: Kind,
  given: readonly number[],
): Promise<PartyIdOf<Kind>[]> {
  const ids = await resolve(ctx, kind, given);
  refuseTied(ctx);
  if ((await lockRows(ctx.db, ctx.scope, kind, ids)) < ids.length) throw problem("not_found");
  return ids;
}

/** Problem: party_in_use, for entries that the history of points names. */
export async function refuseUsed(ctx: Ctx, kind: PartyKind, ids: readonly number[]): Promise<void> {
  const count = await pointsInHistory(ctx.db, kind, ids);
  if (count > 0) throw problem("party_in_use", { params: { count } });
}

/** Directories are the company's: a user who sees a part of its devices reads them only. */
function refuseTied({ scope }: Ctx): void {
  if (scope.onlyTiedDevices) throw problem("tied_devices_only");
}
