import type { Member, User } from "@metrum/contract/access";
import type { UserId } from "@metrum/vocabulary";
import { offsetHours, type Ctx } from "#core";
import { withTwoFactor } from "#access/two-factor";
import { manageable } from "./members.ts";
import { byIds, isInvited, type MemberRow } from "./memberStore.ts";
import type { UserRow } from "./store.ts";

/** A user as sent to clients; offsets are the present ones. */
export function shownUser(row: UserRow, { clock }: Pick<Ctx, "clock">, hasTwoFactor: boolean): User {
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
    "2fa_enabled": hasTwoFactor,
    is_admin: row.is_admin,
    is_active: row.is_active,
    access_group_id: row.access_group_id,
  };
}

/** Users as shown to their administrators. */
export async function shownMembers(ctx: Ctx, rows: readonly MemberRow[]): Promise<Member[]> {
  const ids = rows.map((row) => row.id);
  // The role of the API cannot read second factors.
  const secured = await withTwoFactor(ctx.database.system, ids);
  const may = await manageable(ctx, rows);
  return rows.map((row) => ({
    ...shownUser(row, ctx, secured.has(row.id)),
    access_group_name: row.access_group_name,
    is_invited: isInvited(row),
    last_sign_in_at: row.last_sign_in_at && Math.floor(row.last_sign_in_at.getTime() / 1000),
    version: row.version,
    is_manageable: may.has(row.id),
  }));
}

/** Users of the company by their ids, ordered by name. */
export async function usersById(ctx: Ctx, ids: readonly UserId[]): Promise<User[]> {
  return shownMembers(ctx, await byIds(ctx.db, ctx.scope, ids));
}
