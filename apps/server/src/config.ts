import { join } from "node:path";
import { environment, type Environment } from "./environment.ts";

export { leastPassphrase } from "./environment.ts";

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

/** An outside service of addresses; its host is connected to as configured. */
export interface AddressServiceSettings {
  readonly url: string;
  readonly key: string;
}

/** Settings of this process. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Address of the health endpoints of a process without the role api. */
  readonly healthPort: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly roles: Environment["METRUM_ROLES"];
  readonly demo: boolean;
  readonly buildType: "cloud" | "server";
  /** The company of provider staff: by default 51 in the cloud build and 1 in the server build. */
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
  /** Trusted publishers of licences, unless the build has its own keys. */
  readonly licencePublicKeys: readonly string[];
  /** Template of raster tiles with {z}, {x} and {y}. */
  readonly mapTilesUrl: string | undefined;
  /** Whose map the tiles show, as their licence demands. */
  readonly mapAttribution: string;
  /** Outside service that suggests and locates addresses. */
  readonly addressService: (AddressServiceSettings & { readonly kind: "nominatim" | "dadata" }) | undefined;
  /** State address register. */
  readonly addressRegister: AddressServiceSettings | undefined;
  /** Default peak hours by region; the built-in proposal if absent. */
  readonly peakHoursFile: string | undefined;
  /** Folder for the files of the export to Almaty Su; off if absent. */
  readonly almatySuDir: string | undefined;
  /** Encrypts backups; undefined: they are readable for whoever has the file. */
  readonly backupPassphrase: string | undefined;
  readonly logLevel: Environment["METRUM_LOG_LEVEL"];
  /** Needed to read `/metrics`; undefined: only from this machine, without a proxy. */
  readonly metricsToken: string | undefined;
  /** Directory that may check passwords. */
  readonly ldap: LdapSettings | undefined;
  /** OpenID provider that may identify users. */
  readonly oidc: OidcSettings | undefined;
  /** Header with the name of the user, in lower case; accepted from `trustedProxies` only. */
  readonly kerberosHeader: string | undefined;
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
    mapAttribution: value.METRUM_MAP_ATTRIBUTION,
    addressService: value.METRUM_ADDRESS_URL
      ? { url: value.METRUM_ADDRESS_URL, key: value.METRUM_ADDRESS_KEY, kind: value.METRUM_ADDRESS_KIND }
      : undefined,
    addressRegister: value.METRUM_GAR_URL
      ? { url: value.METRUM_GAR_URL, key: value.METRUM_GAR_KEY }
      : undefined,
    peakHoursFile: value.METRUM_PEAK_HOURS_FILE,
    almatySuDir: value.METRUM_ALMATY_SU_DIR,
    backupPassphrase: value.METRUM_BACKUP_PASSPHRASE,
    logLevel: value.METRUM_LOG_LEVEL,
    metricsToken: value.METRUM_METRICS_TOKEN,
    ldap: ldapOf(value),
    oidc: oidcOf(value),
    kerberosHeader: kerberosOf(value),
    production: env["NODE_ENV"] === "production",
  };
}

/** The host of the installation, if it has a name suitable for mail. */
function mailHost(publicUrl: string): string {
  const hostname = URL.canParse(publicUrl) ? new URL(publicUrl).hostname : "";
  return hostname === "" || /^[\d.]+$|:/.test(hostname) ? "localhost" : hostname;
}

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
