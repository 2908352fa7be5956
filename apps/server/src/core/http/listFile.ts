import { Readable } from "node:stream";
import {
  fieldFault,
  ListFile,
  listFileBounds,
  problem,
  type Call,
  type FileFormat,
} from "@metrum/contract/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod/mini";
import { dayOf, dayText } from "../time/calendar.ts";
import { csvOf } from "../sheets/csv.ts";
import type { Cell, Sheet } from "../sheets/sheet.ts";
import { xlsxOf } from "../sheets/xlsx.ts";
import { isZone } from "../time/timeZone.ts";
import { attachment } from "./attachment.ts";
import type { Ctx } from "./context.ts";
import { languageOf } from "./language.ts";
import { columnDecimals, readersOf, rowsOf, type RowPage } from "./listRows.ts";
import { rowsOfSpan, spanInput, spanOf } from "./listSpans.ts";
import { kept } from "./reply.ts";
import { FileCall } from "./running.ts";
import type { Api } from "./serve.ts";

/** Rows requested at a time; a list with smaller pages answers with its largest. */
const pageRows = 1_000;
/** Pages that are read while one is written: the database works on one while another is put together. */
const pagesAhead = 2;
/** A client that accepts nothing for this long loses its file, which frees the connection. */
const idleMs = 60_000;

const types = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
} as const;

/** Input of a list together with the file it is to be answered as. */
export function withFile(body: NonNullable<Call["body"]>): NonNullable<Call["body"]> {
  if (!(body instanceof z.ZodMiniObject)) throw new Error("the input of a list is an object");
  return z.extend(body, { file: z.optional(ListFile) });
}

type Handler = (input: unknown, ctx: unknown) => unknown;
type Asked = Omit<Record<string, unknown>, "file">;

/** The file that a request asks for, and the rest of its input; undefined if there is none. */
export function wantedFile(
  { body, session, headers }: FastifyRequest,
  { ownFile }: Call,
): { file: ListFile; rest: Asked } | undefined {
  const { file, ...rest } = body as { readonly file?: ListFile; readonly format?: FileFormat | "json" };
  if (file) return { file, rest };
  const format = rest.format ?? (ownFile?.isUsual ? "xlsx" : undefined);
  if (!ownFile || format === undefined || format === "json") return undefined;
  const language = languageOf(headers["accept-language"], session?.language);
  const own: ListFile = {
    format,
    title: ownFile.title[language],
    zone: session?.scope.timeZone ?? "Etc/UTC",
    columns: ownFile.columns.map(({ title, of }) => ({ title: title[language], of: [of] })),
  };
  return { file: own, rest };
}

/**
 * Answers a list as a spreadsheet: the handler of the call is run page by page in one snapshot of the
 * database, and each page is written before the next but one is read, so that memory does not grow with the
 * list.
 */
export async function answerFile(
  api: Api,
  { call, handler }: { readonly call: Call; readonly handler: Handler },
  request: FastifyRequest,
  reply: FastifyReply,
  { file, rest }: { readonly file: ListFile; readonly rest: Asked },
): Promise<FastifyReply> {
  const { session } = request;
  if (!session) throw new Error("a list needs a session");
  if (!isZone(file.zone))
    throw problem("wrong_input", { attributes: { "file.zone": [fieldFault("wrong")] } });
  const readers = readersOf(call, file.columns);
  const decimals = columnDecimals(call, file.columns);
  const running = new FileCall(api, request, session);
  const free = api.fileSlots.take(session.scope.companyId);
  const end = async (): Promise<void> => {
    free();
    await running.unit.finish("rollback");
  };
  const asking = {
    call,
    handler,
    input: { params: request.params, query: request.query, rest },
    running,
  };
  let rows: AsyncIterable<RowPage["rows"]>;
  try {
    rows = await (call.isPeriod ? periodOf(asking) : listOf(asking));
  } catch (error) {
    await end();
    throw error;
  }
  const sheet: Sheet = {
    title: file.title,
    zone: file.zone,
    columns: file.columns.map(({ title, shows = "plain" }, at) => ({
      ...{ title, decimals: decimals[at] },
      shows: shows === "time" || shows === "day" ? shows : "plain",
    })),
    rows: cellsOf(rows, readers),
  };
  const stream = streamOf(file.format === "xlsx" ? xlsxOf(sheet) : csvOf(sheet, running.language));
  stream.once("close", () => void end());
  return reply
    .type(types[file.format])
    .header("cache-control", "no-store")
    .header("content-disposition", attachment(nameOf(file, running.clock.now())))
    .send(stream);
}

/** Title and day: "Metering devices 2026-11-23.xlsx". */
function nameOf({ title, zone, format }: ListFile, now: number): string {
  return `${title} ${dayText(dayOf(zone, now))}.${format}`;
}

interface Pager {
  readonly call: Call;
  readonly handler: Handler;
  readonly input: { readonly params: unknown; readonly query: unknown; readonly rest: Asked };
  readonly running: Ctx;
}

function pager({ call, handler, input, running }: Pager): (page: number) => Promise<RowPage> {
  const { paginate: _, ...rest } = input.rest;
  const { rows = "" } = call;
  return async (page) => {
    const body = { ...rest, page, per_page: pageRows };
    return rowsOf(kept(await handler({ ...input, body }, running)).data, rows);
  };
}

/** The pages of a list; the first was read without an error. Problems: those of the call, file_too_long. */
async function listOf(asking: Pager): Promise<AsyncIterable<RowPage["rows"]>> {
  const pageOf = pager(asking);
  const first = await pageOf(1);
  if ((first.total ?? 0) > listFileBounds.rows)
    throw problem("file_too_long", { params: { max: listFileBounds.rows } });
  return pagesFrom(first, pageOf);
}

/** The rows of a period; the first part was read without an error. Problems: those of the call. */
async function periodOf({ call, handler, input, running }: Pager): Promise<AsyncIterable<RowPage["rows"]>> {
  const parts = rowsOfSpan(
    call,
    (span) => handler({ ...input, body: spanInput(input.rest, span) }, running),
    spanOf(input.rest),
  );
  const first = await parts.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* parts;
  })();
}

/** All pages in order; the next ones are read while one is written. The rows are a snapshot: the total stays. */
async function* pagesFrom(
  first: RowPage,
  pageOf: (page: number) => Promise<RowPage>,
): AsyncGenerator<RowPage["rows"]> {
  const size = first.rows.length;
  const count = size === 0 ? 1 : Math.ceil((first.total ?? size) / size);
  const ahead: Promise<RowPage>[] = [];
  let asked = 1;
  let { rows } = first;
  for (let number = 1; number <= count; number += 1) {
    while (asked < count && asked < number + pagesAhead) {
      asked += 1;
      const page = pageOf(asked);
      // Thrown when it is awaited, if the file still has a reader.
      page.catch(() => undefined);
      ahead.push(page);
    }
    yield rows;
    rows = (await ahead.shift())?.rows ?? [];
  }
}

async function* cellsOf(
  pages: AsyncIterable<readonly unknown[]>,
  readers: readonly ((row: unknown) => Cell)[],
): AsyncGenerator<readonly (readonly Cell[])[]> {
  for await (const rows of pages) yield rows.map((row) => readers.map((read) => read(row)));
}

/** A stream that is closed when its reader is gone. */
function streamOf(content: AsyncIterable<string | Buffer>): Readable {
  const idle = setTimeout(() => stream.destroy(new Error("the client has stopped reading the file")), idleMs);
  const watched = async function* () {
    for await (const chunk of content) {
      yield chunk;
      idle.refresh();
    }
  };
  const stream = Readable.from(watched(), { objectMode: false });
  stream.once("close", () => clearTimeout(idle));
  return stream;
}
