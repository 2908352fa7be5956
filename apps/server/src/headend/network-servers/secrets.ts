import { secretBox, type Services } from "#core";
import { SecretClosed } from "./fault.ts";
import type { KnownServer } from "./store.ts";

type Configured = Pick<Services, "config">;

/** What is sealed for one server does not open in another. */
const purposeOf = (id: number): string => `network_server:${id}`;

export const sealFor = ({ config }: Configured, id: number, secret: string): Buffer | null =>
  secret === "" ? null : secretBox(config).seal(secret, purposeOf(id));

/** The secret of a server; empty: none. Errors: SecretClosed when it was sealed under another key file. */
export function secretOf({ config }: Configured, { id, sealed }: KnownServer): string {
  if (sealed === null) return "";
  const box = secretBox(config);
  try {
    return box.open(sealed, purposeOf(id));
  } catch (error) {
    throw new SecretClosed("the key was kept under another key file", { cause: error });
  }
}
