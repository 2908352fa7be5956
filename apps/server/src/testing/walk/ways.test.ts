import { createHash } from "node:crypto";
import { auth, ownSessions, registration, singleSignOn, users } from "@metrum/contract/access";
import { control } from "@metrum/contract/headend";
import { mqttAccount as broker, push } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookUp } from "#access/auth";
import { issueLink } from "#access/letters";
import { accountOf, demoPassword } from "#access/users";
import { gatewayByName } from "#headend/channels";
import { askedDevice } from "#headend/exchanges";
import { activeServers } from "#headend/network-servers";
import { mqttAccount, mqttSecrets } from "../../headend/channels/mqtt/accountStore.ts";
import { headOf } from "../../headend/control/openStore.ts";
import { take } from "../../headend/control/execution/take.ts";
import { addOrder, takeOrder } from "../../headend/uplinks/orders/orderStore.ts";
import { offerActuator, registerActuator } from "../actuator.ts";
import { openTestApi, type TestApi } from "../api.ts";
import { impatientClock } from "../clock.ts";
import { openOidcProvider, type OidcProvider } from "../peers/oidcProvider.ts";
import { makeFixture, type Fixture } from "../records.ts";

/** Every way into a company, and what leaves it for devices, while the company is in each state. */
let api: TestApi;
let fixture: Fixture;
let provider: OidcProvider;
let withdraw: () => void;
const engineer = "engineer@metrum.example";
const newcomer = "norights@metrum.example";
const tokens = { web: "", api: "", entered: "" };
/** Of the account at the broker. */
let username: string;

beforeAll(async () => {
  withdraw = offerActuator();
  // It stands still: a company that expires this second has expired, and one second later it would have anyway.
  const atMs = Date.now();
  const still = { nowMs: () => atMs, now: () => Math.floor(atMs / 1000) };
  provider = await openOidcProvider();
  const env = {
    METRUM_OIDC_ISSUER: provider.issuer,
    METRUM_OIDC_CLIENT_ID: provider.clientId,
    METRUM_OIDC_CLIENT_SECRET: provider.clientSecret,
    METRUM_PUBLIC_URL: "https://metrum.example",
    METRUM_KERBEROS_HEADER: "X-Remote-User",
    METRUM_TRUSTED_PROXIES: "10.1.0.0/16",
  };
  api = await openTestApi({ clock: Object.assign(impatientClock(), still), env });
  fixture = await makeFixture(api);
  tokens.web = await api.token(engineer);
  const made = await api.ask(ownSessions.createToken, {
    token: tokens.web,
    input: { body: { name: "Billing", days: 30, current_password: demoPassword } },
  });
  tokens.api = made.data.access_token;
  const entered = await api.ask(auth.enterCompany, {
    token: await api.token("dealer@metrum.example"),
    input: { params: { id: String(fixture.ours.company) }, body: {} },
  });
  tokens.entered = entered.data.access_token;
  await sql`update network_server set is_active = true where id = ${fixture.ours.networkServer}`.execute(
    system(),
  );
  username = (await api.ask(broker.issue, { token: tokens.web })).data.account.username;
});
afterAll(async () => {
  withdraw();
  await api.close();
  await provider.close();
});

const system = () => api.services.database.system;
const now = () => api.services.clock.now();

type State =
  | "open"
  | "open for a minute more"
  | "expired"
  | "expired this second"
  | "switched off"
  | "deleted";
const states: readonly State[] = [
  ...(["open", "open for a minute more", "expired", "expired this second"] as const),
  ...(["switched off", "deleted"] as const),
];
/** Seconds from now until a company ends. */
const expiry: Partial<Record<State, number>> = {
  "open for a minute more": 60,
  expired: -86_400,
  "expired this second": 0,
};

async function put(state: State): Promise<void> {
  const left = expiry[state];
  const end = left === undefined ? null : now() + left;
  await sql`
    update company set expires_at = ${end}::bigint, is_active = ${state !== "switched off" && state !== "deleted"},
      deleted_at = ${state === "deleted" ? new Date() : null}
    where id = ${fixture.ours.company}`.execute(system());
}

const isOpen = (state: State): boolean => state.startsWith("open");
/** data stay, devices still deliver and scheduled collection goes on; staff of the provider stop it. */
const stillDelivers = (state: State): boolean => state !== "switched off" && state !== "deleted";

interface Way {
  readonly isOpenIn: (state: State) => boolean;
  readonly lets: () => Promise<boolean>;
}

const asked = async (token: string): Promise<boolean> =>
  (await api.ask(users.access, { token })).status === 200;
const isLookedUp = async (token: string): Promise<boolean> =>
  (await lookUp(api.services, createHash("sha256").update(token).digest(), { touches: false })) !== undefined;

const ways: Readonly<Record<string, Way>> = {
  "signing in": {
    isOpenIn: isOpen,
    lets: async () => {
      const body = { email: engineer, password: demoPassword };
      return (await api.ask(auth.login, { input: { body } })).status === 200;
    },
  },
  "signing in at an OpenID provider": {
    isOpenIn: isOpen,
    lets: async () => {
      const { url, ticket } = (await api.ask(singleSignOn.oidcStart)).data;
      const body = { ticket, ...provider.comeBack(url, engineer) };
      return (await api.ask(singleSignOn.oidcFinish, { input: { body } })).status === 200;
    },
  },
  "signing in by a trusted proxy": {
    isOpenIn: isOpen,
    lets: async () => {
      const headers = { "x-remote-user": engineer };
      const from = { remoteAddress: "10.1.2.3", headers };
      const answer = await api.fastify.inject({
        method: "POST",
        url: "/api/auth/kerberos",
        payload: {},
        ...from,
      });
      return answer.statusCode === 200;
    },
  },
  "a password set by the link of a letter": {
    isOpenIn: isOpen,
    lets: async () => {
      const account = await accountOf(system(), newcomer);
      if (!account) return false;
      const link = { userId: account.id, purpose: "reset", validSec: 60, nowSec: now() } as const;
      const token = await issueLink(system(), link);
      const password = `${demoPassword} 2`;
      const reset = { token, email: newcomer, password, password_confirmation: password };
      await api.ask(registration.passwordReset, { input: { body: reset } });
      return (await api.ask(auth.login, { input: { body: { email: newcomer, password } } })).status === 200;
    },
  },
  "a session of the web": { isOpenIn: isOpen, lets: () => asked(tokens.web) },
  "a socket of it": { isOpenIn: isOpen, lets: () => isLookedUp(tokens.web) },
  "an API token": { isOpenIn: isOpen, lets: () => asked(tokens.api) },
  "a session that has entered from above": { isOpenIn: isOpen, lets: () => asked(tokens.entered) },
  "readings that a program pushes": {
    isOpenIn: isOpen,
    lets: async () => {
      const reading = { device_id: fixture.ours.device, time: 1_793_500_000, values: { tariff1: 5 } };
      const input = { body: { readings: [reading] } };
      return (await api.ask(push.readings, { token: tokens.api, input })).status === 200;
    },
  },
  "an account of the broker": {
    isOpenIn: stillDelivers,
    lets: async () => (await mqttAccount(api.services.database, username)) !== undefined,
  },
  "a connection of it that is open": {
    isOpenIn: stillDelivers,
    lets: async () => (await mqttSecrets(api.services.database, [username])).size > 0,
  },
  "a modem that dials in": {
    isOpenIn: stillDelivers,
    lets: async () =>
      (await gatewayByName(api.services.database, `imei-${String(fixture.ours.company)}`)) !== undefined,
  },
  "a network server": {
    isOpenIn: stillDelivers,
    lets: async () => {
      const servers = await activeServers(system(), { kinds: ["things"], companyId: fixture.ours.company });
      return servers.length > 0;
    },
  },
  "an uplink of a device": {
    isOpenIn: stillDelivers,
    lets: async () => (await askedDevice(system(), fixture.ours.device))?.isOn === true,
  },
  "a scheduled poll": {
    isOpenIn: stillDelivers,
    lets: async () => (await askedDevice(system(), fixture.ours.device))?.isPolled === true,
  },
  "a command that was accepted before": {
    isOpenIn: isOpen,
    lets: async () => take(api.services, await waiting(), 1),
  },
  "an order for a device that listens": {
    isOpenIn: isOpen,
    lets: async () => takeOrder(system(), { id: await anOrder(true), processId: 1, now: now() }),
  },
  "an order that changes nothing": {
    isOpenIn: () => true,
    lets: async () => takeOrder(system(), { id: await anOrder(false), processId: 1, now: now() }),
  },
};

/** A command of the company, as it is once its user has sent it. */
let accepted: NonNullable<Awaited<ReturnType<typeof headOf>>>;
const waiting = (): Promise<typeof accepted> => Promise.resolve(accepted);

async function accept(): Promise<void> {
  const id = await registerActuator(api, { port: 9 });
  const input = { body: { id, management: { power: 1 } } };
  const { text } = await api.ask(control.device, { token: await api.token(engineer), input });
  const head = await headOf(system(), id, now());
  if (!head) throw new Error(text);
  accepted = head;
}

async function anOrder(changesDevice: boolean): Promise<number> {
  const at = now();
  return addOrder(system(), {
    ...{ deviceId: fixture.ours.device, way: "things", topic: "down", serverId: null },
    ...{ fPort: 2, payload: Uint8Array.of(1), confirmed: false, reference: "1", validUntil: null },
    ...{ changesDevice, createdAt: at, expiresAt: at + 60 },
  });
}

describe.each(states)("SERV-034 LIC-007 a company that is %s", (state) => {
  beforeAll(async () => {
    await put("open");
    await accept();
    await put(state);
  });

  test.each(Object.entries(ways))("%s", async (_, { isOpenIn, lets }) => {
    // A change is announced to what keeps sessions in memory.
    await expect.poll(lets).toBe(isOpenIn(state));
  });
});

test("SERV-034 all ways are open again once the company is extended", async () => {
  await put("expired");
  await put("open");
  await accept();

  for (const { lets } of Object.values(ways)) await expect.poll(lets).toBe(true);
});

test("who works in a company from above is out when the company above has expired", async () => {
  const above = sql`id = ${fixture.dealerCompany}`;

  await sql`update company set expires_at = ${now() - 1}::bigint where ${above}`.execute(system());
  await expect.poll(() => asked(tokens.entered)).toBe(false);
  await sql`update company set expires_at = null where ${above}`.execute(system());
  await expect.poll(() => asked(tokens.entered)).toBe(true);
});

test("staff who act as a user are out when the company of the staff has expired", async () => {
  const { rows } = await sql<{ id: number }>`
    select id from users where email = 'admin@metrum.example'`.execute(system());
  const token = await api.token(engineer);
  await sql`
    update session set impersonator_id = ${rows[0]?.id}
    where token_hash = sha256(${token}::text::bytea)`.execute(system());
  const of = sql`id = (select company_id from users where id = ${rows[0]?.id})`;

  const before = await isLookedUp(token);
  await sql`update company set expires_at = ${now() - 1}::bigint where ${of}`.execute(system());
  const after = await isLookedUp(token);
  await sql`update company set expires_at = null where ${of}`.execute(system());

  expect([before, after]).toEqual([true, false]);
});
