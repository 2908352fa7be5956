import { accessGroups, members, users, type Member } from "@metrum/contract/access";
import { pageSize, problem } from "@metrum/contract/core";
import { offsetHours, resolve, serve, withMessage, type Api, type Ctx } from "#core";
import { hasTwoFactor } from "#access/two-factor";
import { createGroup, deleteGroup, groupPage, updateGroup } from "./groups.ts";
import { changeMember, deleteMember, resendInvitation, inviteMember, switchMember } from "./members.ts";
import { list, type MemberRow } from "./memberStore.ts";
import { mergeSettings } from "./settings.ts";
import { shownMembers, shownUser } from "./shown.ts";
import * as store from "./store.ts";

/** Maximum users of an unpaged answer. */
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
    list: async ({ body: { search_string, page, per_page, sort, sort_field, ...filter } }, ctx) => {
      const limit = per_page === undefined ? largestPage : pageSize(per_page);
      await resolve(ctx, "accessGroup", filter.access_group_id ?? []);
      const { rows, total } = await list(ctx.db, ctx.scope, {
        ...filter,
        sort_field: sort_field ?? "name",
        sort: sort ?? "asc",
        search: search_string ?? "",
        limit,
        offset: ((page ?? 1) - 1) * limit,
      });
      return { users: await shownMembers(ctx, rows), total };
    },
  });
}

export function serveMembers(api: Api): void {
  serve(api, members, {
    create: async ({ body }, ctx) => {
      const user = await shown(ctx, await inviteMember(ctx, body));
      return withMessage({ user }, "user_invited", { email: user.email });
    },
    update: async ({ body }, ctx) => {
      const { row, outcome } = await changeMember(ctx, body);
      return withMessage({ user: await shown(ctx, row) }, outcome);
    },
    switch: async ({ params, body }, ctx) => {
      const user = await shown(ctx, await switchMember(ctx, params.id, body.is_active));
      return withMessage({ user }, body.is_active ? "user_switched_on" : "user_switched_off");
    },
    delete: async ({ params }, ctx) => {
      await deleteMember(ctx, params.id);
      return withMessage({}, "user_deleted");
    },
    invite: async ({ params }, ctx) => {
      const { email } = await resendInvitation(ctx, params.id);
      return withMessage({}, "user_invited", { email });
    },
  });
}

export function serveAccessGroups(api: Api): void {
  serve(api, accessGroups, {
    list: ({ body }, ctx) => groupPage(ctx, body),
    create: async ({ body }, ctx) =>
      withMessage({ access_group: await createGroup(ctx, body) }, "group_created"),
    update: async ({ params, body }, ctx) =>
      withMessage({ access_group: await updateGroup(ctx, params.id, body) }, "saved"),
    delete: async ({ params }, ctx) => {
      await deleteGroup(ctx, params.id);
      return withMessage({}, "group_deleted");
    },
  });
}

async function shown(ctx: Ctx, row: MemberRow): Promise<Member> {
  const [user] = await shownMembers(ctx, [row]);
  if (!user) throw problem("not_found");
  return user;
}

/** The signed-in user with fields shown only to the owner of the account. */
export async function ownUser(ctx: Ctx) {
  const { system } = ctx.database;
  const row = await store.ownAccount(system, ctx.scope);
  if (!row) throw problem("not_signed_in");
  const { companyTimeZone } = ctx.session;
  return {
    ...shownUser(row, ctx, await hasTwoFactor(system, row.id)),
    current_company_id: ctx.scope.companyId,
    current_time_zone: offsetHours(companyTimeZone, ctx.clock.now()),
    current_timezone_name: companyTimeZone,
    is_demo: ctx.session.isDemoUser,
    settings: row.settings,
  };
}
