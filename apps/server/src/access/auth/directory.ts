import {
  Client,
  Filter,
  InappropriateAuthError,
  InvalidCredentialsError,
  InvalidDNSyntaxError,
  NoSuchObjectError,
  SizeLimitExceededError,
  UnwillingToPerformError,
} from "ldapts";
import { problem } from "@metrum/contract/core";
import type { Log, Services } from "#core";

type Settings = NonNullable<Services["config"]["ldap"]>;

/** Longest wait for a connection and for each answer. */
const patienceMs = 5_000;

const refusals = [
  InvalidCredentialsError,
  InappropriateAuthError,
  InvalidDNSyntaxError,
  NoSuchObjectError,
  UnwillingToPerformError,
];

/**
 * Whether the directory accepts this password for the single entry of this e-mail: the entry is searched with
 * the filter of the settings, then bound with the password. No entry, or more than one, takes the same steps
 * and is refused. Throws the problem `directory_away` when the directory does not answer or refuses the
 * search itself.
 */
export async function isDirectoryPassword(
  settings: Settings,
  { email, password }: { readonly email: string; readonly password: string },
  log: Log,
): Promise<boolean> {
  // A bind without a password is anonymous and succeeds (RFC 4513, 5.1.2).
  if (password === "") return false;
  const client = new Client({ url: settings.url, timeout: patienceMs, connectTimeout: patienceMs });
  try {
    const dn = await dnOf(client, settings, email);
    const isTaken = await binds(client, dn ?? unknownDn(settings), password);
    return isTaken && dn !== undefined;
  } catch (error) {
    log.error({ err: error }, "the directory could not be queried");
    throw problem("directory_away");
  } finally {
    await client.unbind().catch(() => undefined);
  }
}

/** DN of the only entry of this e-mail. */
async function dnOf(client: Client, settings: Settings, email: string): Promise<string | undefined> {
  if (settings.bindDn !== "") await client.bind(settings.bindDn, settings.bindPassword);
  const filter = settings.userFilter.replaceAll("{email}", () => Filter.escape(email));
  try {
    const { searchEntries } = await client.search(settings.baseDn, {
      scope: "sub",
      filter,
      attributes: ["1.1"],
      sizeLimit: 2,
      timeLimit: patienceMs / 1000,
    });
    return searchEntries.length === 1 ? searchEntries[0]?.dn : undefined;
  } catch (error) {
    if (error instanceof SizeLimitExceededError) return undefined;
    throw error;
  }
}

async function binds(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (refusals.some((kind) => error instanceof kind)) return false;
    throw error;
  }
}

/** A DN that does not exist, so that an unknown user causes the same request. */
function unknownDn({ baseDn }: Settings): string {
  return `cn=${crypto.randomUUID()},${baseDn}`;
}
