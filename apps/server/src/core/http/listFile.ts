import { Readable } from "node:stream";
import {
  fieldFault,
  ListFile,
  problem,
  type Call,
  type FileColumn,
  type FileFormat,
} from "@metrum/contract/core";
import type { Language } from "@metrum/vocabulary";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod/mini";
import { dayOf, dayText } from "../time/calendar.ts";
import { totalsOf, type Dataset } from "../datasets/index.ts";
import { csvOf } from "../sheets/csv.ts";
import type { Cell, Sheet } from "../sheets/sheet.ts";
import { xlsxOf } from "../sheets/xlsx.ts";
import { isZone } from "../time/timeZone.ts";
import { attachment } from "./attachment.ts";
import { languageOf } from "./language.ts";
import { columnDecimals, readersOf, totalCells } from "./listCells.ts";
import { FileCall } from "./running.ts";
import type { Api } from "./serve.ts";

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
 * Answers a list as a spreadsheet: its data set is read page by page in one snapshot of the
 * database, and each page is written before the next but one is read, so that memory does not grow with the
 * list.
 */
export async function answerFile(
  api: Api,
  dataset: Dataset,
  request: FastifyRequest,
  reply: FastifyReply,
  { file, rest }: { readonly file: ListFile; readonly rest: Asked },
): Promise<FastifyReply> {
  const { session, params, query } = request;
  if (!session) throw new Error("a list needs a session");
  if (!isZone(file.zone))
    throw problem("wrong_input", { attributes: { "file.zone": [fieldFault("wrong")] } });
  const { columns } = file;
  const readers = readersOf(dataset, columns);
  const decimals = columnDecimals(dataset, columns);
  const running = new FileCall(api, request, session);
  const { language } = running;
  const free = api.fileSlots.take(session.scope.companyId);
  const end = async (): Promise<void> => {
    free();
    await running.unit.finish("rollback");
  };
  let pages: AsyncIterable<readonly unknown[]>;
  try {
    pages = await dataset.rows(running, { params, query, body: rest });
  } catch (error) {
    await end();
    throw error;
  }
  const sheet: Sheet = {
    title: file.title,
    zone: file.zone,
    columns: columns.map(({ title, shows = "plain" }, at) => ({
      ...{ title, decimals: decimals[at] },
      shows: shows === "time" || shows === "day" ? shows : "plain",
    })),
    rows: cellsOf(pages, { dataset, columns, readers, language }),
  };
  const stream = streamOf(file.format === "xlsx" ? xlsxOf(sheet) : csvOf(sheet, language));
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

/** The rows of a file, and below them what they add up to. */
async function* cellsOf(
  pages: AsyncIterable<readonly unknown[]>,
  {
    dataset,
    columns,
    readers,
    language,
  }: {
    readonly dataset: Dataset;
    readonly columns: readonly FileColumn[];
    readonly readers: readonly ((row: unknown) => Cell)[];
    readonly language: Language;
  },
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const isTotalled = columns.some(({ of: [id] }) =>
    dataset.columns.some((column) => column.id === id && column.total),
  );
  const totals = isTotalled ? totalsOf(dataset) : undefined;
  for await (const rows of pages) {
    totals?.add(rows);
    yield rows.map((row) => readers.map((read) => read(row)));
  }
  if (totals) yield totalCells(columns, totals.lines(), language);
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
