import { pathOf, type Call, type InputOf, type ReplyOf } from "@metrum/contract";
import { currentLanguage } from "#lib/i18n";
import { endSession, storedToken } from "#lib/token";
import { ApiError, errorOf, fieldsOf } from "./apiError.ts";

export interface Answer<Reply> {
  readonly data: Reply;
  /** What the server says about it; empty when there is nothing to say. */
  readonly msg: string;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
}

/** One HTTP exchange of the contract. Errors: ApiError, or the AbortError of the signal. */
export async function request<C extends Call>(
  definition: C,
  input: InputOf<C>,
  { signal }: RequestOptions = {},
): Promise<Answer<ReplyOf<C>>> {
  const token = definition.auth === "none" ? null : storedToken();
  // The screen of a session that has just ended may still ask; the answer is known.
  if (definition.auth !== "none" && token === null)
    throw new ApiError({ status: 401, code: "not_signed_in", msg: null });
  const { body } = fieldsOf(input);
  const response = await fetch(addressOf(definition, input), {
    method: definition.method,
    headers: headersOf(token, body !== undefined),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError({ status: 0, code: "offline", msg: null });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return unwrap(definition, answer);
  const error = errorOf(response.status, answer);
  // A refused sign-in is never 401 and public calls carry no token, so any other 401 is the end of this session.
  if (response.status === 401 && token !== null && error.code !== "entry_code_refused")
    endSession("expired", token);
  throw error;
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

function headersOf(token: string | null, hasBody: boolean): Record<string, string> {
  return {
    accept: "application/json",
    "accept-language": currentLanguage(),
    ...(hasBody ? { "content-type": "application/json" } : {}),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
}

/** The trust boundary. Development checks every reply; in production the server has done so in its tests. */
function unwrap<C extends Call>(definition: C, answer: unknown): Answer<ReplyOf<C>> {
  const { data, msg } = fieldsOf(answer);
  const reply = import.meta.env.DEV ? definition.reply.parse(data) : data;
  return { data: reply as ReplyOf<C>, msg: typeof msg === "string" ? msg : "" };
}
