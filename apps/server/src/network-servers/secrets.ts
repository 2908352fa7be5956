import { secretBox, type Services } from "#core";
import type { KnownServer } from "./store.ts";

type Configured = Pick<Services, "config">;

/** What is sealed for one server does not open in another. */
const purposeOf = (id: number): string => `network_server:${id}`;

export const sealFor = ({ config }: Configured, id: number, secret: string): Buffer | null =>
  secret === "" ? null : secretBox(config).seal(secret, purposeOf(id));

/** The secret of a server; empty: none. Errors: Error when it was sealed under another key file. */
export const secretOf = ({ config }: Configured, { id, sealed }: KnownServer): string =>
  sealed === null ? "" : secretBox(config).open(sealed, purposeOf(id));
