import { pageSize, type InputOf, type ReplyOf } from "@metrum/contract/core";
import type { administration, PlatformUser } from "@metrum/contract/platform";
import type { Ctx } from "#core";
import { usersPage } from "./store.ts";

type Asked = NonNullable<InputOf<typeof administration.users>["body"]>;

const usualPage = 25;

/** A page of the users of all companies, with whether staff may act as them. */
export async function usersOfPlatform(
  ctx: Ctx,
  asked: Asked,
): Promise<ReplyOf<typeof administration.users>["users"]> {
  const limit = pageSize(asked.per_page ?? usualPage);
  const current = asked.page ?? 1;
  const { rows, total } = await usersPage(ctx.database.system, ctx.scope, {
    sort_field: asked.sort_field ?? "name",
    sort: asked.sort ?? "asc",
    search: asked.search_string ?? "",
    limit,
    offset: (current - 1) * limit,
  });
  const now = ctx.clock.now();
  const data = rows.map(({ company_is_active, company_expires_at, ...row }): PlatformUser => {
    const isOpen = company_is_active && (company_expires_at === null || company_expires_at > now);
    return { ...row, can_enter: row.is_active && isOpen && row.company_id !== ctx.scope.companyId };
  });
  const last_page = Math.max(1, Math.ceil(total / limit));
  return { data, current_page: current, last_page, per_page: limit, total };
}
