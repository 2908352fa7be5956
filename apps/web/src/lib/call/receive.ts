import type { Call, InputOf } from "@metrum/contract/core";
import { connection } from "#lib/connection";
import { leaveTrail } from "#lib/trail";
import { ApiError, fieldsOf } from "./apiError.ts";
import { addressOf, bodyOf, headersOf, reach, refusedBy, tokenFor } from "./request.ts";
import { reportUnless } from "./send.ts";
import { ignoreFailure } from "./ignoreFailure.ts";

export interface ReceivedFile {
  readonly name: string;
  readonly content: Blob;
}

/** Makes a call that answers a file; a failure is shown. Errors: ApiError. */
export async function receive<C extends Call>(definition: C, input: InputOf<C>): Promise<ReceivedFile> {
  try {
    if (connection.isCut()) throw unreached();
    return await requestFile(definition, input);
  } catch (error) {
    reportUnless(false, error);
    throw error;
  }
}

const unreached = () => new ApiError({ status: 0, code: "offline", msg: null });

async function requestFile<C extends Call>(definition: C, input: InputOf<C>): Promise<ReceivedFile> {
  const token = tokenFor(definition);
  const { body } = fieldsOf(input);
  const response = await reach(addressOf(definition, input), {
    method: definition.method,
    headers: headersOf({ token, isJson: body !== undefined, known: undefined, once: null }),
    ...bodyOf(body, undefined),
  });
  leaveTrail(`${definition.method} ${definition.path} ${String(response.status)}`);
  if (!response.ok) throw refusedBy(response, await response.json().catch(ignoreFailure), token);
  // The connection was lost while the file arrived.
  const content = await response.blob().catch(() => {
    throw unreached();
  });
  return { name: nameIn(response.headers.get("content-disposition") ?? ""), content };
}

/** Name of a file in UTF-8 (RFC 8187). */
function nameIn(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return encoded === undefined ? "metrum" : decodeURIComponent(encoded);
}
