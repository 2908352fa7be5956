import { createHmac } from "node:crypto";
import { profile } from "@metrum/contract/access";
import { sql } from "kysely";
import { demoPassword } from "#access/users";
import type { TestApi } from "../api.ts";

const absoluteSec = 7 * 86_400;
const idleSec = 12 * 3600;

/** All kinds of invalid tokens, by their fault. */
export async function makeDeadTokens(
  api: TestApi,
  another: TestApi,
): Promise<Record<string, string | undefined>> {
  const engineer = "engineer@metrum.example";
  const dead = {
    "no token": undefined,
    empty: "",
    garbage: "garbage",
    "of the right shape": "a".repeat(43),
    endless: "x".repeat(5000),
    SQL: "' or 1=1 --",
    "not ASCII": "жетон",
    unsigned: jwt({ alg: "none" }, ""),
    "signed by somebody else": jwt({ alg: "HS256" }, "somebody else"),
    "of another installation": await another.token(engineer),
    "signed out": await api.token(engineer),
    "7 days old": await agedToken(api, engineer, { createdSec: absoluteSec + 1, seenSec: 60 }),
    "not used for 12 hours": await agedToken(api, engineer, {
      createdSec: idleSec + 1,
      seenSec: idleSec + 1,
    }),
    "of before a change of the password": await api.token("operator@metrum.example"),
    "of an account that is switched off": await tokenOfOther(api, { isActive: false }),
    "of an account that is gone": await tokenOfOther(api, { isGone: true }),
    "of a company that has expired": await tokenOfOther(api, { hasExpired: true }),
    "of a company that is switched off": await tokenOfOther(api, { isOff: true }),
  };
  await send(api, "/api/auth/logout", dead["signed out"]);
  await changePassword(api, "operator@metrum.example");
  return dead;
}

function jwt(header: object, key: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part(header)}.${part({ sub: 1, user_id: 1, exp: 4_102_444_800 })}`;
  return `${text}.${key === "" ? "" : createHmac("sha256", key).update(text).digest("base64url")}`;
}

async function send(api: TestApi, url: string, token: string): Promise<void> {
  const { statusCode } = await api.fastify.inject({ url, headers: { authorization: `Bearer ${token}` } });
  if (statusCode !== 200) throw new Error(`${url} answers ${String(statusCode)}`);
}

/** A session begun and last used this long ago. */
async function agedToken(
  api: TestApi,
  email: string,
  { createdSec, seenSec }: { createdSec: number; seenSec: number },
): Promise<string> {
  const token = await api.token(email);
  await sql`
    update session set created_at = created_at - make_interval(secs => ${createdSec}),
      expires_at = expires_at - make_interval(secs => ${createdSec}),
      last_seen_at = last_seen_at - make_interval(secs => ${seenSec})
    where token_hash = sha256(${token}::text::bytea)`.execute(api.services.database.system);
  return token;
}

async function changePassword(api: TestApi, email: string): Promise<void> {
  const password = "Heron!4821";
  const body = { current_password: demoPassword, password, password_confirmation: password };
  const { status, text } = await api.ask(profile.update, { token: await api.token(email), input: { body } });
  if (status !== 200) throw new Error(`the password was not changed: ${text}`);
}

interface Fate {
  readonly isActive?: boolean;
  readonly isGone?: boolean;
  readonly hasExpired?: boolean;
  readonly isOff?: boolean;
}

let others = 0;

/** The token of an administrator of a separate company, which has become invalid since. */
async function tokenOfOther(
  api: TestApi,
  { isActive = true, isGone, hasExpired, isOff }: Fate,
): Promise<string> {
  const { system } = api.services.database;
  const email = `leaver${String(++others)}@metrum.example`;
  await sql`
    with made as (select nextval('company_id_seq')::int as id),
    home as (
      insert into company (id, parent_id, path, name, active_modules)
      select made.id, c.id, (c.path::text || '.' || made.id)::ltree, 'Left', '[]' from made, company c where c.parent_id is null
      returning id
    )
    insert into users (company_id, email, name, password_hash, is_admin)
    select id, ${email}, 'Leaver', 'none', true from home`.execute(system);
  const token = await api.token(email);
  await send(api, "/api/user/access", token);
  if (!isActive) await sql`update users set is_active = false where email = ${email}`.execute(system);
  if (isGone) await sql`delete from users where email = ${email}`.execute(system);
  const home = sql`id = (select company_id from users where email = ${email})`;
  if (hasExpired) await sql`update company set expires_at = 1 where ${home}`.execute(system);
  if (isOff) await sql`update company set is_active = false where ${home}`.execute(system);
  return token;
}
