import type { BranchFields, Company, CompanyFields } from "@metrum/contract/access";
import { problem } from "@metrum/contract/core";
import { isZone, offsetHours, resolveOne, zoneOfOffset, type Ctx } from "#core";
import { chosenModules, modulesFor, modulesOfDealer } from "./modules.ts";
import { noteChange, noteInBoth } from "./note.ts";
import * as store from "./store.ts";

/** A company as sent to clients. The parent of one's own company is not disclosed. */
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
      peak_hours_region: row.options.peak_hours_region ?? 1,
      two_factor_required: row.options.two_factor_required ?? false,
      password_min_length: row.options.password_min_length ?? 8,
      divides_gaps_from: row.options.divides_gaps_from ?? null,
    },
    peak_hours: row.peak_hours,
    active_modules: row.active_modules,
  };
}

/** Why the company is closed to its users; undefined when it is open. */
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

/** A company below one's own, with the settings that only the company above may change. */
export async function updateBelow(ctx: Ctx, id: number, given: BranchFields): Promise<store.CompanyRow> {
  const row = await below(ctx, id);
  const { is_dealer, active_modules, is_demo, ...rest } = given;
  if (is_dealer === false && (await store.hasCompaniesBelow(ctx.db, row.id)))
    throw problem("companies_below");
  const modules = await modulesAfter(ctx, row, { is_dealer, active_modules });
  const updated = await change(ctx, row, {
    ...rest,
    ...(is_dealer === undefined ? {} : { is_dealer }),
    ...demoFlag(ctx, is_demo),
    ...(modules ? { active_modules: modules } : {}),
  });
  if (modules) await store.cutModulesBelow(ctx.db, updated);
  return updated;
}

/** The trigger on `company` notifies every process; open sessions of the company end within a second. */
export async function switchBelow(ctx: Ctx, id: number, isActive: boolean): Promise<void> {
  const row = await below(ctx, id);
  await store.update(ctx.db, ctx.scope, row.id, { is_active: isActive });
  await noteChange(ctx, {
    action: "company.switch",
    id: row.id,
    before: { is_active: row.is_active },
    after: { is_active: isActive },
  });
}

export async function createBelow(
  ctx: Ctx,
  given: BranchFields & { readonly name: string; readonly parent_id?: number | undefined },
): Promise<store.CompanyRow> {
  const { time_zone: _offset, timezone_name: _name, parent_id, is_demo, active_modules, ...rest } = given;
  const parent = parent_id === undefined ? await ownCompany(ctx) : await inBranch(ctx, parent_id);
  if (!parent.is_dealer) throw problem("not_a_dealer");
  const isDealer = given.is_dealer ?? false;
  const created = await store.create(ctx.db, parent, {
    ...rest,
    ...demoFlag(ctx, is_demo),
    timezone: zoneFrom(ctx, given, null) ?? parent.timezone,
    active_modules: active_modules
      ? chosenModules(slugsOf(active_modules), { isDealer, ofParent: parent.active_modules })
      : modulesFor({ isDealer }, parent.active_modules),
  });
  await noteChange(ctx, { action: "company.create", id: created.id, after: given });
  return created;
}

/** A company of the branch, including one's own. Throws not_found. */
export async function inBranch(ctx: Ctx, id: number): Promise<store.CompanyRow> {
  const row = await store.company(ctx.db, ctx.scope, await resolveOne(ctx, "company", id));
  if (!row) throw problem("not_found");
  return row;
}

/** A company below one's own. Throws not_found, own_company. */
export async function below(ctx: Ctx, id: number): Promise<store.CompanyRow> {
  const row = await inBranch(ctx, id);
  if (row.id === ctx.scope.companyId) throw problem("own_company");
  return row;
}

async function change(
  ctx: Ctx,
  row: store.CompanyRow,
  given: CompanyFields & store.CompanyChange,
): Promise<store.CompanyRow> {
  const { time_zone: _offset, timezone_name: _name, ...rest } = given;
  const updated = await store.update(ctx.db, ctx.scope, row.id, {
    ...rest,
    timezone: zoneFrom(ctx, given, row.timezone),
  });
  await noteChange(ctx, {
    action: "company.update",
    id: row.id,
    before: shown(row, ctx),
    after: shown(updated, ctx),
  });
  await noteGaps(ctx, row, updated);
  return updated;
}

/** What is billed of gaps has a line of its own in the log, with the day before and after. */
async function noteGaps(ctx: Ctx, row: store.CompanyRow, updated: store.CompanyRow): Promise<void> {
  const [before, after] = [row, updated].map(({ options }) => ({
    divides_gaps_from: options.divides_gaps_from ?? null,
  }));
  if (before?.divides_gaps_from === after?.divides_gaps_from) return;
  await noteInBoth(ctx, { action: "company.dividesGaps", id: row.id, before, after });
}

/** The modules of a company after a change from above; undefined if unchanged. */
async function modulesAfter(
  ctx: Ctx,
  row: store.CompanyRow,
  { is_dealer, active_modules }: Pick<BranchFields, "is_dealer" | "active_modules">,
): Promise<store.CompanyRow["active_modules"] | undefined> {
  const isChanged = is_dealer !== undefined && is_dealer !== row.is_dealer;
  if (!active_modules && !isChanged) return undefined;
  const parent = row.parent_id === null ? undefined : await inBranch(ctx, row.parent_id);
  const rule = { isDealer: is_dealer ?? row.is_dealer, ofParent: parent?.active_modules ?? [] };
  return active_modules
    ? chosenModules(slugsOf(active_modules), rule)
    : modulesOfDealer(row.active_modules, rule);
}

function slugsOf(modules: readonly { readonly slug: string }[]): string[] {
  return modules.map(({ slug }) => slug);
}

/** Only staff of the provider may mark a company as a demonstration. */
function demoFlag(ctx: Ctx, isDemo: boolean | undefined): { readonly is_demo?: boolean } {
  return isDemo !== undefined && ctx.scope.access.is_platform ? { is_demo: isDemo } : {};
}

/** A zone by its name, else by its offset; undefined keeps the stored one. */
function zoneFrom(ctx: Ctx, given: CompanyFields, current: string | null): string | undefined {
  const { timezone_name: name, time_zone: hours } = given;
  if (name !== undefined && name !== current) {
    if (!isZone(name)) throw problem("wrong_input", { attributes: { timezone_name: ["zone"] } });
    return name;
  }
  return zoneOfOffset(hours, current, ctx.clock.now());
}
