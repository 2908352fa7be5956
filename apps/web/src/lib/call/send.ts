import type { Call, InputOf, ReplyOf } from "@metrum/contract/core";
import { connection } from "#lib/connection";
import { ApiError } from "./apiError.ts";
import { request, type Answer, type RequestOptions } from "./request.ts";

export interface SendOptions extends Pick<RequestOptions, "files"> {
  /** The caller shows the failure itself: no snackbar. */
  readonly isQuiet?: boolean | ((error: ApiError) => boolean);
}

type Report = (error: ApiError) => void;
let report: Report = () => undefined;

/** Handler of failures not shown by their caller; set by the app at its start. */
export function onApiError(listener: Report): void {
  report = listener;
}

/** Shows a failure unless its caller does. */
export function reportUnless(isQuiet: SendOptions["isQuiet"], error: unknown): void {
  if (!(error instanceof ApiError)) return;
  // The end of the session is reported once, by the login screen, not by every pending call.
  if (error.status === 401) return;
  if (isQuiet === true || (typeof isQuiet === "function" && isQuiet(error))) return;
  report(error);
}

/** Sends a command and returns the whole answer, for callers that show the server's message. */
export async function exchange<C extends Call>(
  definition: C,
  input: InputOf<C>,
  { isQuiet, ...options }: SendOptions = {},
): Promise<Answer<ReplyOf<C>>> {
  try {
    // Refused rather than queued: a request waiting for a connection would be lost with the page.
    if (connection.isCut()) throw new ApiError({ status: 0, code: "offline", msg: null });
    return await request(definition, input, options);
  } catch (error) {
    reportUnless(isQuiet, error);
    throw error;
  }
}

/** Sends a command and returns the data of the answer. */
export async function send<C extends Call>(
  definition: C,
  input: InputOf<C>,
  options: SendOptions = {},
): Promise<ReplyOf<C>> {
  return (await exchange(definition, input, options)).data;
}
