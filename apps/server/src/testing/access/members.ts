import { accessGroups, members, type AccessRules, type MemberChange } from "@metrum/contract/access";
import { sql } from "kysely";
import type { TestApi } from "../api.ts";

interface Made {
  readonly id: number;
  readonly email: string;
  readonly token: string;
}

export interface Letter {
  readonly kind: string;
  readonly language: string;
  readonly params: { readonly link: string; readonly password?: string };
}

let count = 0;
export const anAddress = (): string => `shift${String((count += 1))}@metrum.example`;

/** Actions of an administrator on users. `desk` is read at each call: tests sign in again. */
export function memberCalls(desk: () => { readonly api: TestApi; readonly admin: string }) {
  const create = (body: object, token = desk().admin) =>
    desk().api.ask(members.create, {
      token,
      input: { body: { name: "Shift", email: anAddress(), ...body } },
    });
  const update = (body: MemberChange, token = desk().admin) =>
    desk().api.ask(members.update, { token, input: { body } });
  const toggle = (id: number, is_active: boolean, token = desk().admin) =>
    desk().api.ask(members.switch, { token, input: { params: { id: String(id) }, body: { is_active } } });
  const remove = (id: number, token = desk().admin) =>
    desk().api.ask(members.delete, { token, input: { params: { id: String(id) } } });

  async function aGroup(access_rules: Partial<AccessRules>): Promise<number> {
    const body = { name: anAddress(), access_rules };
    return (await desk().api.ask(accessGroups.create, { token: desk().admin, input: { body } })).data
      .access_group.id;
  }

  /** A user who has accepted the invitation, with a session. */
  async function aUser(rights: { is_admin?: boolean; rules?: Partial<AccessRules> }): Promise<Made> {
    const group = rights.rules && { access_group_id: await aGroup(rights.rules) };
    const { data, text } = await create({ ...group, is_admin: rights.is_admin ?? false });
    if (!("user" in data)) throw new Error(text);
    const { id, email } = data.user;
    await sql`update users set last_sign_in_at = now() where id = ${id}`.execute(
      desk().api.services.database.system,
    );
    return { id, email, token: await desk().api.token(email) };
  }

  async function lettersTo(email: string, of = desk().api): Promise<Letter[]> {
    const { rows } = await sql<Letter>`
    select kind, language, params from letter where recipient = ${email} order by id
  `.execute(of.services.database.system);
    return rows;
  }

  async function audited(action: string, id: number) {
    const { rows } = await sql<{ before: Record<string, unknown>; after: Record<string, unknown> }>`
    select before, after from audit where action = ${action} and subject = ${`user ${String(id)}`} order by id desc
  `.execute(desk().api.services.database.system);
    return rows[0];
  }

  /** A session of platform staff acting as that user. */
  async function enteredAs(email: string): Promise<string> {
    const token = await desk().api.token(email);
    await sql`update session set impersonator_id = (select id from users where email = 'admin@metrum.example')
    where id = (select max(id) from session)`.execute(desk().api.services.database.system);
    return token;
  }
  return { create, update, toggle, remove, aGroup, aUser, lettersTo, audited, enteredAs };
}
