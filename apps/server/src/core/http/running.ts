import type { Language } from "@metrum/vocabulary";
import type { FastifyRequest } from "fastify";
import type { Bus } from "../bus.ts";
import { momentOf, type Clock } from "../time/clock.ts";
import type { Config } from "#config";
import type { Database, Db } from "../database/database.ts";
import type { Scope } from "../database/scope.ts";
import type { Reads, Unit } from "../database/unit.ts";
import { WholeLists } from "../database/wholeLists.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { SecretBox } from "../secrets.ts";
import type { Ctx, Parts, PublicCtx, Session } from "./context.ts";
import { noFiles, type Files } from "./files.ts";
import { languageOf } from "./language.ts";
import type { Api } from "./serve.ts";

/**
 * A call in progress, which is also the context of its handler. A class, because it is created for every
 * request: objects of one shape cost a fifth of copies of the process's services.
 */
export class RunningCall implements PublicCtx {
  readonly config: Config;
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly secretBox: SecretBox;
  readonly parts: Parts;
  readonly language: Language;
  readonly address: string;
  readonly agent: string;
  readonly host: string;
  readonly files: Files;
  readonly onceKey: string | undefined;
  readonly fromProxy: (header: string) => string | undefined;
  readonly header: (name: string) => string | undefined;
  readonly afterCommit: (run: () => void) => void;
  readonly unit: Unit | undefined = undefined;
  #after: (() => void)[] | undefined;

  constructor({ services, fromProxy }: Api, request: FastifyRequest) {
    const { headers, uploads, session } = request;
    this.config = services.config;
    this.database = services.database;
    this.bus = services.bus;
    this.clock = services.clock;
    this.log = services.log;
    this.metrics = services.metrics;
    this.secretBox = services.secretBox;
    this.parts = services.parts;
    this.language = languageOf(headers["accept-language"], session?.language);
    this.address = request.ip;
    this.agent = headers["user-agent"] ?? "";
    this.host = request.hostname.toLowerCase();
    this.files = uploads ?? noFiles;
    this.onceKey = oneOf(headers["idempotency-key"]);
    this.fromProxy = (header) => fromProxy(request, header);
    this.header = (name) => oneOf(headers[name]);
    this.afterCommit = (run) => (this.#after ??= []).push(run);
  }

  /** Runs the callbacks that waited for the commit. The call has succeeded: what fails in them is only logged. */
  finished(): void {
    for (const run of this.#after ?? [])
      try {
        run();
      } catch (error) {
        this.log.error({ err: error }, "a callback after the commit failed");
      }
  }

  /** The transaction of the call has ended. */
  ended(): void {
    return;
  }
}

/** A call with a session. A copy (`{ ...ctx, db }`) brings its own `db`, which is therefore not a field. */
export class SignedInCall extends RunningCall implements Ctx {
  readonly session: Session;
  readonly scope: Scope;
  override readonly unit: Unit;
  #end: (() => void) | undefined;

  constructor(api: Api, request: FastifyRequest, session: Session, reads: Reads = "latest") {
    super(api, request);
    this.session = session;
    this.scope = session.scope;
    this.unit = api.services.database.unit(session.scope, reads);
  }

  get db(): Db {
    return this.unit.db;
  }

  /** Runs when the transaction of the call has ended, whatever its outcome. */
  whenEnded(run: () => void): void {
    this.#end = run;
  }

  override ended(): void {
    this.#end?.();
  }
}

/**
 * A call that is answered as a file: its handler runs once for each page, on one snapshot of the database and at
 * one moment.
 */
export class FileCall extends SignedInCall {
  override readonly clock: Clock;
  readonly whole = new WholeLists();

  constructor(api: Api, request: FastifyRequest, session: Session) {
    super(api, request, session, "snapshot");
    this.clock = momentOf(api.services.clock);
  }
}

function oneOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" && header !== "" ? header : undefined;
}
