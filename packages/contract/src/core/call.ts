import type { z } from "zod/mini";
import type { ProblemCode } from "../problems.ts";
import type { Duty } from "./duties.ts";
import type { Nothing } from "./values.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Schema = z.ZodMiniType;

/**
 * One HTTP call as a value. Rights, validation, OpenAPI, the typed client and the tests are derived from it.
 *
 * `path` is relative to the API base, with `:name` parameters; trailing slashes are served too. `aliases` are other
 * spellings that are served as well, each with its method: "POST device/system/messages/:id".
 * `right` is the mini language of the specification ("4:read|4:access_all", "admin", "platform"); null is any signed-in
 * user. `auth: "none"` marks a public call. `reply` describes `data` of the envelope `{data, msg}`.
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
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply: Reply;
  readonly problems?: readonly ProblemCode[];
  /** What a user may owe and still make this call: it shows him what to do, or does it. Every other call is refused. */
  readonly serves?: readonly Duty[];
  /** Not in the specification's list of calls: what a screen needs that the list has no call for. */
  readonly isOwn?: boolean;
  /**
   * The answer is a list that hardly ever changes and is asked at every start: it carries an ETag, and whoever names it in
   * `If-None-Match` gets 304 while it still holds. Also for POST, as the list of calls has it.
   */
  readonly isReference?: boolean;
  /** Keys of `data` that stand at the top level of the answer as well; `msg` there replaces the sentence of the call. */
  readonly atTop?: readonly string[];
  /** With the same `Idempotency-Key` it is done once in 24 h: a repeat gets the first answer, which holds no secret. */
  readonly isOnce?: boolean;
  /** Its texts are those of meters and other systems: what no table can hold in them is replaced by U+FFFD instead of refused. */
  readonly hasForeignText?: boolean;
  /** Requests a minute and address; unlimited without. */
  readonly perMinute?: number;
}

/** Declares a call and keeps its literal types. */
export function call<
  const Params extends Schema = typeof Nothing,
  const Query extends Schema = typeof Nothing,
  const Body extends Schema = typeof Nothing,
  const Reply extends Schema = Schema,
>(definition: Call<Params, Query, Body, Reply>): Call<Params, Query, Body, Reply> {
  return definition;
}

/** Declares a call that needs no sign-in; its handler gets no session. */
export function publicCall<
  const Params extends Schema = typeof Nothing,
  const Query extends Schema = typeof Nothing,
  const Body extends Schema = typeof Nothing,
  const Reply extends Schema = Schema,
>(
  definition: Omit<Call<Params, Query, Body, Reply>, "auth" | "right">,
): Call<Params, Query, Body, Reply> & { readonly auth: "none" } {
  return { ...definition, auth: "none" };
}

/** A table of calls of one domain, by verb. */
export type Calls = Readonly<Record<string, Call>>;

/** What a caller may leave out is left out: parts without a schema are not part of the input. */
export type InputOf<C> =
  C extends Call<infer Params, infer Query, infer Body>
    ? { readonly params?: z.input<Params>; readonly query?: z.input<Query>; readonly body?: z.input<Body> }
    : never;

/** What a handler receives after validation. */
export type ParsedOf<C> =
  C extends Call<infer Params, infer Query, infer Body>
    ? { readonly params: z.output<Params>; readonly query: z.output<Query>; readonly body: z.output<Body> }
    : never;

/** What stands under `data` of the answer. */
export type ReplyOf<C> = C extends Call<Schema, Schema, Schema, infer Reply> ? z.output<Reply> : never;

/** The path with its parameters filled in, relative to the API base. */
export function pathOf(definition: Call, params: Readonly<Record<string, unknown>> = {}): string {
  return definition.path.replaceAll(/:([A-Za-z_]+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
}
