import type { Services } from "#core";
import { SecretClosed } from "./fault.ts";
import type { KnownServer } from "./store.ts";

type Deps = Pick<Services, "secretBox">;

/** A secret sealed for one server does not open for another. */
const purposeOf = (id: number): string => `network_server:${id}`;

export const sealFor = ({ secretBox }: Deps, id: number, secret: string): Buffer | null =>
  secret === "" ? null : secretBox.seal(secret, purposeOf(id));

/** The secret of a server; empty: none. Errors: SecretClosed when it was sealed with another key file. */
export function secretOf({ secretBox }: Deps, { id, sealed }: KnownServer): string {
  if (sealed === null) return "";
  try {
    return secretBox.open(sealed, purposeOf(id));
  } catch (error) {
    throw new SecretClosed("the key was kept under another key file", { cause: error });
  }
}
