import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

test.each([
  ["METRUM_PORT", "abc"],
  ["METRUM_PORT", "70000"],
  ["METRUM_ROLES", "api,clerk"],
  ["METRUM_DEMO", "maybe"],
  ["METRUM_BUILD_TYPE", "both"],
  ["METRUM_PROVIDER_COMPANY", "0"],
  ["METRUM_LICENCE_COMPANY", "first"],
  ["METRUM_DATABASE_URL", "mysql://somewhere/metrum"],
  ["METRUM_PUBLIC_URL", "metrum.example"],
  ["METRUM_MQTT_URL", "broker:1883"],
  ["METRUM_MODEM_PORTS", "seven:imei"],
  ["METRUM_MODEM_PORTS", "7001"],
  ["METRUM_CORS_ORIGINS", "https://a.example/path"],
  ["METRUM_TRUSTED_PROXIES", "somewhere"],
  ["METRUM_ADMIN_EMAIL", "owner"],
  ["METRUM_SMTP_URL", "mail.example"],
  ["METRUM_MAIL_FROM", "Metrum"],
  ["METRUM_SELF_REGISTRATION", "perhaps"],
  ["METRUM_LOG_LEVEL", "loud"],
])("a wrong %s (%s) ends the start with its name", (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(name);
});

test("the companies of the provider and of the licence are settings, by default 51 or 1, and 1", () => {
  const companies = (env: Record<string, string>) => {
    const { providerCompanyId, licenceCompanyId } = readConfig(env);
    return [providerCompanyId, licenceCompanyId];
  };

  expect(companies({})).toEqual([51, 1]);
  expect(companies({ METRUM_BUILD_TYPE: "server" })).toEqual([1, 1]);
  expect(companies({ METRUM_PROVIDER_COMPANY: "7", METRUM_LICENCE_COMPANY: "8" })).toEqual([7, 8]);
});

test("an invalid address of the database is not repeated, because it may contain a password", () => {
  expect(() => readConfig({ METRUM_DATABASE_URL: "mysql://me:secret@host/db" })).not.toThrow("secret");
});

test("addresses of every documented form are accepted", () => {
  const config = readConfig({
    METRUM_DATABASE_URL: "postgres://me:secret@/metrum?host=%2Frun%2Fpostgresql",
    METRUM_MQTT_URL: "mqtts://broker.example:8883",
    METRUM_PUBLIC_URL: "https://metrum.example",
    METRUM_CORS_ORIGINS: "https://a.example, http://b.example:8080",
    METRUM_TRUSTED_PROXIES: "10.0.0.0/8, ::1, loopback",
  });

  expect(config.corsOrigins).toEqual(["https://a.example", "http://b.example:8080"]);
  expect(config.trustedProxies).toEqual(["10.0.0.0/8", "::1", "loopback"]);
});

test("ACL-012 the demo addresses are recognised in any case", () => {
  expect(readConfig({ METRUM_DEMO_USERS: "Demo@Plant.example" }).demoUsers).toEqual(["demo@plant.example"]);
  expect(readConfig({ METRUM_DEMO: "true" }).demoUsers).toHaveLength(2);
  expect(readConfig({}).demoUsers).toEqual([]);
});

test("letters come from the host of the installation by default", () => {
  const from = (env: Record<string, string>) => readConfig(env).mailFrom;

  expect(from({ METRUM_PUBLIC_URL: "https://meters.example" })).toBe("metrum@meters.example");
  expect(from({ METRUM_HOST: "::1" })).toBe("metrum@localhost");
  expect(from({ METRUM_MAIL_FROM: "Metrum <post@a.example>" })).toBe("Metrum <post@a.example>");
});

test("tiles come from a template, and addresses from a service of a known kind", () => {
  const tiles = "https://tiles.example/{z}/{x}/{y}.png";
  const given = readConfig({ METRUM_MAP_TILES_URL: tiles, METRUM_ADDRESS_URL: "https://geo.example" });

  expect(given.mapTilesUrl).toBe(tiles);
  expect(given.addressService).toEqual({ url: "https://geo.example", key: "", kind: "nominatim" });
  expect(given.addressRegister).toBeUndefined();
  expect(() => readConfig({ METRUM_MAP_TILES_URL: "https://tiles.example" })).toThrow("METRUM_MAP_TILES_URL");
});

test.each([
  [{ METRUM_LDAP_URL: "ldaps://directory.example" }, "METRUM_LDAP_BASE_DN"],
  [{ METRUM_LDAP_URL: "http://directory.example", METRUM_LDAP_BASE_DN: "dc=example" }, "METRUM_LDAP_URL"],
  [{ METRUM_LDAP_USER_FILTER: "(uid=somebody)" }, "METRUM_LDAP_USER_FILTER"],
  [{ METRUM_OIDC_ISSUER: "https://login.example", METRUM_OIDC_CLIENT_ID: "a" }, "METRUM_OIDC_CLIENT_SECRET"],
  [{ METRUM_KERBEROS_HEADER: "X-Remote-User" }, "METRUM_KERBEROS_HEADER"],
  [{ METRUM_KERBEROS_HEADER: "a b", METRUM_TRUSTED_PROXIES: "loopback" }, "METRUM_KERBEROS_HEADER"],
])("LOGIN-029 half a sign-in by a directory ends the start: %o names %s", (env, name) => {
  expect(() => readConfig(env)).toThrow(name);
});

test.each([
  [{ METRUM_MQTTS_PORT: "8883", METRUM_TLS_KEY: "key.pem" }, "METRUM_TLS_CERT: needed"],
  [{ METRUM_MQTTS_PORT: "8883", METRUM_TLS_CERT: "cert.pem" }, "METRUM_TLS_KEY: needed"],
  [{ METRUM_TLS_CERT: "cert.pem", METRUM_TLS_KEY: "key.pem" }, "METRUM_MQTTS_PORT: needed"],
  [{ METRUM_MQTTS_PORT: "70000" }, "METRUM_MQTTS_PORT"],
])("half a TLS port ends the start: %o names %s", (env, name) => {
  expect(() => readConfig(env)).toThrow(name);
});

test("LOGIN-029 sign-in by a directory is off by default", () => {
  const { ldap, oidc, kerberosHeader } = readConfig({});

  expect([ldap, oidc, kerberosHeader]).toEqual([undefined, undefined, undefined]);
});
