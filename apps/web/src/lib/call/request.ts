import { pathOf, type Call, type InputOf, type ReplyOf } from "@metrum/contract/core";
import { currentLanguage } from "#lib/i18n";
import { noteLost, noteReached } from "#lib/connection";
import { endSession, storedToken } from "#lib/token";
import { leaveTrail } from "#lib/trail";
import { ApiError, errorOf, fieldsOf } from "./apiError.ts";
import { forgetOnceKey, onceKeyOf } from "./onceKeys.ts";
import { addressOfReference, recall, remember } from "./reference.ts";
import { ignoreFailure } from "./ignoreFailure.ts";

export interface Answer<Reply> {
  readonly data: Reply;
  /** Message of the server; may be empty. */
  readonly msg: string;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Files sent with the body, each under the name of its part: the body is then a form. */
  readonly files?: Readonly<Record<string, Blob>>;
}

/** One HTTP request of the contract. Errors: ApiError, or the AbortError of the signal. */
export async function request<C extends Call>(
  definition: C,
  input: InputOf<C>,
  { signal, files }: RequestOptions = {},
): Promise<Answer<ReplyOf<C>>> {
  const token = tokenFor(definition);
  const address = addressOf(definition, input);
  const { body } = fieldsOf(input);
  const resting = definition.isReference ? addressOfReference(address, currentLanguage(), body) : null;
  const known = await recall(resting);
  const identity = definition.isOnce ? `${address} ${JSON.stringify(body)}` : null;
  const isJson = body !== undefined && files === undefined;
  const response = await reach(address, {
    method: definition.method,
    headers: headersOf({ token, isJson, known: known?.tag, once: identity && onceKeyOf(identity) }),
    ...bodyOf(body, files),
    ...(signal ? { signal } : {}),
  });
  if (identity !== null) forgetOnceKey(identity);
  leaveTrail(`${definition.method} ${definition.path} ${String(response.status)}`);
  if (response.status === 304 && known !== null) return unwrap(definition, known.body, response.status);
  const answer: unknown = await response.json().catch(ignoreFailure);
  if (response.ok) {
    await remember(resting, response.headers.get("etag"), answer);
    return unwrap(definition, answer, response.status);
  }
  throw refusedBy(response, answer, token);
}

/** The error of an answer; it may end the session. */
export function refusedBy({ status }: Response, answer: unknown, token: string | null): ApiError {
  const error = errorOf(status, answer);
  // A refused sign-in is never 401 and public calls carry no token, so any 401 but that of an entry code ends
  // this session.
  if (status === 401 && token !== null && error.code !== "entry_code_refused") endSession("expired", token);
  return error;
}

/**
 * Undefined for a public call. A screen whose session has just ended may still make calls; their answer is
 * known: 401.
 */
export function tokenFor({ auth }: Call): string | null {
  const token = auth === "none" ? null : storedToken();
  if (auth !== "none" && token === null)
    throw new ApiError({ status: 401, code: "not_signed_in", msg: null });
  return token;
}

/**
 * Sends the request, and records whether the server was reached. Errors: ApiError of status 0, or the
 * AbortError of the signal.
 */
export async function reach(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, init).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    noteLost();
    throw new ApiError({ status: 0, code: "offline", msg: null });
  });
  noteReached();
  return response;
}

export function bodyOf(body: unknown, files: RequestOptions["files"]): { readonly body?: BodyInit } {
  if (files !== undefined) return { body: formOf(body, files) };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

/** Texts and files as a form; a list is one text, null an empty one. */
function formOf(body: unknown, files: Readonly<Record<string, Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fieldsOf(body)))
    if (Array.isArray(value)) form.append(name, value.join(","));
    else if (typeof value === "string" || typeof value === "number") form.append(name, String(value));
    else if (value === null) form.append(name, "");
  for (const [name, file] of Object.entries(files)) form.append(name, file);
  return form;
}

/** Path and query of a call, from the root of the site. */
export function addressOf(definition: Call, input: unknown): string {
  const { params, query } = fieldsOf(input);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fieldsOf(query))) {
    if (value === undefined || value === null) continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  const path = `/api/${pathOf(definition, fieldsOf(params))}`;
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

interface Marks {
  readonly token: string | null;
  readonly isJson: boolean;
  /** ETag of the stored answer. */
  readonly known: string | undefined;
  /** Idempotency key. */
  readonly once: string | null;
}

export function headersOf({ token, isJson, known, once }: Marks): Record<string, string> {
  return {
    accept: "application/json",
    "accept-language": currentLanguage(),
    ...(isJson ? { "content-type": "application/json" } : {}),
    ...(known === undefined ? {} : { "if-none-match": known }),
    ...(once === null ? {} : { "idempotency-key": once }),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
}

/**
 * Trust boundary. Development validates every reply; in production the server's tests have done so. Errors:
 * ApiError for an answer without data, such as the sign-in page of a network or an empty one.
 */
function unwrap<C extends Call>(definition: C, answer: unknown, status: number): Answer<ReplyOf<C>> {
  const { data, msg } = fieldsOf(answer);
  if (data === undefined) throw new ApiError({ status, code: "unexpected_answer", msg: null });
  const reply = import.meta.env.DEV ? definition.reply.parse(data) : data;
  return { data: reply as ReplyOf<C>, msg: typeof msg === "string" ? msg : "" };
}
