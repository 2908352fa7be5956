import { companies, type CompanyInTree } from "@metrum/contract";
import type { Language } from "@metrum/vocabulary";
import { send } from "#lib/call";
import { saveFile, toCsv } from "#lib/csv";
import type { GridColumn, GridState } from "#ui/grid";
import { listBody, type TreeRow } from "./companies.ts";

/** Companies per request; a larger branch is read page by page. */
const pageSize = 1_000;

interface Wanted {
  readonly name: string;
  readonly state: GridState;
  readonly columns: readonly GridColumn<TreeRow>[];
  /** Ids of the visible columns, in order. */
  readonly shown: readonly string[];
  readonly ownId: number;
  readonly language: Language;
}

/** Saves the whole branch as filtered and sorted, not only the page. Returns the number of companies. */
export async function saveCompanies({ name, state, ownId, language, ...from }: Wanted): Promise<number> {
  const found: CompanyInTree[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const body = listBody({ ...state, page, size: pageSize }, undefined);
    const answer = await send(companies.list, { body });
    found.push(...answer.companies.data);
    last = answer.companies.last_page;
  }
  const wanted = from.shown.flatMap((id) =>
    from.columns.filter((column) => column.id === id && column.value !== undefined),
  );
  const lines = found.map((company) => {
    const row = { company, level: 0, isOwn: company.id === ownId, isOpen: null };
    return wanted.map(({ value }) => plain(value?.(row)));
  });
  saveFile(`${name}.csv`, toCsv([wanted.map(({ title }) => title), ...lines], language));
  return found.length;
}

function plain(value: unknown): string | number | null {
  return typeof value === "string" || typeof value === "number" ? value : null;
}
