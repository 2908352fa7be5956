import type { Language } from "@metrum/vocabulary";
import { noFiles, type Ctx, type Db, type Services, type Session } from "#core";

/** The user on whose behalf a worker goes on, as the call found him. */
export interface Acting {
  readonly session: Session;
  readonly language: Language;
  readonly address: string;
}

export const actingOf = ({ session, language, address }: Ctx): Acting => ({ session, language, address });

/** Context of the functions of calls, in a transaction of a worker. */
export function ctxOf(
  services: Services,
  { session, language, address }: Acting,
  { db, afterCommit }: Pick<Ctx, "afterCommit"> & { readonly db: Db },
): Ctx {
  return {
    ...services,
    db,
    afterCommit,
    session,
    scope: session.scope,
    language,
    address,
    agent: "",
    host: "",
    files: noFiles,
    onceKey: undefined,
    fromProxy: () => undefined,
    header: () => undefined,
  };
}
