import type { Call, InputOf, ReplyOf } from "@metrum/contract";
import { connection } from "#lib/connection";
import { ApiError } from "./apiError.ts";
import { request, type Answer, type RequestOptions } from "./request.ts";

export interface SendOptions extends Pick<RequestOptions, "files"> {
  /** The caller shows the failure itself: no snackbar. */
  readonly isQuiet?: boolean | ((error: ApiError) => boolean);
}

type Report = (error: ApiError) => void;
let report: Report = () => undefined;

/** Who shows failures that nobody else shows; the app says so at its start. */
export function onApiError(listener: Report): void {
  report = listener;
}

/** Shows a failure unless its caller does. */
export function reportUnless(isQuiet: SendOptions["isQuiet"], error: unknown): void {
  if (!(error instanceof ApiError)) return;
  // The end of the session is told once, by the login screen, not by every call that was under way.
  if (error.status === 401) return;
  if (isQuiet === true || (typeof isQuiet === "function" && isQuiet(error))) return;
  report(error);
}

/** Sends a command and gives the whole answer, for those who show what the server says. */
export async function exchange<C extends Call>(
  definition: C,
  input: InputOf<C>,
  { isQuiet, ...options }: SendOptions = {},
): Promise<Answer<ReplyOf<C>>> {
  try {
    // Refused rather than lost: what waits for a connection here would be gone with the page.
    if (connection.isCut()) throw new ApiError({ status: 0, code: "offline", msg: null });
    return await request(definition, input, options);
  } catch (error) {
    reportUnless(isQuiet, error);
    throw error;
  }
}

/** Sends a command and gives the data of the answer. */
export async function send<C extends Call>(
  definition: C,
  input: InputOf<C>,
  options: SendOptions = {},
): Promise<ReplyOf<C>> {
  return (await exchange(definition, input, options)).data;
}
