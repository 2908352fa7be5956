import {
  problem,
  type AuditAction,
  type BranchFields,
  type Company,
  type CompanyFields,
} from "@metrum/contract";
import type { CompanyId } from "@metrum/vocabulary";
import { isZone, offsetHours, record, resolveOne, zoneOfOffset, type Ctx } from "#core";
import { modulesFor } from "./modules.ts";
import * as store from "./store.ts";

/** A company as the wire shows it. The parent of the own company is not told. */
export function shown(row: store.CompanyRow, ctx: Pick<Ctx, "clock" | "scope">): Company {
  return {
    id: row.id,
    parent_id: row.id === ctx.scope.companyId ? null : row.parent_id,
    name: row.name,
    company_type_id: row.company_type_id,
    inn: row.inn ?? "",
    phone_number: row.phone_number,
    time_zone: offsetHours(row.timezone, ctx.clock.now()),
    timezone_name: row.timezone,
    is_dealer: row.is_dealer,
    is_demo: row.is_demo,
    is_active: row.is_active,
    expires_at: row.expires_at,
    options: {
      only_api: row.options.only_api ?? false,
      peak_hours_zone: row.options.peak_hours_zone ?? "price_0",
      two_factor_required: row.options.two_factor_required ?? false,
      password_min_length: row.options.password_min_length ?? 8,
    },
  };
}

/** Why nobody may work in the company now; undefined when they may. */
export function closedBecause(
  row: Pick<store.CompanyRow, "is_active" | "expires_at">,
  nowSec: number,
): "company_inactive" | "company_expired" | undefined {
  if (!row.is_active) return "company_inactive";
  return row.expires_at !== null && row.expires_at <= nowSec ? "company_expired" : undefined;
}

export async function ownCompany(ctx: Ctx): Promise<store.CompanyRow> {
  const row = await store.company(ctx.db, ctx.scope, ctx.scope.companyId);
  if (!row) throw problem("not_signed_in");
  return row;
}

export async function updateOwn(ctx: Ctx, given: CompanyFields): Promise<store.CompanyRow> {
  return change(ctx, await ownCompany(ctx), given);
}

/** A company below the own one, with what only the company above may decide. */
export async function updateBelow(ctx: Ctx, id: number, given: BranchFields): Promise<store.CompanyRow> {
  return change(ctx, await below(ctx, id), given);
}

/** The trigger on `company` tells every process; open sessions of the company end within a second. */
export async function switchBelow(ctx: Ctx, id: number, isActive: boolean): Promise<void> {
  const row = await below(ctx, id);
  await store.update(ctx.db, ctx.scope, row.id, { is_active: isActive });
  await note(ctx, "company.switch", row.id, { is_active: row.is_active }, { is_active: isActive });
}

export async function createBelow(
  ctx: Ctx,
  given: BranchFields & { readonly name: string },
): Promise<store.CompanyRow> {
  const own = await ownCompany(ctx);
  if (!own.is_dealer) throw problem("not_a_dealer");
  const { time_zone: _offset, timezone_name: _name, ...rest } = given;
  const created = await store.create(ctx.db, own, {
    ...rest,
    timezone: zoneFrom(ctx, given, null) ?? own.timezone,
    active_modules: modulesFor({ isDealer: given.is_dealer ?? false }, own.active_modules),
  });
  await note(ctx, "company.create", created.id, undefined, given);
  return created;
}

async function below(ctx: Ctx, id: number): Promise<store.CompanyRow> {
  const found = await resolveOne(ctx, "company", id);
  if (found === ctx.scope.companyId) throw problem("own_company");
  const row = await store.company(ctx.db, ctx.scope, found);
  if (!row) throw problem("not_found");
  return row;
}

async function change(ctx: Ctx, row: store.CompanyRow, given: BranchFields): Promise<store.CompanyRow> {
  const { time_zone: _offset, timezone_name: _name, is_dealer, ...rest } = given;
  const isPromoted = is_dealer !== undefined && is_dealer !== row.is_dealer;
  const updated = await store.update(ctx.db, ctx.scope, row.id, {
    ...rest,
    timezone: zoneFrom(ctx, given, row.timezone),
    ...(isPromoted
      ? {
          is_dealer,
          active_modules: modulesFor({ isDealer: is_dealer }, (await ownCompany(ctx)).active_modules),
        }
      : {}),
  });
  await note(ctx, "company.update", row.id, shown(row, ctx), shown(updated, ctx));
  return updated;
}

/** A zone by its name, else by its offset; undefined leaves what is stored. */
function zoneFrom(ctx: Ctx, given: CompanyFields, current: string | null): string | undefined {
  const { timezone_name: name, time_zone: hours } = given;
  if (name !== undefined && name !== current) {
    if (!isZone(name)) throw problem("wrong_input", { attributes: { timezone_name: ["unknown time zone"] } });
    return name;
  }
  return zoneOfOffset(hours, current, ctx.clock.now());
}

/** Notes the change and lets open sessions of this process see it with their next request. */
async function note(
  ctx: Ctx,
  action: AuditAction,
  id: CompanyId,
  before: unknown,
  after: unknown,
): Promise<void> {
  ctx.afterCommit(() => ctx.bus.publish("accessChanged", `company:${String(id)}`));
  await record(ctx, { action, subject: `company ${String(id)}`, before, after });
}
