import { holdsAll, type MemberChange, type NewMember } from "@metrum/contract/access";
import { problem } from "@metrum/contract/core";
import type { UserId } from "@metrum/vocabulary";
import { isZone, record, resolveOne, zoneOfOffset, type Ctx } from "#core";
import { askAddressProof } from "./addressProof.ts";
import * as groups from "./groupStore.ts";
import { sendInvitation } from "./invitations.ts";
import * as store from "./memberStore.ts";
import { hashPassword } from "./passwords.ts";
import * as accounts from "./store.ts";
import * as ties from "./tieStore.ts";

type Rights = Pick<accounts.UserRow, "is_admin" | "access_group_id">;

/** Creates an account without a usable password, and sends the letter with which the user sets one. */
export async function inviteMember(ctx: Ctx, given: NewMember): Promise<store.MemberRow> {
  const rights = await rightsAfter(ctx, given, undefined);
  const password_hash = await hashPassword(crypto.randomUUID());
  const id = await addressed(() =>
    accounts.createUser(ctx.db, {
      ...rights,
      company_id: ctx.scope.companyId,
      name: given.name,
      email: given.email,
      phone_number: given.phone_number ?? null,
      language: given.language ?? ctx.session.language,
      timezone: zoneFrom(ctx, given, null) ?? null,
      password_hash,
      invited_at: new Date(ctx.clock.nowMs()),
    }),
  );
  // A user tied to devices may not invite users who see more devices.
  if (ctx.scope.onlyTiedDevices) await ties.tieLike(ctx.db, ctx.scope, id);
  const row = await lockOne(ctx, id);
  await note(ctx, "user.create", { row, after: noted(row) });
  await sendInvitation(ctx, row);
  return row;
}

/** Sends the letter once more; earlier links become invalid. */
export async function resendInvitation(ctx: Ctx, id: number): Promise<store.MemberRow> {
  const { row } = await target(ctx, id);
  if (!store.isInvited(row)) throw problem("not_invited");
  await sendInvitation(ctx, row);
  await note(ctx, "user.invite", { row });
  return row;
}

/** A changed user, and what the change has led to, as its message says it. */
export interface ChangedMember {
  readonly row: store.MemberRow;
  readonly outcome: "saved" | "user_address_link_sent";
}

/**
 * Changes a user. Another address of an account that was accepted counts once the link that is sent there is opened;
 * whether it has an account in another company is in no answer.
 */
export async function changeMember(ctx: Ctx, given: MemberChange): Promise<ChangedMember> {
  const { row: before, admins } = await target(ctx, given.id);
  if (given.version !== undefined && given.version !== before.version) throw problem("conflict");
  const rights = await rightsAfter(ctx, given, before);
  if (before.is_admin && !rights.is_admin) keepAnAdmin(before, admins);
  const email = given.email === before.email.toLowerCase() ? undefined : given.email;
  if (email !== undefined) assertMayMove(ctx, before);
  const asked = store.isInvited(before) ? undefined : email;
  await addressed(() =>
    accounts.changeMember(ctx.db, ctx.scope, before.id, {
      ...rights,
      name: given.name,
      email: asked === undefined ? email : undefined,
      phone_number: given.phone_number,
      language: given.language,
      timezone: zoneFrom(ctx, given, before.timezone),
    }),
  );
  const row = await lockOne(ctx, before.id);
  const after = { ...noted(row), ...(asked === undefined ? {} : { address_asked: asked }) };
  await note(ctx, "user.update", { row, before: noted(before), after });
  if (asked !== undefined) await askAddress(ctx, row, asked);
  else if (email !== undefined) await sendInvitation(ctx, row);
  return { row, outcome: asked === undefined ? "saved" : "user_address_link_sent" };
}

/** Of one's own company it is no secret which addresses it has. */
async function askAddress(ctx: Ctx, account: store.MemberRow, email: string): Promise<void> {
  if (await store.hasAddress(ctx.db, ctx.scope, email)) throw addressTaken();
  await askAddressProof(ctx, ctx.db, { account, email });
}

const addressTaken = () => problem("email_unavailable", { attributes: { email: ["email_unavailable"] } });

/** The trigger on `users` notifies every process and ends the sessions of a user who is switched off. */
export async function switchMember(ctx: Ctx, id: number, isActive: boolean): Promise<store.MemberRow> {
  const { row: before, admins } = await target(ctx, id);
  assertOther(ctx, before);
  if (!isActive) keepAnAdmin(before, admins);
  if (before.is_active === isActive) return before;
  await accounts.changeMember(ctx.db, ctx.scope, before.id, { is_active: isActive });
  await note(ctx, "user.switch", {
    row: before,
    before: { ...noted(before), is_active: before.is_active },
    after: { ...noted(before), is_active: isActive },
  });
  return lockOne(ctx, before.id);
}

export async function deleteMember(ctx: Ctx, id: number): Promise<void> {
  const { row, admins } = await target(ctx, id);
  assertOther(ctx, row);
  keepAnAdmin(row, admins);
  await accounts.removeMember(ctx.db, ctx.scope, row);
  await note(ctx, "user.delete", { row, before: noted(row) });
}

/** A user whose sessions the current user may end. Throws not_found, right_not_held. */
export async function manageableUser(ctx: Ctx, id: number): Promise<UserId> {
  const { row } = await target(ctx, id);
  return row.id;
}

/** Those of these users who hold no right and see no device that the current user lacks. */
export async function manageable(ctx: Ctx, rows: readonly store.MemberRow[]): Promise<Set<UserId>> {
  const { db, scope } = ctx;
  const within = rows.filter((row) => isWithin(ctx, row)).map((row) => row.id);
  if (!scope.onlyTiedDevices) return new Set(within);
  const tied = await ties.tiedDevices(db, scope, [...within, scope.userId]);
  const own = new Set(tied.get(scope.userId));
  const elsewhere = await ties.tiedElsewhere(db, scope, within);
  return new Set(
    within.filter((id) => {
      const devices = tied.get(id) ?? [];
      return devices.length > 0 && !elsewhere.has(id) && devices.every((device) => own.has(device));
    }),
  );
}

function isWithin({ scope }: Ctx, row: store.MemberRow): boolean {
  return scope.access.is_admin || (!row.is_admin && holdsAll(scope.access, row.access_rules ?? {}));
}

/**
 * The user concerned by an action, with the administrators of the company: all locked, always in the same
 * order.
 */
async function target(ctx: Ctx, id: number): Promise<{ row: store.MemberRow; admins: readonly UserId[] }> {
  const userId = await resolveOne(ctx, "user", id);
  const admins = await store.lockAdmins(ctx.db, ctx.scope);
  const row = await lockOne(ctx, userId);
  if (!(await manageable(ctx, [row])).has(row.id)) throw problem("right_not_held");
  return { row, admins };
}

async function lockOne(ctx: Ctx, id: UserId): Promise<store.MemberRow> {
  const row = await store.lock(ctx.db, ctx.scope, id);
  if (!row) throw problem("not_found");
  return row;
}

/** The rights a user is to get; absent fields stay unchanged, and an administrator has no group. */
async function rightsAfter(
  ctx: Ctx,
  given: NewMember | MemberChange,
  before: Rights = { is_admin: false, access_group_id: null },
): Promise<Rights> {
  const is_admin = given.is_admin ?? before.is_admin;
  const kept = is_admin ? null : before.access_group_id;
  const access_group_id = given.access_group_id === undefined ? kept : given.access_group_id;
  if (is_admin && access_group_id !== null)
    throw problem("wrong_input", {
      attributes: { access_group_id: ["admin_group"] },
    });
  if (is_admin !== before.is_admin || access_group_id !== before.access_group_id)
    await assertHeld(ctx, { is_admin, access_group_id });
  return { is_admin, access_group_id };
}

/** Throws right_not_held if these rights exceed those of the current user. */
async function assertHeld(ctx: Ctx, { is_admin, access_group_id }: Rights): Promise<void> {
  const { access } = ctx.scope;
  if (is_admin && !access.is_admin) throw problem("right_not_held");
  if (access_group_id === null) return;
  const id = await resolveOne(ctx, "accessGroup", access_group_id);
  const group = await groups.lock(ctx.db, ctx.scope, { id, to: "assign" });
  if (!group) throw problem("not_found");
  if (!holdsAll(access, group.access_rules)) throw problem("right_not_held");
}

/** Without an administrator who can sign in, the rights of the company could not be repaired. */
function keepAnAdmin(row: store.MemberRow, admins: readonly UserId[]): void {
  if (admins.length === 1 && admins[0] === row.id) throw problem("last_admin");
}

function assertOther({ scope }: Ctx, row: store.MemberRow): void {
  if (row.id === scope.userId) throw problem("own_account");
}

/**
 * Another address of an account allows taking it over by a password reset and acting under its name. So
 * only an administrator may ask for it, not for one's own account (the profile asks for the password), and not
 * while acting as another user. The address of an invitation that was not accepted may be corrected freely.
 */
function assertMayMove(ctx: Ctx, row: store.MemberRow): void {
  if (row.id === ctx.scope.userId) throw problem("own_account");
  if (ctx.session.impersonatorId !== undefined) throw problem("entered_refused");
  if (!store.isInvited(row) && !ctx.scope.access.is_admin) throw problem("right_not_held");
}

/**
 * A zone by its name, else by its offset; undefined keeps the stored one, null is the zone of the company.
 */
function zoneFrom(
  ctx: Ctx,
  given: NewMember | MemberChange,
  current: string | null,
): string | null | undefined {
  const { timezone_name: name, user_time_zone: hours } = given;
  if (name === null) return null;
  if (name !== undefined && name !== current) {
    if (!isZone(name)) throw problem("wrong_input", { attributes: { timezone_name: ["zone"] } });
    return name;
  }
  return zoneOfOffset(hours, current, ctx.clock.now());
}

async function addressed<Result>(run: () => Promise<Result>): Promise<Result> {
  return run().catch((error: unknown) => {
    // Of this company: an invitation tells nothing of accounts elsewhere.
    throw accounts.isAddressTaken(error) ? addressTaken() : error;
  });
}

/** Fields of a user for the audit log. */
function noted(row: store.MemberRow): object {
  const { name, email, phone_number, language, timezone, is_admin, access_group_id, access_group_name } = row;
  return { name, email, phone_number, language, timezone, is_admin, access_group_id, access_group_name };
}

async function note(
  ctx: Ctx,
  action: "user.create" | "user.update" | "user.switch" | "user.delete" | "user.invite",
  {
    row,
    before,
    after,
  }: { readonly row: store.MemberRow; readonly before?: unknown; readonly after?: unknown },
): Promise<void> {
  ctx.afterCommit(() => ctx.bus.publish("accessChanged", `user:${String(row.id)}`));
  await record(ctx, { action, subject: `user ${String(row.id)}`, before, after });
}
