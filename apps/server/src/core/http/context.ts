import type { Language } from "@metrum/vocabulary";
import type { Bus } from "../bus.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../../config.ts";
import type { Database, Db } from "../database/database.ts";
import type { Scope } from "../database/scope.ts";
import type { Log } from "../log.ts";

/** What the whole process shares; handed to every domain at start. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
}

/** A signed-in session, as the gate resolved it from the token. */
export interface Session {
  readonly id: number;
  readonly scope: Scope;
  readonly language: Language;
  readonly enteredFromAdmin: boolean;
}

/** What every handler receives. */
export interface PublicCtx extends Services {
  readonly log: Log;
  /** Language of the answer's `msg`: that of the interface, else of the user. */
  readonly language: Language;
  readonly address: string;
  readonly agent: string;
  /** Runs once the transaction of the call is committed; not at all when it fails. */
  readonly afterCommit: (run: () => void) => void;
}

/** What the handler of a signed-in call receives: one transaction under the company of the session. */
export interface Ctx extends PublicCtx {
  readonly db: Db;
  readonly scope: Scope;
  readonly session: Session;
}
