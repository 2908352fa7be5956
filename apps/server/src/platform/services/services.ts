import {
  serviceMessages,
  type CompanyService,
  type Service,
  type ServiceLogRow,
  type services,
} from "@metrum/contract/access";
import { pageSize, problem, type ParsedOf } from "@metrum/contract/core";
import type { Language, Text } from "@metrum/vocabulary";
import { record, resolveOne, type Ctx } from "#core";
import { kindOf } from "./kinds/index.ts";
import * as store from "./store.ts";

/** Rows of a call without paging. */
const usualPage = 25;

/** The catalogue by group. A service for which this installation is not configured is not available. */
export async function serviceGroups(ctx: Ctx) {
  const [groups, catalogue] = [await store.groups(ctx.db), await store.catalogue(ctx.db)];
  return groups.map(({ id, title }) => ({
    id,
    title: title[ctx.language],
    services: catalogue.filter((each) => each.service_group_id === id).map((each) => shown(each, ctx)),
  }));
}

export async function companyServices(ctx: Ctx): Promise<CompanyService[]> {
  return (await store.ofCompany(ctx.db, ctx.scope)).map((row) => shownOfCompany(row, ctx));
}

/**
 * Gives the company a service or changes it. An existing one can be changed even if it is no longer offered.
 */
export async function setService(
  ctx: Ctx,
  given: ParsedOf<typeof services.companySet>["body"],
): Promise<CompanyService> {
  const offered = await store.service(ctx.db, given.service_id);
  if (!offered) throw problem("not_found");
  const before = await store.ofCompanyByCode(ctx.db, ctx.scope, offered.code);
  const isGiven = given.is_active ?? before?.is_active ?? true;
  if (isGiven && !isAvailable(offered, ctx)) throw problem("service_unavailable");
  const settings = given.settings && kindOf(offered.code).checkSettings(given.settings);
  await store.put(ctx.db, ctx.scope, { service_id: offered.id, is_active: given.is_active, settings });
  const after = await store.ofCompanyByCode(ctx.db, ctx.scope, offered.code);
  if (!after) throw new Error("a service that was saved is not there");
  await record(ctx, {
    action: "service.set",
    subject: `service ${String(offered.id)}`,
    before: before && { is_active: before.is_active, settings: before.settings },
    after: { is_active: after.is_active, settings: after.settings },
  });
  await store.note(ctx.db, {
    companyId: ctx.scope.companyId,
    serviceId: offered.id,
    message: after.is_active ? "switched_on" : "switched_off",
  });
  return shownOfCompany(after, ctx);
}

export async function removeService(ctx: Ctx, given: number): Promise<void> {
  const id = await resolveOne(ctx, "companyService", given);
  const row = (await store.ofCompany(ctx.db, ctx.scope)).find((each) => each.id === Number(id));
  if (!row) throw problem("not_found");
  await store.remove(ctx.db, ctx.scope, row.id);
  await record(ctx, {
    action: "service.remove",
    subject: `service ${String(row.service_id)}`,
    before: { is_active: row.is_active, settings: row.settings },
  });
  await store.note(ctx.db, {
    companyId: ctx.scope.companyId,
    serviceId: row.service_id,
    message: "removed",
  });
}

/** Log of the company's services. */
export async function serviceLog(ctx: Ctx, body: ParsedOf<typeof services.companyLog>["body"]) {
  const per_page = pageSize(body.per_page ?? usualPage);
  const current_page = body.page ?? 1;
  const { rows, total } = await store.log(ctx.db, ctx.scope, {
    from: body.start_date,
    to: body.stop_date,
    limit: per_page,
    offset: (current_page - 1) * per_page,
  });
  const data = rows.map((row): ServiceLogRow => ({
    id: row.id,
    service_id: row.service_id,
    service_title: row.title[ctx.language],
    created_at: Math.floor(row.at.getTime() / 1000),
    message: messageOf(row.message, row.params, ctx.language),
    result: row.result,
  }));
  return { data, current_page, last_page: Math.max(1, Math.ceil(total / per_page)), per_page, total };
}

/**
 * Adds a service to the catalogue or changes it, by staff of the provider. Throws not_found for an unknown
 * group.
 */
export async function offerService(
  ctx: Ctx,
  given: ParsedOf<typeof services.offer>["body"],
): Promise<Service> {
  const groupId = await store.groupId(ctx.db, given.group.code, given.group.title);
  if (groupId === undefined) throw problem("not_found");
  const { code, title, is_available } = given;
  const row = await store.offer(ctx.db, {
    code,
    title,
    is_available,
    groupId,
    price: given.price ?? null,
    currency: given.currency ?? null,
  });
  await record(ctx, { action: "service.offer", subject: `service ${String(row.id)}`, after: given });
  return shown(row, ctx);
}

function shown({ title, ...row }: store.ServiceRow, ctx: Ctx): Service {
  const { id, service_group_id, code, price, currency } = row;
  return {
    id,
    service_group_id,
    code,
    price,
    currency,
    title: title[ctx.language],
    is_available: isAvailable(row, ctx),
  };
}

function shownOfCompany({ title, ...row }: store.CompanyServiceRow, ctx: Ctx): CompanyService {
  return { ...row, title: title[ctx.language], is_available: isAvailable(row, ctx) };
}

function isAvailable(
  { code, is_available }: { readonly code: string; readonly is_available: boolean },
  { config }: Pick<Ctx, "config">,
): boolean {
  return is_available && kindOf(code).isConfigured(config);
}

const texts: ReadonlyMap<string, Text> = new Map(Object.entries(serviceMessages));

function messageOf(
  code: string,
  params: Readonly<Record<string, string | number>>,
  language: Language,
): string {
  const text = texts.get(code)?.[language] ?? code;
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(params[name] ?? all));
}
