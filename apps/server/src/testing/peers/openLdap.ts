import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

/** An entry of a directory. */
export interface LdapEntry {
  readonly dn: string;
  readonly mail: string;
  readonly password: string;
}

/** A directory for a test. */
export interface LdapServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export const baseDn = "dc=metrum,dc=example";

const run = promisify(execFile);
const slapd = "/usr/sbin/slapd";

/** Whether the Debian package `slapd` is installed. */
export const hasOpenLdap = existsSync(slapd);

/** A real OpenLDAP server with these people, on a free port with a temporary folder. */
export async function openRealLdap(entries: readonly LdapEntry[]): Promise<LdapServer> {
  const folder = await mkdtemp(join(tmpdir(), "metrum-ldap-"));
  const settings = join(folder, "slapd.conf");
  await mkdir(join(folder, "data"));
  await writeFile(settings, configuration(folder));
  await writeFile(join(folder, "people.ldif"), ldif(entries));
  await run("/usr/sbin/slapadd", ["-f", settings, "-l", join(folder, "people.ldif")]);
  const port = await freePort();
  const url = `ldap://127.0.0.1:${String(port)}`;
  const server = spawn(slapd, ["-f", settings, "-h", url, "-d", "0"], { stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  await untilOpen(port);
  return {
    url,
    async close() {
      server.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder: string): string {
  return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile ${folder}/slapd.pid
modulepath /usr/lib/ldap
moduleload back_mdb
allow bind_anon_dn
database mdb
suffix "${baseDn}"
rootdn "cn=none,${baseDn}"
directory ${folder}/data
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="cn=reader,${baseDn}" read by * none
`;
}

function ldif(entries: readonly LdapEntry[]): string {
  const top = `dn: ${baseDn}\nobjectClass: dcObject\nobjectClass: organization\ndc: metrum\no: Metrum\n`;
  const people = entries.map(
    ({ dn, mail, password }) =>
      `dn: ${dn}\nobjectClass: inetOrgPerson\nsn: Person\nmail: ${mail}\nuserPassword: ${password}\n`,
  );
  return [top, ...people].join("\n");
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Tries until the port accepts a connection; slapd does not report when it is ready. */
async function untilOpen(port: number): Promise<void> {
  for (let left = 200; left > 0; left -= 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.end(() => resolve(true)));
      socket.on("error", () => resolve(false));
    });
    if (isOpen) return;
    await pause(50);
  }
  throw new Error("slapd has not started");
}
