import { auth, companies, users } from "@metrum/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "../testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const password = "Metrum!2026";

test("PROD-008 API-002 LOGIN-018 an e-mail and a password give a token of the account's company", async () => {
  const answer = await api.ask(auth.login, {
    input: { body: { email: " Engineer@Metrum.example ", password } },
  });

  expect(answer.status).toBe(200);
  const { data } = await api.ask(users.access, { token: answer.data.access_token });
  expect(data.current_company_id).toBe(api.companies.first);
});
