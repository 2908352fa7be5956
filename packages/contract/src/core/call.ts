import type { Text } from "@metrum/vocabulary";
import type { z } from "zod/mini";
import type { ProblemCode } from "./problems.ts";
import type { Duty } from "./duties.ts";
import type { Nothing } from "./values.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Schema = z.ZodMiniType;

/**
 * What a call shows or changes, for users who are tied to a part of the company (`onlyTiedDevices`):
 *
 * - `company`: settings and records that the whole company shares; the gate refuses tied users.
 * - `branch`: records that the user sees; its handler resolves their ids and limits its lists.
 * - `common`: lists that are the same for all users with the right; changes nothing.
 * - `own`: the account, session and views of the user alone.
 */
export type Reach = "company" | "branch" | "common" | "own";

/** A column of a list as the server describes it. */
export interface OwnColumn {
  readonly title: Text;
  /** The field of a row. */
  readonly of: string;
  /** Field of the row that is the unit of its values. */
  readonly unit?: string;
  /** Its known values are added up; see `totalsBy`. */
  readonly total?: "sum";
  /** Fields of the row that say how its value is known. */
  readonly marks?: {
    /** Known share of it, from 0 to 1. */
    readonly known?: string;
    /** Part of it that is estimated, or comes from another period. */
    readonly estimated?: string;
    readonly carried?: string;
  };
}

/** Title and columns of a list that the server describes itself, of its file and of its data set. */
export interface OwnFile {
  /** A request without a format is answered as xlsx; with `json`, as every other call. */
  readonly isUsual?: boolean;
  readonly title: Text;
  readonly columns: readonly OwnColumn[];
  /** Fields whose values must be equal for the values of rows to be added up: what they are, and their unit. */
  readonly totalsBy?: readonly string[];
}

/**
 * One HTTP call as a value. Rights, validation, OpenAPI, the typed client and the tests are derived from it.
 *
 * `path` is relative to the API base, with `:name` parameters; trailing slashes are served too. `aliases` are
 * other spellings that are served as well, each with its method: "POST device/system/messages/:id". `right`
 * is the mini language of the specification ("4:read|4:access_all", "admin", "platform"); null is any
 * signed-in user. `auth: "none"` marks a public call. `reply` describes `data` of the envelope `{data, msg}`.
 * `problems` lists the refusals beyond those every call has (not signed in, right missing, input wrong).
 */
export interface Call<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly aliases?: readonly string[];
  readonly auth?: "none" | "bearer";
  readonly right?: string | null;
  /** Needed instead of `right` for some inputs; which one an input needs is checked by the handler. */
  readonly orRight?: string;
  /** Declared by every call with a session. */
  readonly reach?: Reach;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply: Reply;
  readonly problems?: readonly ProblemCode[];
  /**
   * Pending duties under which a user may still make this call, because it shows or fulfils them. Every other
   * call is refused.
   */
  readonly serves?: readonly Duty[];
  /** Not in the specification's list of calls: needed by a screen for which that list has no call. */
  readonly isOwn?: boolean;
  /**
   * The answer is a rarely changing list requested at every start: it has an ETag, and a request with a valid
   * `If-None-Match` gets 304. Also for POST, as in the list of calls.
   */
  readonly isReference?: boolean;
  /**
   * Keys of `data` that are repeated at the top level of the answer; `msg` there replaces the message of the
   * call.
   */
  readonly atTop?: readonly string[];
  /** Idempotent per `Idempotency-Key` for 24 h: a repeat gets the first answer, which contains no secret. */
  readonly isOnce?: boolean;
  /**
   * Its texts come from meters and other systems: characters that no table can store are replaced by U+FFFD
   * instead of refused.
   */
  readonly hasForeignText?: boolean;
  /**
   * Place of the rows in `data`: "metering_devices.data". Their `total` is next to them. Such a list is a data set,
   * and can also be answered as a spreadsheet (`ListFile`).
   */
  readonly rows?: string;
  /** Changes nothing in the database, which refuses it. Implied by `rows`. */
  readonly isReading?: boolean;
  /**
   * Its rows are those of a period (`startDate`, `stopDate`) and not of pages: a file has all of them, while an
   * answer has `limit` and says whether it is `truncated`.
   */
  readonly isPeriod?: boolean;
  /** The file as which a list is answered if the request names only a format. */
  readonly ownFile?: OwnFile;
  /** Requests per minute and address; unlimited if absent. */
  readonly perMinute?: number;
}

/** Declares a call and keeps its literal types. */
export function call<
  const Params extends Schema = typeof Nothing,
  const Query extends Schema = typeof Nothing,
  const Body extends Schema = typeof Nothing,
  const Reply extends Schema = Schema,
>(
  definition: Call<Params, Query, Body, Reply> & { readonly reach: Reach },
): Call<Params, Query, Body, Reply> {
  return definition;
}

/** Declares a call that needs no sign-in; its handler gets no session. */
export function publicCall<
  const Params extends Schema = typeof Nothing,
  const Query extends Schema = typeof Nothing,
  const Body extends Schema = typeof Nothing,
  const Reply extends Schema = Schema,
>(
  definition: Omit<Call<Params, Query, Body, Reply>, "auth" | "right" | "reach">,
): Call<Params, Query, Body, Reply> & { readonly auth: "none" } {
  return { ...definition, auth: "none" };
}

/** A table of calls of one domain, by verb. */
export type Calls = Readonly<Record<string, Call>>;

/** Omits parts without a schema from the input. */
export type InputOf<C> =
  C extends Call<infer Params, infer Query, infer Body>
    ? { readonly params?: z.input<Params>; readonly query?: z.input<Query>; readonly body?: z.input<Body> }
    : never;

/** Input of a handler after validation. */
export type ParsedOf<C> =
  C extends Call<infer Params, infer Query, infer Body>
    ? { readonly params: z.output<Params>; readonly query: z.output<Query>; readonly body: z.output<Body> }
    : never;

/** The content of `data` in the answer. */
export type ReplyOf<C> = C extends Call<Schema, Schema, Schema, infer Reply> ? z.output<Reply> : never;

/** The path with its parameters filled in, relative to the API base. */
export function pathOf(definition: Call, params: Readonly<Record<string, unknown>> = {}): string {
  return definition.path.replaceAll(/:([A-Za-z_]+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
}
