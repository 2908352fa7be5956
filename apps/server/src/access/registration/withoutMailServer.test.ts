import { administration } from "@metrum/contract/platform";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendNext } from "#access/letters";
import { openTestApi, type TestApi } from "#testing/api";
import { form, password, registering } from "#testing/access/registering";

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
  expect(api.services.config.smtpUrl).toBeUndefined();
  token = await api.token("admin@metrum.example");
});
afterAll(() => api.close());

const { activate, forget, login, reset, signUp } = registering(() => api);

/** The last letter to an address as platform staff read it on their page, once it was sent. */
async function readBy(who: string, email: string) {
  while (await sendNext(api.services));
  const { data } = await api.ask(administration.letters, {
    token,
    input: { body: { search_string: email } },
  });
  const [listed] = data.letters.data;
  const answer = await api.ask(administration.letter, {
    token: who,
    language: "en",
    input: { params: { id: String(listed?.id) } },
  });
  return { listed, answer, token: /#\/[\w/]+\/([\w-]{43})/.exec(answer.text)?.[1] ?? "" };
}

test("REG-031 without a mail server an account is activated and its password reset by letters that platform staff read", async () => {
  const body = form();
  await signUp(body);

  const activation = await readBy(token, body.email);
  expect(activation.listed).toMatchObject({ state: "sent", can_read: true });
  expect(activation.answer.data.to).toBe(body.email);
  expect((await activate(activation.token)).status).toBe(200);
  expect((await login(body.email, password)).status).toBe(200);

  await forget(body.email);
  const forgotten = await readBy(token, body.email);
  expect((await reset({ email: body.email, token: forgotten.token })).status).toBe(200);
  expect((await login(body.email, password)).code).toBe("sign_in_refused");
  expect((await login(body.email, "Rn4&wYtz")).status).toBe(200);
});

test("REG-031 only platform staff read them, not even an administrator of the company", async () => {
  const { answer } = await readBy(await api.token("engineer@metrum.example"), "valley.example");

  expect([answer.status, answer.code]).toEqual([403, "right_missing"]);
});
