import { auth, registration } from "@metrum/contract/access";
import { sql } from "kysely";
import type { Answer, TestApi } from "../api.ts";

export const password = "Kx7!mPqw";
let count = 0;
export const freshAddress = (): string => `registrar${String((count += 1))}@valley.example`;

interface Letter {
  readonly kind: string;
  readonly language: string;
  readonly params: Readonly<Record<string, string>>;
}

/** A complete registration, with these fields overridden. */
export const form = (given: Record<string, unknown> = {}) => ({
  name: "Registrar",
  email: freshAddress(),
  company_type_id: 1,
  company_name: "Valley Heat Networks",
  inn: "0123456789",
  phone_number: "+97699112233",
  user_time_zone: 8,
  password,
  password_confirmation: password,
  ...given,
});

/** Self-registration and password reset, on the default installation unless another one is given. */
export function registering(usual: () => TestApi) {
  async function lettersTo(email: string, on = usual()): Promise<Letter[]> {
    const { rows } = await sql<Letter>`
      select kind, language, params from letter where recipient = ${email} order by id
    `.execute(on.services.database.system);
    return rows;
  }
  return {
    lettersTo,
    signUp: (body: Record<string, unknown>, on = usual(), language = "en"): Promise<Answer<object>> =>
      on.ask(registration.signup, { input: { body: body as never }, language }),
    login: (email: string, secret: string, on = usual()) =>
      on.ask(auth.login, { input: { body: { email, password: secret, personal_data_access: true } } }),
    activate: (token: string, on = usual()) =>
      on.ask(registration.activate, { input: { params: { token } }, language: "en" }),
    forget: (email: string, on = usual()) =>
      on.ask(registration.passwordCreate, { input: { body: { email } }, language: "en" }),
    find: (token: string) =>
      usual().ask(registration.passwordFind, { input: { params: { token } }, language: "en" }),
    reset: (given: { email: string; token: string; password?: string; password_confirmation?: string }) =>
      usual().ask(registration.passwordReset, {
        input: { body: { password: "Rn4&wYtz", password_confirmation: "Rn4&wYtz", ...given } },
        language: "en",
      }),
    /** The token in the link of the last letter. */
    tokenTo: async (email: string, on = usual()): Promise<string> => {
      const letter = (await lettersTo(email, on)).at(-1);
      return letter?.params["link"]?.replace(/^.*\//, "") ?? "";
    },
    accountRow: async (email: string, on = usual()) => {
      const { rows } = await sql<{
        is_active: boolean;
        is_admin: boolean;
        password_change_needed: boolean;
        company: Readonly<Record<string, unknown>>;
      }>`
        select u.is_active, u.is_admin, u.password_change_needed, row_to_json(c) as company
        from users u join company c on c.id = u.company_id where u.email = ${email}
      `.execute(on.services.database.system);
      return rows[0];
    },
  };
}
