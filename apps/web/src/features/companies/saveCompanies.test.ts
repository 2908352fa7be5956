import type { CompanyInTree } from "@metrum/contract";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "#lib/i18n";
import { startSession } from "#lib/token";
import { readGridState } from "#ui/grid";
import { answer, stubBrowser, stubServer } from "../../testing/browser.ts";
import type { TreeRow } from "./companies.ts";
import { companyList } from "./companyList.tsx";
import { saveCompanies } from "./saveCompanies.ts";

let saved: { readonly name: string; readonly text: Promise<string> }[] = [];

beforeEach(async () => {
  stubBrowser();
  // As in production: the replies below hold only the fields that the columns use.
  vi.stubEnv("DEV", false);
  saved = [];
  const link = { href: "", download: "", click: () => undefined };
  vi.stubGlobal("document", { documentElement: { lang: "", dataset: {} }, createElement: () => link });
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    link.click = () => {
      if (file instanceof Blob) saved.push({ name: link.download, text: file.text() });
      return undefined;
    };
    return "blob:1";
  });
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  startSession("staff");
  await startI18n();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Only the fields of a company that the columns of this test use. */
const company = (id: number, name: string) => ({ id, name, device_count: id * 1.5 }) as CompanyInTree;

const columns = [
  { id: "name", title: "Компания", width: 1, cell: () => null, value: (row: TreeRow) => row.company.name },
  {
    id: "devices",
    title: "Устройства",
    width: 1,
    cell: () => null,
    value: (row: TreeRow) => row.company.device_count,
  },
  {
    id: "own",
    title: "Своя",
    width: 1,
    cell: () => null,
    value: (row: TreeRow) => (row.isOwn ? "да" : null),
  },
  { id: "actions", title: "", width: 1, cell: () => null },
];

it("exports all pages of the filtered branch, with the visible columns in their order", async () => {
  const pages = [[company(1, "Дилер; север"), company(2, "=1+1")], [company(3, "Юг")]];
  const requests = stubServer({
    "company/list": () => answer({ companies: { data: pages[requests.length - 1], last_page: 2 } }),
  });
  const state = readGridState({ q: "е", sort: "-name", page: "2", size: "10" }, companyList.defaults, {});

  const count = await saveCompanies({
    name: "Компании",
    state,
    columns,
    shown: ["devices", "name", "own", "actions"],
    ownId: 1,
    language: "ru",
  });

  expect(count).toBe(3);
  const asked = await Promise.all(requests.map((each): Promise<unknown> => each.json()));
  expect(asked).toMatchObject([
    { page: 1, per_page: 1_000, search_string: "е", sort_field: "name", sort: "desc" },
    { page: 2, per_page: 1_000, search_string: "е", sort_field: "name", sort: "desc" },
  ]);
  expect(saved.map(({ name }) => name)).toEqual(["Компании.csv"]);
  expect((await saved[0]?.text)?.replace("\uFEFF", "").split("\r\n")).toEqual([
    "Устройства;Компания;Своя",
    '1,5;"Дилер; север";да',
    "3;'=1+1;",
    "4,5;Юг;",
    "",
  ]);
});

it("a refused page exports nothing and is reported", async () => {
  stubServer({});
  const state = readGridState({}, companyList.defaults, {});

  const saving = saveCompanies({ name: "x", state, columns, shown: ["name"], ownId: 1, language: "en" });

  await expect(saving).rejects.toMatchObject({ status: 404 });
  expect(saved).toEqual([]);
});
