import { listFileBounds, problem, type Call, type WrongFields } from "@metrum/contract/core";
import { messageLimit } from "@metrum/contract/metering";
import { kept } from "../http/reply.ts";
import { rowsOf } from "./rows.ts";

export interface Span {
  readonly startDate: number;
  /** Inclusive. */
  readonly stopDate: number;
}

/** Asks the call for a part of its period; the answer may be a promise. */
export type AskSpan = (span: Span) => unknown;

/** Input of a part of a period: rows and not columns, whatever the request has named. */
export const spanInput = (rest: object, { startDate, stopDate }: Span): object => ({
  ...rest,
  ...{ startDate, stopDate, shape: "rows", limit: messageLimit },
});

/**
 * All rows of a period in order, however many: a part that has more than one answer holds is asked for in
 * halves. A second is the smallest part, and has few rows. Throws for more rows than a file may have.
 */
export async function* rowsOfSpan(
  { rows = "" }: Pick<Call, "rows">,
  ask: AskSpan,
  whole: Span,
): AsyncGenerator<readonly unknown[]> {
  let count = 0;
  const waiting: Span[] = [whole];
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
    const { startDate, stopDate } = span;
    const { data } = kept(await ask(span));
    const middle = Math.floor((startDate + stopDate) / 2);
    if (isTruncated(data) && startDate < stopDate) {
      waiting.push({ startDate: middle + 1, stopDate }, { startDate, stopDate: middle });
      continue;
    }
    const found = rowsOf(data, rows).rows;
    count += found.length;
    if (count > listFileBounds.rows) throw problem("file_too_long", { params: { max: listFileBounds.rows } });
    yield found;
  }
}

const isTruncated = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "truncated" in data && data.truncated === true;

/** The period of a request. Problem: wrong_input, if it ends before it begins. */
export function spanOf(given: { readonly startDate?: unknown; readonly stopDate?: unknown }): Span {
  const { startDate, stopDate } = given;
  const attributes: WrongFields = { stopDate: ["wrong"] };
  if (typeof startDate !== "number" || typeof stopDate !== "number" || stopDate < startDate)
    throw problem("wrong_input", { attributes });
  return { startDate, stopDate };
}
