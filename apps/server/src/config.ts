import { isIP } from "node:net";
import { join } from "node:path";
import { z } from "zod";

const flag = (fallback: boolean) =>
  z
    .enum(["true", "false", "1", "0", ""])
    .optional()
    .transform((text) => (text === undefined || text === "" ? fallback : text === "true" || text === "1"));
/** Undefined if not set: the default then depends on other settings. */
const choice = z
  .enum(["true", "false", "1", "0"])
  .optional()
  .transform((text) => (text === undefined ? undefined : text === "true" || text === "1"));
const anyPort = z.coerce.number().int().min(0).max(65535);
const port = (fallback: number) => anyPort.default(fallback);
const companyId = z.coerce.number().int().min(1).max(2_147_483_647);
const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );

/**
 * A URL of one of these schemes. The text itself is not repeated in errors, because it may contain a
 * password.
 */
const url = (...kinds: readonly string[]) =>
  z.string().refine((text) => kinds.some((kind) => text.startsWith(`${kind}://`)), {
    message: `expected an address that begins with ${kinds.map((kind) => `${kind}://`).join(" or ")}`,
  });
/** Sender of letters: an address, or a name followed by it in angle brackets. */
const mailbox = z
  .string()
  .refine((text) => /^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(text), {
    message: "expected an e-mail address, or Name <address>",
  });
const origins = list.refine(
  (parts) => parts.every((part) => URL.canParse(part) && new URL(part).origin === part),
  { message: "expected origins such as https://metrum.example, without a path, separated by commas" },
);
/** The names that Fastify knows. */
const proxies = list.refine(
  (parts) => parts.every((part) => isIP(part.split("/")[0] ?? "") > 0 || namedProxies.has(part)),
  { message: "expected addresses or networks such as 10.0.0.0/8, separated by commas" },
);
const namedProxies: ReadonlySet<string> = new Set(["loopback", "linklocal", "uniquelocal"]);

const roles = ["api", "worker", "broker"] as const;
export type Role = (typeof roles)[number];

/** `port:profile;option=value;...` of METRUM_MODEM_PORTS; values are percent-encoded, one byte a character. */
const modemPorts = list.transform((parts, context) =>
  parts.map((part) => {
    const [head = "", ...pairs] = part.split(";");
    const [text, profile, ...rest] = head.split(":");
    const number = Number(text);
    const options = pairs.map((pair) => /^([a-z]+)=(.*)$/.exec(pair));
    const isWrong = rest.length > 0 || options.includes(null);
    if (isWrong || !profile || !Number.isInteger(number) || number < 0 || number > 65535)
      context.addIssue({ code: "custom", message: `expected port:profile;option=value, got "${part}"` });
    return {
      port: number,
      profile: profile ?? "",
      options: Object.fromEntries(options.map((pair) => [pair?.[1] ?? "", unescaped(pair?.[2] ?? "")])),
    };
  }),
);

const unescaped = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Paths on any operating system, Windows included. */
const serialPaths = list.refine((parts) => parts.every((part) => /^\/[^\0]+$|^COM\d+$/.test(part)), {
  message: "expected paths such as /dev/ttyUSB0 or COM3, separated by commas",
});

/** First and last port of METRUM_BRIDGE_PORTS; undefined: no transparent ports. */
const portRange = z
  .string()
  .default("20000-20099")
  .transform((text, context) => {
    if (text === "off") return undefined;
    const [first = 0, last = first] = text.split("-").map(Number);
    if (!/^\d{1,5}(-\d{1,5})?$/.test(text) || first < 1 || last < first || last > 65_535)
      context.addIssue({ code: "custom", message: `expected a range such as 20000-20099, or off` });
    return { first, last };
  });

/** `{email}` stands for the address of the account: without it a user could sign in as another. */
const ldapFilter = z
  .string()
  .default("(mail={email})")
  .refine((text) => /^\(.+\)$/.test(text) && text.includes("{email}"), {
    message: "expected a filter in parentheses with {email} in it, such as (mail={email})",
  });

/** Public Ed25519 keys: 32 bytes each, base64url. */
const licenceKeys = list.refine((parts) => parts.every((part) => /^[\w-]{43}$/.test(part)), {
  message: "expected public keys as `metrum licence keygen` prints them, separated by commas",
});

const environment = z.object({
  METRUM_HOST: z.string().default("127.0.0.1"),
  METRUM_PORT: port(8080),
  METRUM_HEALTH_PORT: port(8081),
  METRUM_DATA_DIR: z.string().default("./data"),
  METRUM_DATABASE_URL: url("postgres", "postgresql").optional(),
  METRUM_ROLES: z
    .string()
    .default(roles.join(","))
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(z.enum(roles)).min(1)),
  METRUM_DEMO: flag(false),
  METRUM_BUILD_TYPE: z.enum(["cloud", "server"]).default("cloud"),
  METRUM_PROVIDER_COMPANY: companyId.optional(),
  METRUM_LICENCE_COMPANY: companyId.default(1),
  METRUM_PUBLIC_URL: url("http", "https").optional(),
  METRUM_SOCKET_URL: z.string().default(""),
  METRUM_CORS_ORIGINS: origins,
  METRUM_TRUSTED_PROXIES: proxies,
  METRUM_ADMIN_EMAIL: z.email().default("owner@metrum.example"),
  METRUM_ADMIN_PASSWORD: z.string().min(8).optional(),
  METRUM_DEMO_USERS: list,
  METRUM_SELF_REGISTRATION: choice,
  METRUM_RANDOM_PASSWORDS: flag(false),
  METRUM_SMTP_URL: url("smtp", "smtps").optional(),
  METRUM_MAIL_FROM: mailbox.optional(),
  METRUM_MQTT_URL: url("mqtt", "mqtts", "ws", "wss").optional(),
  METRUM_MQTT_PORT: port(1883),
  METRUM_MQTTS_PORT: anyPort.optional(),
  METRUM_TLS_CERT: z.string().optional(),
  METRUM_TLS_KEY: z.string().optional(),
  METRUM_OUTGOING_HOSTS: list,
  METRUM_DEVICE_HOST: z.string().optional(),
  METRUM_MODEM_PORTS: modemPorts.prefault("7001:imei"),
  METRUM_UDP_PORTS: modemPorts,
  METRUM_BRIDGE_PORTS: portRange,
  METRUM_SERIAL_PORTS: serialPaths,
  METRUM_IMPORT_DIR: z.string().optional(),
  METRUM_LICENCE_FILE: z.string().optional(),
  METRUM_LICENCE_PUBLIC_KEY: licenceKeys,
  METRUM_MAP_TILES_URL: z.string().optional(),
  METRUM_PEAK_HOURS_FILE: z.string().optional(),
  METRUM_ALMATY_SU_DIR: z.string().optional(),
  METRUM_LDAP_URL: url("ldap", "ldaps").optional(),
  METRUM_LDAP_BASE_DN: z.string().optional(),
  METRUM_LDAP_BIND_DN: z.string().default(""),
  METRUM_LDAP_BIND_PASSWORD: z.string().default(""),
  METRUM_LDAP_USER_FILTER: ldapFilter,
  METRUM_OIDC_ISSUER: url("http", "https").optional(),
  METRUM_OIDC_CLIENT_ID: z.string().optional(),
  METRUM_OIDC_CLIENT_SECRET: z.string().optional(),
  METRUM_KERBEROS_HEADER: z
    .string()
    .regex(/^[\w-]+$/, "expected the name of a header such as X-Remote-User")
    .optional(),
  METRUM_LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** Documented settings of a later release: setting one is reported, so that it is not relied upon. */
const later = /^METRUM_(MAP_TILES_URL)$/;

export interface LdapSettings {
  readonly url: string;
  readonly baseDn: string;
  /** Empty: anonymous search of the directory. */
  readonly bindDn: string;
  readonly bindPassword: string;
  readonly userFilter: string;
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Settings of this process. Names and defaults: `docs/operations.md`. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Address of the health endpoints of a process without the role api. */
  readonly healthPort: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly roles: readonly Role[];
  readonly demo: boolean;
  readonly buildType: "cloud" | "server";
  /** The company of provider staff: by default 51 in the cloud build and 1 in the server build (X-16). */
  readonly providerCompanyId: number;
  /** The company whose administrators see and change the licence of a server build. */
  readonly licenceCompanyId: number;
  readonly publicUrl: string;
  readonly socketUrl: string;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  readonly demoUsers: readonly string[];
  /** Whether companies may register themselves. */
  readonly selfRegistration: boolean;
  /** The server generates the passwords of registrations and sends them by letter. */
  readonly randomPasswords: boolean;
  /** Undefined: letters go to the folder `outbox` of the data directory. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly mqttUrl: string | undefined;
  readonly mqttPort: number;
  /** TLS port of the embedded broker, with the paths of certificate and key; undefined: none. */
  readonly mqtts: { readonly port: number; readonly certFile: string; readonly keyFile: string } | undefined;
  /**
   * Hosts that the platform may connect to for companies although they are private or without TLS; in lower
   * case.
   */
  readonly outgoingHosts: readonly string[];
  readonly deviceHost: string;
  readonly modemPorts: readonly {
    readonly port: number;
    readonly profile: string;
    readonly options: Readonly<Record<string, string>>;
  }[];
  /** UDP ports of devices that send one frame per datagram. */
  readonly udpPorts: Config["modemPorts"];
  /**
   * Folder with a subfolder per company (`c7`), into which files of readings are dropped; undefined: none.
   */
  readonly importDir: string | undefined;
  /** Ports available as transparent ports; undefined: none. */
  readonly bridgePorts: { readonly first: number; readonly last: number } | undefined;
  /** Serial ports of this machine that gateways and devices may name. */
  readonly serialPorts: readonly string[];
  /** Path of the licence of a server build, which need not exist. */
  readonly licenceFile: string;
  /** Trusted publishers of licences, unless the build has keys of its own. */
  readonly licencePublicKeys: readonly string[];
  readonly mapTilesUrl: string | undefined;
  /** Default peak hours by region; the built-in proposal if absent. */
  readonly peakHoursFile: string | undefined;
  /** Folder for the files of the export to Almaty Su; off if absent. */
  readonly almatySuDir: string | undefined;
  readonly logLevel: z.infer<typeof environment>["METRUM_LOG_LEVEL"];
  /** Directory that may check passwords. */
  readonly ldap: LdapSettings | undefined;
  /** OpenID provider that may identify users. */
  readonly oidc: OidcSettings | undefined;
  /** Header with the name of the user, in lower case; accepted from `trustedProxies` only. */
  readonly kerberosHeader: string | undefined;
  /** Names of settings that are set but not used by this release. */
  readonly unused: readonly string[];
  /** Outside production every reply is validated against the contract. */
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
  const publicUrl = value.METRUM_PUBLIC_URL ?? `http://${value.METRUM_HOST}:${String(value.METRUM_PORT)}`;
  return {
    host: value.METRUM_HOST,
    port: value.METRUM_PORT,
    healthPort: value.METRUM_HEALTH_PORT,
    dataDir: value.METRUM_DATA_DIR,
    databaseUrl: value.METRUM_DATABASE_URL,
    roles: value.METRUM_ROLES,
    demo: value.METRUM_DEMO,
    buildType: value.METRUM_BUILD_TYPE,
    providerCompanyId: value.METRUM_PROVIDER_COMPANY ?? (value.METRUM_BUILD_TYPE === "server" ? 1 : 51),
    licenceCompanyId: value.METRUM_LICENCE_COMPANY,
    publicUrl,
    socketUrl: value.METRUM_SOCKET_URL,
    corsOrigins: value.METRUM_CORS_ORIGINS,
    trustedProxies: value.METRUM_TRUSTED_PROXIES,
    adminEmail: value.METRUM_ADMIN_EMAIL,
    adminPassword: value.METRUM_ADMIN_PASSWORD,
    demoUsers:
      value.METRUM_DEMO && value.METRUM_DEMO_USERS.length === 0
        ? ["demo@metrum.example", "demo2@metrum.example"]
        : value.METRUM_DEMO_USERS.map((email) => email.toLowerCase()),
    selfRegistration: value.METRUM_SELF_REGISTRATION ?? value.METRUM_BUILD_TYPE === "cloud",
    randomPasswords: value.METRUM_RANDOM_PASSWORDS,
    smtpUrl: value.METRUM_SMTP_URL,
    mailFrom: value.METRUM_MAIL_FROM ?? `metrum@${mailHost(publicUrl)}`,
    mqttUrl: value.METRUM_MQTT_URL,
    mqttPort: value.METRUM_MQTT_PORT,
    mqtts: mqttsOf(value),
    outgoingHosts: value.METRUM_OUTGOING_HOSTS.map((host) => host.toLowerCase()),
    deviceHost: value.METRUM_DEVICE_HOST ?? value.METRUM_HOST,
    modemPorts: value.METRUM_MODEM_PORTS,
    udpPorts: value.METRUM_UDP_PORTS,
    importDir: value.METRUM_IMPORT_DIR,
    bridgePorts: value.METRUM_BRIDGE_PORTS,
    serialPorts: value.METRUM_SERIAL_PORTS,
    licenceFile: value.METRUM_LICENCE_FILE ?? join(value.METRUM_DATA_DIR, "licence.json"),
    licencePublicKeys: value.METRUM_LICENCE_PUBLIC_KEY,
    mapTilesUrl: value.METRUM_MAP_TILES_URL,
    peakHoursFile: value.METRUM_PEAK_HOURS_FILE,
    almatySuDir: value.METRUM_ALMATY_SU_DIR,
    logLevel: value.METRUM_LOG_LEVEL,
    ldap: ldapOf(value),
    oidc: oidcOf(value),
    kerberosHeader: kerberosOf(value),
    unused: Object.keys(filled).filter((name) => later.test(name)),
    production: env["NODE_ENV"] === "production",
  };
}

/** The host of the installation, if it has a name suitable for mail. */
function mailHost(publicUrl: string): string {
  const hostname = URL.canParse(publicUrl) ? new URL(publicUrl).hostname : "";
  return hostname === "" || /^[\d.]+$|:/.test(hostname) ? "localhost" : hostname;
}

type Environment = z.infer<typeof environment>;

function mqttsOf(value: Environment): Config["mqtts"] {
  const { METRUM_MQTTS_PORT: port, METRUM_TLS_CERT: cert, METRUM_TLS_KEY: key } = value;
  if (port === undefined && cert === undefined && key === undefined) return undefined;
  const because = port === undefined ? "METRUM_TLS_CERT and METRUM_TLS_KEY" : "METRUM_MQTTS_PORT";
  return {
    port: port ?? missing("METRUM_MQTTS_PORT", because),
    certFile: needed(value, "METRUM_TLS_CERT", because),
    keyFile: needed(value, "METRUM_TLS_KEY", because),
  };
}

function ldapOf(value: Environment): LdapSettings | undefined {
  if (value.METRUM_LDAP_URL === undefined) return undefined;
  return {
    url: value.METRUM_LDAP_URL,
    baseDn: needed(value, "METRUM_LDAP_BASE_DN", "METRUM_LDAP_URL"),
    bindDn: value.METRUM_LDAP_BIND_DN,
    bindPassword: value.METRUM_LDAP_BIND_PASSWORD,
    userFilter: value.METRUM_LDAP_USER_FILTER,
  };
}

function oidcOf(value: Environment): OidcSettings | undefined {
  if (value.METRUM_OIDC_ISSUER === undefined) return undefined;
  return {
    issuer: value.METRUM_OIDC_ISSUER,
    clientId: needed(value, "METRUM_OIDC_CLIENT_ID", "METRUM_OIDC_ISSUER"),
    clientSecret: needed(value, "METRUM_OIDC_CLIENT_SECRET", "METRUM_OIDC_ISSUER"),
  };
}

function kerberosOf(value: Environment): string | undefined {
  const header = value.METRUM_KERBEROS_HEADER?.toLowerCase();
  if (header !== undefined && value.METRUM_TRUSTED_PROXIES.length === 0)
    throw new Error("Wrong setting. METRUM_KERBEROS_HEADER: METRUM_TRUSTED_PROXIES names who is believed");
  return header;
}

function needed(
  value: Environment,
  name:
    | "METRUM_LDAP_BASE_DN"
    | "METRUM_OIDC_CLIENT_ID"
    | "METRUM_OIDC_CLIENT_SECRET"
    | "METRUM_TLS_CERT"
    | "METRUM_TLS_KEY",
  because: string,
): string {
  return value[name] ?? missing(name, because);
}

function missing(name: string, because: string): never {
  throw new Error(`Wrong setting. ${name}: needed with ${because}`);
}
