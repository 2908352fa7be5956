import { auditTitle, type auditLog, type LogRow } from "@metrum/contract/access";
import { pageSize, problems, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { Language } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import * as store from "./store.ts";

/** Rows per page when the call sets no page size. */
const usualPage = 100;

/**
 * The audit log of the company that the session works in: actions of its users, sign-ins and refusals
 * included, and actions of companies above it. Staff of the provider are named: a company may know everyone
 * who has worked with its data.
 */
export async function readLog(
  ctx: Ctx,
  body: ParsedOf<typeof auditLog.log>["body"],
): Promise<ReplyOf<typeof auditLog.log>> {
  const { rows, ...page } = await pageOf(ctx, { ...body, action: body.action, userId: body.person_id });
  const { actions, users } = await store.occurring(ctx.db, ctx.scope);
  const people = await peopleIn(ctx, rows, users);
  return {
    log: rows.map((row) => shownRow(row, people, ctx)),
    ...page,
    actions: actions.map((action) => ({ action, title: auditTitle(action)[ctx.language] })),
    users: users.flatMap((id) => named(people.get(id))),
  };
}

/**
 * The log of one object of the company, for users who may read the object: only administrators see network
 * addresses and API tokens.
 */
export async function readLogOf(
  ctx: Ctx,
  subject: string,
  body: Paging,
): Promise<Omit<ReplyOf<typeof auditLog.log>, "actions" | "users">> {
  const { rows, ...page } = await pageOf(ctx, { ...body, subject, action: undefined, userId: undefined });
  const people = await peopleIn(ctx, rows, []);
  const hidden = ctx.scope.access.is_admin ? {} : { ip_address: null, api_token: null };
  return { log: rows.map((row) => ({ ...shownRow(row, people, ctx), ...hidden })), ...page };
}

interface Paging {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly start_date?: number | undefined;
  readonly stop_date?: number | undefined;
}

async function pageOf(ctx: Ctx, asked: Paging & Pick<store.LogPage, "action" | "userId" | "subject">) {
  const { page: current_page = 1, per_page: size, start_date, stop_date, ...filter } = asked;
  const per_page = pageSize(size ?? usualPage);
  const { rows, total } = await store.page(ctx.db, ctx.scope, {
    ...filter,
    from: start_date,
    to: stop_date,
    limit: per_page,
    offset: (current_page - 1) * per_page,
  });
  return { rows, current_page, last_page: Math.max(1, Math.ceil(total / per_page)), per_page, total };
}

async function peopleIn(ctx: Ctx, rows: readonly store.AuditRow[], others: readonly number[]) {
  const ids = rows.flatMap((row) => [row.user_id ?? [], row.impersonator_id ?? []].flat());
  return store.people(ctx.database.system, [...new Set([...ids, ...others])]);
}

function named(person: store.Person | undefined): { id: number; name: string }[] {
  return person ? [{ id: person.id, name: person.name }] : [];
}

function shownRow(
  row: store.AuditRow,
  people: ReadonlyMap<number, store.Person>,
  { language, scope }: Pick<Ctx, "language" | "scope">,
): LogRow {
  const user = row.user_id === null ? undefined : people.get(row.user_id);
  const staff = row.impersonator_id === null ? undefined : people.get(row.impersonator_id);
  const [object_type = null, object_id = null] = row.subject?.split(" ") ?? [];
  return {
    id: row.id,
    created_at: Math.floor(row.at.getTime() / 1000),
    user_id: row.user_id,
    user_name: user?.name ?? null,
    user_company: user && user.company_id !== scope.companyId ? user.company : null,
    entered_from_admin: row.impersonator_id !== null,
    staff_name: staff?.name ?? null,
    action: row.action,
    action_title: auditTitle(row.action)[language],
    object_type,
    object_id,
    before: row.before ?? null,
    after: row.after ?? null,
    ip_address: row.address,
    api_token: row.via,
    result: row.result,
    result_text: resultText(row.result, language),
  };
}

const refusals: ReadonlyMap<string, { readonly text: Record<Language, string> }> = new Map(
  Object.entries(problems),
);

function resultText(result: string, language: Language): string {
  return result === "ok" ? "" : (refusals.get(result)?.text[language] ?? result);
}
