import { profile, users } from "@metrum/contract/access";
import { sql } from "kysely";
import type { TestApi } from "../api.ts";

export const password = "Metrum!2026";
export const engineer = "engineer@metrum.example";
export const operator = "operator@metrum.example";
export const viewer = "viewer@metrum.example";

/** Calls and look-ups for tests of one's own account. */
export function ownAccount(of: () => TestApi) {
  const system = () => of().services.database.system;
  return {
    system,
    statusOf: async (token: string): Promise<number> => (await of().ask(users.access, { token })).status,
    change: (token: string, body: object) => of().ask(profile.update, { token, input: { body } }),
    account: async (email: string) =>
      system().selectFrom("users").selectAll().where("email", "=", email).executeTakeFirstOrThrow(),
    auditOf: async (action: string) => {
      const { rows } = await sql<{ text: string; result: string; via: string | null; company_id: number }>`
        select row_to_json(audit)::text as text, result, via, company_id from audit
        where action = ${action} order by id desc
      `.execute(system());
      return rows;
    },
    lettersTo: async (to: string) => {
      const { rows } = await sql<{ kind: string }>`
        select kind from letter where recipient = ${to} order by id
      `.execute(system());
      return rows.map(({ kind }) => kind);
    },
  };
}
