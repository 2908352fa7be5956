import { problem, users, type User } from "@metrum/contract";
import { offsetHours, serve, withMessage, type Api, type Ctx } from "#core";
import { mergeSettings } from "./settings.ts";
import * as store from "./store.ts";

/** Users of one answer at most. */
const largestPage = 10_000;

export function serveUsers(api: Api): void {
  serve(api, users, {
    access: (_, { session }) => session.accessRecord,
    info: async (_, ctx) => ({ user: await ownUser(ctx) }),
    settings: async ({ body }, ctx) => {
      const settings = await ctx.database.system.transaction().execute(async (db) => {
        const stored = await store.lockSettings(db, ctx.scope);
        if (!stored) throw problem("not_signed_in");
        const merged = mergeSettings(stored, body.settings);
        await store.saveSettings(db, ctx.scope, merged);
        return merged;
      });
      return withMessage({ settings }, "saved");
    },
    list: async ({ body }, ctx) => {
      const limit = body.per_page ?? largestPage;
      const rows = await store.list(ctx.db, ctx.scope, {
        sort_field: body.sort_field ?? "name",
        sort: body.sort ?? "asc",
        search: body.search_string ?? "",
        limit,
        offset: ((body.page ?? 1) - 1) * limit,
      });
      return { users: rows.map((row) => shown(row, ctx)) };
    },
  });
}

async function ownUser(ctx: Ctx) {
  const row = await store.ownAccount(ctx.database.system, ctx.scope);
  if (!row) throw problem("not_signed_in");
  const { companyTimeZone } = ctx.session;
  return {
    ...shown(row, ctx),
    current_company_id: ctx.scope.companyId,
    current_time_zone: offsetHours(companyTimeZone, ctx.clock.now()),
    current_timezone_name: companyTimeZone,
    is_demo: ctx.session.isDemoUser,
    settings: row.settings,
  };
}

function shown(row: store.UserRow, { clock }: Pick<Ctx, "clock">): User {
  const offset = row.timezone === null ? null : offsetHours(row.timezone, clock.now());
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone_number: row.phone_number,
    user_time_zone: offset,
    timezone: offset,
    timezone_name: row.timezone,
    language: row.language,
    first_login: row.first_login,
    "2fa_enabled": false,
    is_admin: row.is_admin,
    is_active: row.is_active,
    access_group_id: row.access_group_id,
  };
}
