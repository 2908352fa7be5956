import { createServer, type AddressInfo } from "node:net";
import { auth, singleSignOn } from "@metrum/contract/access";
import { shell } from "@metrum/contract/platform";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "#core";
import { countFailure } from "#access/guessing";
import { openTestApi, type TestApi } from "#testing/api";
import { openLdapServer } from "#testing/peers/ldapServer";
import { baseDn, hasOpenLdap, openRealLdap, type LdapServer } from "#testing/peers/openLdap";
import { isDirectoryPassword } from "./directory.ts";

const engineer = "engineer@metrum.example";
const reader = { dn: `cn=reader,${baseDn}`, mail: "reader@metrum.example", password: "reads the directory" };
interface Credentials {
  readonly email: string;
  readonly password: string;
}
const people = [
  reader,
  { dn: `cn=Engineer,${baseDn}`, mail: engineer, password: "of the directory" },
  { dn: `cn=Stranger,${baseDn}`, mail: "stranger@metrum.example", password: "of a stranger" },
  ...["One", "Two", "Three"].map((name) => ({
    dn: `cn=${name},${baseDn}`,
    mail: "viewer@metrum.example",
    password: "shared",
  })),
];

const kinds = [
  { name: "OpenLDAP (the Debian package slapd)", open: openRealLdap, isHere: hasOpenLdap },
  { name: "a server at the level of the protocol", open: openLdapServer, isHere: true },
];

describe.each(kinds.filter(({ isHere }) => isHere))("LOGIN-029 the directory is $name", ({ open }) => {
  let directory: LdapServer;
  let api: TestApi;
  beforeAll(async () => {
    directory = await open(people);
    api = await openTestApi({
      env: {
        METRUM_LDAP_URL: directory.url,
        METRUM_LDAP_BASE_DN: baseDn,
        METRUM_LDAP_BIND_DN: reader.dn,
        METRUM_LDAP_BIND_PASSWORD: reader.password,
        METRUM_LDAP_USER_FILTER: "(|(mail={email})(mail={email}))",
      },
    });
  });
  beforeEach(() => sql`delete from guess`.execute(api.services.database.system));
  afterAll(async () => {
    await api.close();
    await directory.close();
  });

  const by = async (call: typeof auth.login, body: Credentials) => {
    const { status, code } = await api.ask(call, { input: { body } });
    return status === 200 ? "in" : code;
  };
  const login = (email: string, password: string) => by(auth.login, { email, password });
  const byDirectory = (email: string, password: string) => by(singleSignOn.directory, { email, password });

  test("its passwords sign in to the account with the same address, and so do those of Metrum", async () => {
    const site = await api.ask(shell.siteProperties);

    expect(site.data.ldap_support).toBe(true);
    expect(await login("Engineer@Metrum.example", "of the directory")).toBe("in");
    expect(await login(engineer, "Metrum!2026")).toBe("in");
    expect(await login(engineer, "of a stranger")).toBe("sign_in_refused");
  });

  test("when it is requested by name, only the directory checks the password", async () => {
    expect(await byDirectory(engineer, "Metrum!2026")).toBe("sign_in_refused");
    expect(await byDirectory(engineer, "of the directory")).toBe("in");
  });

  test("a user without an active local account gets the same refusal", async () => {
    const { system } = api.services.database;
    await sql`update users set is_active = false where email = ${engineer}`.execute(system);

    const codes = [
      await login("stranger@metrum.example", "of a stranger"),
      await login(engineer, "of the directory"),
    ];
    await sql`update users set is_active = true where email = ${engineer}`.execute(system);

    expect(codes).toEqual(["sign_in_refused", "sign_in_refused"]);
  });

  test("an address with several entries is refused", async () => {
    expect(await login("viewer@metrum.example", "shared")).toBe("sign_in_refused");
  });

  test.each(["*", "*)(mail=*", "engineer@metrum.example)(|(mail=*", "\\2a", "eng*@metrum.example"])(
    "what is typed is no filter: %s",
    async (email) => {
      expect(await login(email, "of the directory")).toBe("sign_in_refused");
    },
  );

  test("never binds with an empty password", async () => {
    const { ldap } = api.services.config;
    if (!ldap) throw new Error("no directory");

    const isTaken = await isDirectoryPassword(ldap, { email: engineer, password: "" }, createLog("silent"));
    const { status } = await api.ask(auth.login, { input: { body: { email: engineer, password: "" } } });

    expect([isTaken, status]).toEqual([false, 422]);
  });

  test("its refusals count as failures: after 3 a captcha is required", async () => {
    for (let n = 0; n < 3; n += 1) await byDirectory(engineer, "wrong");

    expect(await byDirectory(engineer, "of the directory")).toBe("captcha_needed");
  });

  test("refusing the search counts as unavailable, not as a wrong password", async () => {
    const { ldap } = api.services.config;
    if (!ldap) throw new Error("no directory");
    const broken = { ...ldap, bindPassword: "wrong" };

    const check = isDirectoryPassword(broken, { email: engineer, password: "x" }, createLog("silent"));

    await expect(check).rejects.toMatchObject({ code: "directory_away" });
  });
});

describe("a directory that does not answer", () => {
  test.each(["closed", "silent"])(
    "LOGIN-029 %s: it is reported, and passwords of Metrum work",
    async (how) => {
      const server = createServer(() => undefined);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      if (how === "closed") await new Promise((resolve) => server.close(resolve));
      const api = await openTestApi({
        env: { METRUM_LDAP_URL: `ldap://127.0.0.1:${String(port)}`, METRUM_LDAP_BASE_DN: baseDn },
      });
      const login = (password: string) =>
        api.ask(auth.login, { input: { body: { email: engineer, password } } });

      const away = await login("of the directory");
      const own = await login("Metrum!2026");
      const { system } = api.services.database;
      for (let n = 0; n < 5; n += 1)
        await countFailure(system, { account: engineer, address: "192.0.2.1" }, Date.now(), "code");
      const locked = await login("of the directory");

      expect([away.status, away.code, own.status]).toEqual([503, "directory_away", 200]);
      // The directory is not queried for a locked account.
      expect([locked.status, locked.code]).toEqual([422, "sign_in_refused"]);
      await api.close();
      server.close();
    },
  );
});
