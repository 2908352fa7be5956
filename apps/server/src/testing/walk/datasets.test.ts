import { contract } from "@metrum/contract/calls";
import { fileFormats, pathOf, type Call } from "@metrum/contract/core";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi } from "../api.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { examples } from "./examples.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi());
});
afterAll(() => fixture.api.close());

const lists = [...contract.values()].filter(({ rows }) => rows !== undefined);

/** Rows of an answer, at the place that the call names. */
function rowsOf({ rows = "" }: Call, data: unknown): readonly unknown[] {
  const found = rows.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], data);
  return found as readonly unknown[];
}

/** A number has the decimals of its column; a text that looks like a formula has an apostrophe before it. */
const isShown = (value: string | number | boolean | null, cell: string): boolean =>
  typeof value === "number" && cell !== ""
    ? Math.abs(Number(cell) - value) < 1e-6
    : cell.replace(/^'/, "") === String(value ?? "");

test("every list is a data set, with the right of its call, and nothing else is one", () => {
  const { datasets } = fixture.api;

  expect([...datasets.keys()].sort()).toEqual(lists.map(({ id }) => id).sort());
  expect(lists.filter(({ id, right }) => datasets.get(id)?.right !== right)).toEqual([]);
  expect(lists.length).toBeGreaterThan(30);
});

describe("a file that is made of the data set has the values of the list", () => {
  test.each(lists.map((call): [string, Call] => [call.id, call]))("%s", async (id, call) => {
    const dataset = fixture.api.datasets.get(id);
    const as =
      examples[id]?.as ?? (call.right === "platform" ? "admin@metrum.example" : "engineer@metrum.example");
    const token = await fixture.api.token(as);
    const input = (await examples[id]?.input?.(fixture)) ?? {};
    const ids = (dataset?.columns ?? []).map((column) => column.id).slice(0, 100);
    const columns = ids.map((path) => ({ title: path, of: [path] }));
    const body = input.body as object | undefined;

    const { data } = await fixture.api.ask(call, { token, language: "en", input });
    const { body: csv } = await fixture.api.fastify.inject({
      method: call.method,
      url: `/api/${pathOf(call, input.params)}`,
      headers: { authorization: `Bearer ${token}`, "accept-language": "en", "accept-encoding": "identity" },
      payload: { ...body, file: { format: fileFormats[1], title: id, zone: "Etc/UTC", columns } },
    });

    const [, ...found] = parse(csv, { bom: true });
    const rows = rowsOf(call, data);
    const cells = rows.map((row) => ids.map((path) => dataset?.reader(path)?.(row).value ?? null));
    // What is added up stands below the rows, and an answer may have fewer of them.
    const different = cells.flatMap((line, at) =>
      line.flatMap((value, column) => {
        const cell = found[at]?.[column] ?? "";
        return isShown(value, cell) ? [] : [`${ids[column] ?? ""}: ${cell} instead of ${String(value)}`];
      }),
    );
    expect(different).toEqual([]);
    expect(cells.flat().some((value) => value !== null) || rows.length === 0).toBe(true);
  });
});
