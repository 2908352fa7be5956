import type { AccessRecord, Duty } from "@metrum/contract";
import type { CompanyId, Language, UserId } from "@metrum/vocabulary";
import type { Bus } from "../bus.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "#config";
import type { Database, Db } from "../database/database.ts";
import type { Scope } from "../database/scope.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { SecretBox } from "../secrets.ts";
import type { Files } from "./files.ts";

/**
 * What domains keep in the memory of the process between calls. Each adds its own through declaration merging, and
 * `createServices` builds them all: `declare module "#core" { interface Parts { codecs: Codecs } }`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- core has none; domains add theirs
export interface Parts {}

/** What the whole process shares; handed to every domain at start. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Seals what must rest encrypted, under the key of the installation. */
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
  /** Name of the API token it came with; undefined for a session of a browser. */
  readonly apiToken?: string | undefined;
  /** What the user must do before anything else. */
  readonly duty?: Duty | undefined;
  /** IANA zone of the company the session works in. */
  readonly companyTimeZone: string;
  /** Account of the fixed list of demo addresses: reads everything, changes nothing that others see. */
  readonly isDemoUser: boolean;
  /** Rights and modules as `user/access` answers them. */
  readonly accessRecord: AccessRecord;
}

/** What every handler receives. */
export interface PublicCtx extends Services {
  readonly log: Log;
  /** Language of the answer's `msg`: that of the interface, else of the user. */
  readonly language: Language;
  readonly address: string;
  readonly agent: string;
  /** A header that only a trusted proxy may set, by its name in small letters; undefined from anybody else. */
  readonly fromProxy: (header: string) => string | undefined;
  /** A header of the request by its name in small letters, as anybody may have set it; undefined when it is not there. */
  readonly header: (name: string) => string | undefined;
  /** Host name that the browser has asked for, in small letters, without port; behind a trusted proxy the one it names. */
  readonly host: string;
  /** Files of a form of several parts, by name; empty for every other request. */
  readonly files: Files;
  /** `Idempotency-Key` of the request: calls that are made once look at it. */
  readonly onceKey: string | undefined;
  /** Runs once the transaction of the call is committed; not at all when it fails. */
  readonly afterCommit: (run: () => void) => void;
}

/** What the handler of a signed-in call receives. */
export interface Ctx extends PublicCtx {
  /** One transaction under the company of the session; it begins with the first query. */
  readonly db: Db;
  readonly scope: Scope;
  readonly session: Session;
}
