import { isIP } from "node:net";
import { z } from "zod";

const flag = (fallback: boolean) =>
  z
    .enum(["true", "false", "1", "0", ""])
    .optional()
    .transform((text) => (text === undefined || text === "" ? fallback : text === "true" || text === "1"));
const port = (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback);
const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );

/** An address of one of these kinds. The text itself is not repeated, for it may hold a password. */
const url = (...kinds: readonly string[]) =>
  z.string().refine((text) => kinds.some((kind) => text.startsWith(`${kind}://`)), {
    message: `expected an address that begins with ${kinds.map((kind) => `${kind}://`).join(" or ")}`,
  });
const origins = list.refine(
  (parts) => parts.every((part) => URL.canParse(part) && new URL(part).origin === part),
  { message: "expected origins such as https://metrum.example, without a path, separated by commas" },
);
/** The names are those that Fastify knows. */
const proxies = list.refine(
  (parts) => parts.every((part) => isIP(part.split("/")[0] ?? "") > 0 || namedProxies.has(part)),
  { message: "expected addresses or networks such as 10.0.0.0/8, separated by commas" },
);
const namedProxies: ReadonlySet<string> = new Set(["loopback", "linklocal", "uniquelocal"]);

const roles = ["api", "worker", "broker"] as const;
export type Role = (typeof roles)[number];

/** `port:profile` pairs of METRUM_MODEM_PORTS. */
const modemPorts = list.transform((parts, context) =>
  parts.map((part) => {
    const [text, profile] = part.split(":");
    const number = Number(text);
    if (!profile || !Number.isInteger(number) || number < 0 || number > 65535)
      context.addIssue({ code: "custom", message: `expected port:profile, got "${part}"` });
    return { port: number, profile: profile ?? "" };
  }),
);

const environment = z.object({
  METRUM_HOST: z.string().default("127.0.0.1"),
  METRUM_PORT: port(8080),
  METRUM_DATA_DIR: z.string().default("./data"),
  METRUM_DATABASE_URL: url("postgres", "postgresql").optional(),
  METRUM_ROLES: z
    .string()
    .default(roles.join(","))
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(z.enum(roles)).min(1)),
  METRUM_DEMO: flag(false),
  METRUM_BUILD_TYPE: z.enum(["cloud", "server"]).default("cloud"),
  METRUM_PUBLIC_URL: url("http", "https").optional(),
  METRUM_SOCKET_URL: z.string().default(""),
  METRUM_CORS_ORIGINS: origins,
  METRUM_TRUSTED_PROXIES: proxies,
  METRUM_ADMIN_EMAIL: z.email().default("owner@metrum.example"),
  METRUM_ADMIN_PASSWORD: z.string().min(8).optional(),
  METRUM_DEMO_USERS: list,
  METRUM_MQTT_URL: url("mqtt", "mqtts", "ws", "wss").optional(),
  METRUM_MQTT_PORT: port(1883),
  METRUM_DEVICE_HOST: z.string().optional(),
  METRUM_MODEM_PORTS: modemPorts.prefault("7001:imei"),
  METRUM_MAP_TILES_URL: z.string().optional(),
  METRUM_LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** Documented settings that a later release brings: whoever sets one is told, instead of trusting what is not there. */
const later =
  /^METRUM_(SMTP_URL|MAIL_FROM|MQTTS_PORT|TLS_CERT|TLS_KEY|LDAP_\w+|OIDC_\w+|KERBEROS_HEADER|LICENCE_FILE|SELF_REGISTRATION|RANDOM_PASSWORDS)$/;

/** Settings of this process. Names and defaults: `docs/operations.md`. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly roles: readonly Role[];
  readonly demo: boolean;
  readonly buildType: "cloud" | "server";
  /** The company of provider staff: 51 in the cloud build, 1 in the server build (X-16). */
  readonly providerCompanyId: number;
  readonly publicUrl: string;
  readonly socketUrl: string;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  readonly demoUsers: readonly string[];
  readonly mqttUrl: string | undefined;
  readonly mqttPort: number;
  readonly deviceHost: string;
  readonly modemPorts: readonly { readonly port: number; readonly profile: string }[];
  readonly mapTilesUrl: string | undefined;
  readonly logLevel: z.infer<typeof environment>["METRUM_LOG_LEVEL"];
  /** Names of settings that are set and not used by this release yet. */
  readonly unused: readonly string[];
  /** Outside production every reply is checked against the contract. */
  readonly production: boolean;
}

/** Reads the environment. Throws Error that names the variable when a value is wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const filled = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(filled);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new Error(`Wrong setting. ${lines.join("; ")}`);
  }
  const value = parsed.data;
  return {
    host: value.METRUM_HOST,
    port: value.METRUM_PORT,
    dataDir: value.METRUM_DATA_DIR,
    databaseUrl: value.METRUM_DATABASE_URL,
    roles: value.METRUM_ROLES,
    demo: value.METRUM_DEMO,
    buildType: value.METRUM_BUILD_TYPE,
    providerCompanyId: value.METRUM_BUILD_TYPE === "server" ? 1 : 51,
    publicUrl: value.METRUM_PUBLIC_URL ?? `http://${value.METRUM_HOST}:${String(value.METRUM_PORT)}`,
    socketUrl: value.METRUM_SOCKET_URL,
    corsOrigins: value.METRUM_CORS_ORIGINS,
    trustedProxies: value.METRUM_TRUSTED_PROXIES,
    adminEmail: value.METRUM_ADMIN_EMAIL,
    adminPassword: value.METRUM_ADMIN_PASSWORD,
    demoUsers:
      value.METRUM_DEMO && value.METRUM_DEMO_USERS.length === 0
        ? ["demo@metrum.example", "demo2@metrum.example"]
        : value.METRUM_DEMO_USERS.map((email) => email.toLowerCase()),
    mqttUrl: value.METRUM_MQTT_URL,
    mqttPort: value.METRUM_MQTT_PORT,
    deviceHost: value.METRUM_DEVICE_HOST ?? value.METRUM_HOST,
    modemPorts: value.METRUM_MODEM_PORTS,
    mapTilesUrl: value.METRUM_MAP_TILES_URL,
    logLevel: value.METRUM_LOG_LEVEL,
    unused: Object.keys(filled).filter((name) => later.test(name)),
    production: env["NODE_ENV"] === "production",
  };
}
