import { singleSignOn, users } from "@metrum/contract/access";
import { shell } from "@metrum/contract/platform";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { openOidcProvider, type Fault, type OidcProvider } from "#testing/peers/oidcProvider";

const engineer = "engineer@metrum.example";
let ahead = 0;
const nowMs = (): number => Date.now() + ahead * 1000;
const clock = { nowMs, now: () => Math.floor(nowMs() / 1000) };

describe("sign-in at an OpenID provider", () => {
  let provider: OidcProvider;
  let api: TestApi;
  beforeAll(async () => {
    provider = await openOidcProvider();
    api = await openTestApi({
      clock,
      env: {
        METRUM_OIDC_ISSUER: provider.issuer,
        METRUM_OIDC_CLIENT_ID: provider.clientId,
        METRUM_OIDC_CLIENT_SECRET: provider.clientSecret,
        METRUM_PUBLIC_URL: "https://metrum.example",
      },
    });
  });
  afterAll(async () => {
    await api.close();
    await provider.close();
  });

  const start = async () => (await api.ask(singleSignOn.oidcStart)).data;
  const finish = (body: { ticket: string; state: string; code: string; personal_data_access?: boolean }) =>
    api.ask(singleSignOn.oidcFinish, { input: { body } });

  test("LOGIN-029 the user named by the provider is signed in to the account of that address", async () => {
    const { url, ticket } = await start();
    const query = new URL(url).searchParams;
    const answer = await finish({ ticket, ...provider.comeBack(url, "Engineer@Metrum.example") });

    expect(query.get("redirect_uri")).toBe("https://metrum.example/");
    expect(query.get("code_challenge_method")).toBe("S256");
    expect((await api.ask(shell.siteProperties)).data.is_oidc).toBe(true);
    const { data } = await api.ask(users.info, { token: answer.data.access_token });
    expect(JSON.stringify(data)).toContain(engineer);
  });

  test.each(["signature", "unsigned", "nonce", "audience", "expired", "unverified"] satisfies Fault[])(
    "an ID token with a wrong %s is refused",
    async (fault) => {
      const { url, ticket } = await start();

      const answer = await finish({ ticket, ...provider.comeBack(url, engineer, fault) });

      expect([answer.status, answer.code]).toEqual([422, "provider_refused"]);
    },
  );

  test("a sign-in can be completed once: afterwards its state is refused, with the old code and with a new one", async () => {
    const { url, ticket } = await start();
    const first = provider.comeBack(url, engineer);
    const answer = await finish({ ticket, ...first });

    const again = await finish({ ticket, ...first });
    const other = await finish({ ticket, ...provider.comeBack(url, engineer) });

    expect([answer.status, again.code, other.code]).toEqual([200, "provider_refused", "provider_refused"]);
  });

  test("of 10 concurrent returns one gets a token", async () => {
    const { url, ticket } = await start();
    const back = provider.comeBack(url, engineer);

    const answers = await Promise.all(Array.from({ length: 10 }, () => finish({ ticket, ...back })));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("a sign-in started in another browser is refused", async () => {
    const [mine, theirs] = [await start(), await start()];

    const answer = await finish({ ticket: mine.ticket, ...provider.comeBack(theirs.url, engineer) });

    expect(answer.code).toBe("provider_refused");
  });

  test("a sign-in takes at most 10 minutes", async () => {
    const { url, ticket } = await start();
    const back = provider.comeBack(url, engineer);

    ahead = 601;
    const answer = await finish({ ticket, ...back });
    ahead = 0;

    expect(answer.code).toBe("provider_refused");
  });

  test("a user without an active account is advised to contact the administrator", async () => {
    const { url, ticket } = await start();

    const answer = await finish({ ticket, ...provider.comeBack(url, "stranger@metrum.example") });

    expect([answer.status, answer.code]).toEqual([422, "no_account"]);
  });

  test("consent is requested during the sign-in, which continues with it", async () => {
    const { system } = api.services.database;
    await sql`update users set personal_data_access_at = null where email = ${engineer}`.execute(system);
    const { url, ticket } = await start();
    const back = provider.comeBack(url, engineer);

    const consentNeeded = await finish({ ticket, ...back });
    const given = await finish({ ticket, ...back, personal_data_access: true });
    const again = await finish({ ticket, ...back, personal_data_access: true });

    expect([consentNeeded.status, given.status, again.code]).toEqual([449, 200, "provider_refused"]);
  });

  test("state, ticket and token are stored as hashes only", async () => {
    const { url, ticket } = await start();
    const state = new URL(url).searchParams.get("state") ?? "none";

    const { rows } = await sql<{ row: string }>`
      select row_to_json(oidc_journey)::text as row from oidc_journey
    `.execute(api.services.database.system);

    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ row }) => row.includes(ticket) || row.includes(state))).toBe(false);
  });
});

test("an unreachable provider is reported, and retried at the next sign-in", async () => {
  const gone = await openOidcProvider();
  await gone.close();
  const api = await openTestApi({
    env: {
      METRUM_OIDC_ISSUER: gone.issuer,
      METRUM_OIDC_CLIENT_ID: gone.clientId,
      METRUM_OIDC_CLIENT_SECRET: gone.clientSecret,
    },
  });

  const answers = [await api.ask(singleSignOn.oidcStart), await api.ask(singleSignOn.oidcStart)];

  expect(answers.map(({ status, code }) => [status, code])).toEqual([
    [503, "provider_away"],
    [503, "provider_away"],
  ]);
  await api.close();
});

describe("sign-in by Kerberos", () => {
  const ask = async (api: TestApi, remoteAddress: string, headers: Record<string, string>) => {
    const response = await api.fastify.inject({
      method: "POST",
      url: "/api/auth/kerberos",
      remoteAddress,
      headers,
      payload: {},
    });
    return response.statusCode;
  };
  const named = { "x-remote-user": "Engineer@METRUM.EXAMPLE" };

  test("LOGIN-029 the header is trusted only from a trusted proxy itself, not from a forwarded address", async () => {
    const api = await openTestApi({
      env: { METRUM_KERBEROS_HEADER: "X-Remote-User", METRUM_TRUSTED_PROXIES: "10.1.0.0/16,::1" },
    });

    const statuses = [
      await ask(api, "10.1.2.3", named),
      await ask(api, "::ffff:10.1.2.3", named),
      await ask(api, "::1", named),
      await ask(api, "10.2.0.1", named),
      await ask(api, "192.0.2.1", { ...named, "x-forwarded-for": "10.1.2.3" }),
      await ask(api, "10.1.2.3", {}),
      await ask(api, "10.1.2.3", { "x-remote-user": "stranger@METRUM.EXAMPLE" }),
    ];
    const site = await api.ask(shell.siteProperties);

    expect(statuses).toEqual([200, 200, 200, 404, 404, 404, 422]);
    expect(site.data.is_kerberos).toBe(true);
    await api.close();
  });

  test("is off without its setting, regardless of the proxies", async () => {
    const api = await openTestApi({ env: { METRUM_TRUSTED_PROXIES: "loopback" } });

    expect(await ask(api, "127.0.0.1", named)).toBe(404);
    expect((await api.ask(shell.siteProperties)).data.is_kerberos).toBe(false);
    await api.close();
  });
});
