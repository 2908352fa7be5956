import { isIP } from "node:net";
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
/** Template of raster tiles; its origin enters the content security policy. */
const tiles = url("http", "https").refine(
  (text) =>
    ["{z}", "{x}", "{y}"].every((part) => text.includes(part)) && URL.canParse(text.replaceAll(/[{}]/g, "")),
  { message: "expected an address with {z}, {x} and {y}, such as https://tiles.example/{z}/{x}/{y}.png" },
);
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
/**
 * `port:profile;option=value;...` of METRUM_MODEM_PORTS; values are percent-encoded, one byte per character.
 */
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

/** Characters of the passphrase of a backup: a file that was stolen is tried without limit. */
export const leastPassphrase = 12;

/** Environment variables of a process, parsed. Names and defaults: `docs/operations.md`. */
export const environment = z.object({
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
  METRUM_MAP_TILES_URL: tiles.optional(),
  METRUM_MAP_ATTRIBUTION: z.string().max(200).default(""),
  METRUM_ADDRESS_URL: url("http", "https").optional(),
  METRUM_ADDRESS_KIND: z.enum(["nominatim", "dadata"]).default("nominatim"),
  METRUM_ADDRESS_KEY: z.string().default(""),
  METRUM_GAR_URL: url("http", "https").optional(),
  METRUM_GAR_KEY: z.string().default(""),
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
  METRUM_BACKUP_PASSPHRASE: z
    .string()
    .min(leastPassphrase, `at least ${String(leastPassphrase)} characters`)
    .optional(),
  METRUM_METRICS_TOKEN: z.string().min(16, "at least 16 characters").optional(),
  METRUM_LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

export type Environment = z.infer<typeof environment>;
