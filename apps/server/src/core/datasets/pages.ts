import { listFileBounds, problem, type Call } from "@metrum/contract/core";
import { kept } from "../http/reply.ts";
import { rowsOf, type RowPage } from "./rows.ts";
import { rowsOfSpan, spanInput, spanOf } from "./spans.ts";

/** Rows requested at a time; a list with smaller pages answers with its largest. */
const pageRows = 1_000;
/** Pages that are read while one is used: the database works on one while another is put together. */
const pagesAhead = 2;

/** A list with its input, asked in the context of one call. */
export interface AskedList {
  readonly call: Call;
  /** Answers the body, which is completed by the page or the part of the period. */
  readonly ask: (body: object) => unknown;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * All rows of a list, page by page; the first page was read without an error. Problems: those of the call,
 * file_too_long.
 */
export async function pagesOf(asked: AskedList): Promise<AsyncIterable<readonly unknown[]>> {
  return asked.call.isPeriod ? periodOf(asked) : listOf(asked);
}

async function listOf({
  call: { rows = "" },
  ask,
  body,
}: AskedList): Promise<AsyncIterable<readonly unknown[]>> {
  const { paginate: _, ...rest } = body;
  const pageOf = async (page: number): Promise<RowPage> =>
    rowsOf(kept(await ask({ ...rest, page, per_page: pageRows })).data, rows);
  const first = await pageOf(1);
  if ((first.total ?? 0) > listFileBounds.rows)
    throw problem("file_too_long", { params: { max: listFileBounds.rows } });
  return pagesFrom(first, pageOf);
}

async function periodOf({ call, ask, body }: AskedList): Promise<AsyncIterable<readonly unknown[]>> {
  const parts = rowsOfSpan(call, (span) => ask(spanInput(body, span)), spanOf(body));
  const first = await parts.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* parts;
  })();
}

/** All pages in order; the next ones are read while one is used. The rows are a snapshot: the total stays. */
async function* pagesFrom(
  first: RowPage,
  pageOf: (page: number) => Promise<RowPage>,
): AsyncGenerator<readonly unknown[]> {
  const size = first.rows.length;
  const count = size === 0 ? 1 : Math.ceil((first.total ?? size) / size);
  const ahead: Promise<RowPage>[] = [];
  let asked = 1;
  let { rows } = first;
  for (let number = 1; number <= count; number += 1) {
    while (asked < count && asked < number + pagesAhead) {
      asked += 1;
      const page = pageOf(asked);
      // Thrown when it is awaited, if anybody still reads.
      page.catch(() => undefined);
      ahead.push(page);
    }
    yield rows;
    rows = (await ahead.shift())?.rows ?? [];
  }
}
