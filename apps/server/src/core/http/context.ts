import type { AccessRecord } from "@metrum/contract/access";
import type { Duty } from "@metrum/contract/core";
import type { CompanyId, Language, UserId } from "@metrum/vocabulary";
import type { Bus } from "../bus.ts";
import type { Clock } from "../time/clock.ts";
import type { Config } from "#config";
import type { Database, Db } from "../database/database.ts";
import type { Scope } from "../database/scope.ts";
import type { WholeLists } from "../database/wholeLists.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { SecretBox } from "../secrets.ts";
import type { Files } from "./files.ts";

/**
 * State that domains keep in memory between calls. Each domain adds its own through declaration merging, and
 * `createServices` builds them all: `declare module "#core" { interface Parts { codecs: Codecs } }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- core has none; domains add theirs
export interface Parts {}

/** Services shared by the whole process; passed to every domain at start. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Seals secrets with the key of the installation. */
  readonly secretBox: SecretBox;
  readonly parts: Parts;
}

/** A signed-in session, as the gate resolved it from the token. */
export interface Session {
  readonly id: number;
  readonly scope: Scope;
  readonly language: Language;
  /** Staff member behind a session that was entered from the administration. */
  readonly impersonatorId?: UserId | undefined;
  /** Company of the user's account; `scope.companyId` is the one the session works in. */
  readonly homeCompanyId: CompanyId;
  /** Name of the API token used; undefined for a browser session. */
  readonly apiToken?: string | undefined;
  /** Pending duty of the user, which comes before all other calls. */
  readonly duty?: Duty | undefined;
  /** IANA zone of the company the session works in. */
  readonly companyTimeZone: string;
  /** Account of the fixed list of demo addresses: may read everything, but change nothing that others see. */
  readonly isDemoUser: boolean;
  /** Rights and modules as `user/access` answers them. */
  readonly accessRecord: AccessRecord;
}

/** Context of every handler. */
export interface PublicCtx extends Services {
  readonly log: Log;
  /** Language of the answer's `msg`: that of the interface, else of the user. */
  readonly language: Language;
  readonly address: string;
  readonly agent: string;
  /** A header that only a trusted proxy may set, by its lower-case name; undefined from any other client. */
  readonly fromProxy: (header: string) => string | undefined;
  /** A header of the request by its lower-case name, not to be trusted; undefined when absent. */
  readonly header: (name: string) => string | undefined;
  /**
   * Host name requested by the browser, in lower case, without port; behind a trusted proxy the forwarded
   * one.
   */
  readonly host: string;
  /** Files of a multipart form, by name; empty for every other request. */
  readonly files: Files;
  /** `Idempotency-Key` of the request, used by idempotent calls. */
  readonly onceKey: string | undefined;
  /** Runs after the transaction of the call has committed; not at all when it fails. */
  readonly afterCommit: (run: () => void) => void;
}

/** Context of the handler of a call with a session. */
export interface Ctx extends PublicCtx {
  /** One transaction under the company of the session; it begins with the first query. */
  readonly db: Db;
  readonly scope: Scope;
  readonly session: Session;
  /** Lists kept whole while a file is written from their pages; undefined for any other answer. */
  readonly whole?: WholeLists | undefined;
}
