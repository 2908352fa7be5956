import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth } from "@metrum/contract/access";
import { pathOf, type Call, type InputOf, type ReplyOf } from "@metrum/contract/core";
import { createSessions, startSession } from "#access/auth";
import {
  createBus,
  createLog,
  openDatabase,
  systemClock,
  type Clock,
  type Domain,
  type Services,
} from "#core";
import { accountOf, demoPassword, seedAccounts } from "#access/users";
import { buildApp, type App } from "../app.ts";
import type { Connection } from "../core/database/embedded/index.ts";
import { readConfig } from "#config";
import { domains as allDomains } from "../domains.ts";
import { openTestDatabase, type TestDatabase } from "./database.ts";
import { createServices } from "../services.ts";

export interface Answer<Data> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly data: Data;
  readonly msg: string;
  readonly code: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

export interface Asked<C> {
  readonly token?: string;
  readonly language?: string;
  /** The idempotency key of the request. */
  readonly key?: string;
  readonly input?: InputOf<C>;
}

export interface TestApi extends App {
  readonly services: Services;
  readonly database: TestDatabase;
  /** The two client companies of the demonstration. */
  readonly companies: Awaited<ReturnType<typeof seedAccounts>>;
  /** Signs a demonstration account in with its password, and returns the token. */
  readonly signIn: (email: string) => Promise<string>;
  /** A fresh token of a demonstration account without the cost of a password hash. */
  readonly token: (email: string) => Promise<string>;
  readonly ask: <C extends Call>(definition: C, asked?: Asked<C>) => Promise<Answer<ReplyOf<C>>>;
  /** The same for an answer that may be a file. */
  readonly askText: (
    definition: Call,
    asked?: Asked<Call>,
  ) => Promise<Pick<Answer<unknown>, "status" | "text">>;
  readonly close: () => Promise<void>;
}

export interface TestApiOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly domains?: readonly Domain[];
  readonly clock?: Partial<Clock>;
  readonly webRoot?: string;
  /** Another handle to the same database. */
  readonly connectOver?: (connection: Connection) => Promise<Connection>;
}

/**
 * The whole API on a separate database with the demonstration accounts; no module is mocked, time is set by
 * `clock`.
 */
export async function openTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = await openTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "metrum-test-"));
  const env = {
    METRUM_DEMO: "true",
    METRUM_LOG_LEVEL: "silent",
    // Free ports: a test runs alongside a running platform.
    METRUM_MODEM_PORTS: "0:imei",
    METRUM_MQTT_PORT: "0",
    METRUM_DATA_DIR: dataDir,
    METRUM_ALMATY_SU_DIR: join(dataDir, "almaty-su"),
    ...options.env,
  };
  const services = createServices({
    config: readConfig(env),
    database: openDatabase({
      ...((await options.connectOver?.(database.connection)) ?? database.connection),
      max: 6,
    }),
    bus: createBus((error) => {
      throw error;
    }),
    clock: { ...systemClock, ...options.clock },
    log: createLog("silent"),
  });
  const app = await buildApp(services, {
    resolveSession: createSessions(services),
    domains: options.domains ?? allDomains,
    ...(options.webRoot ? { webRoot: options.webRoot } : {}),
  });
  const companies = await seedAccounts(services);
  const inject = injector(app);
  const ask = asker(inject);
  return {
    ...app,
    services,
    database,
    companies,
    ask,
    async askText(definition, asked) {
      const { statusCode: status, body: text } = await inject(definition, asked);
      return { status, text };
    },
    async signIn(email) {
      const { status, data, text } = await ask(auth.login, {
        input: { body: { email, password: demoPassword } },
      });
      if (status !== 200) throw new Error(`${email} was refused: ${text}`);
      return data.access_token;
    },
    async token(email) {
      const account = await accountOf(services.database.system, email);
      if (!account) throw new Error(`no account ${email}`);
      return startSession(services.database.system, {
        userId: account.id,
        companyId: account.company_id,
        at: new Date(services.clock.nowMs()),
        address: "127.0.0.1",
        agent: "test",
      });
    },
    async close() {
      await app.fastify.close();
      await services.database.close();
      await database.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

function injector({ fastify }: App) {
  return (definition: Call, { token, language, key, input }: Asked<Call> = {}) =>
    fastify.inject({
      method: definition.method,
      url: `/api/${pathOf(definition, (input?.params ?? {}) as Record<string, unknown>)}`,
      query: (input?.query ?? {}) as Record<string, string>,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(language === undefined ? {} : { "accept-language": language }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      ...(input?.body === undefined ? {} : { payload: input.body as object }),
    });
}

function asker(inject: ReturnType<typeof injector>): TestApi["ask"] {
  return async (definition, asked = {}) => {
    const response = await inject(definition, asked);
    const { data, msg, code, attributes } = response.json<Answer<never>>();
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      data,
      msg,
      code,
      attributes,
    };
  };
}
