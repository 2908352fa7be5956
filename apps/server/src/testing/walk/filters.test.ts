import { contract } from "@metrum/contract/calls";
import { pathOf, type Call } from "@metrum/contract/core";
import { z } from "zod/mini";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi } from "../api.ts";
import { examples } from "./examples.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { childObject, closedPort, letter } from "../rows.ts";
import { aConverter } from "./spares.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi());
  await letter(fixture);
  await closedPort(fixture.api, fixture.ours);
  await aConverter(fixture);
  await childObject(fixture);
});
afterAll(() => fixture.api.close());

/** Their answers begin with another list, or need readings: their own tests search. */
const apart: ReadonlySet<string> = new Set(["object.mapView", "period.get", "point.rejectedData"]);

const byPost = [...contract.values()].filter(({ method }) => method === "POST");
const namesIn = (schema: Call["body"]): string[] =>
  schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];

/** Rows of the list in an answer. */
function rowsIn(data: unknown): number | undefined {
  if (Array.isArray(data)) return data.length;
  if (typeof data !== "object" || data === null) return undefined;
  for (const value of Object.values(data)) {
    const rows = rowsIn(value);
    if (rows !== undefined) return rows;
  }
  return undefined;
}

async function rowsOf(call: Call, filter: { readonly body?: object; readonly query?: object }) {
  const example = examples[call.id];
  const { params, body } = (await example?.input?.(fixture)) ?? {};
  const given = typeof body === "object" && body !== null ? { ...body } : {};
  // The port of the fixture is closed.
  if ("is_active" in given) given.is_active = false;
  const { statusCode, payload } = await fixture.api.fastify.inject({
    method: "POST",
    url: `/api/${pathOf(call, params)}`,
    headers: { authorization: `Bearer ${await fixture.api.token(example?.as ?? "engineer@metrum.example")}` },
    payload: { ...given, search_string: "", ...filter.body },
    query: { ...filter.query },
  });
  return { statusCode, rows: rowsIn((JSON.parse(payload) as { data: unknown }).data) };
}

describe("API-006 calls that read by POST take their filters from the body", () => {
  test("and declare no query; only messages of network servers and an import have a kind there", () => {
    const named = byPost.filter(({ query }) => query !== undefined).map(({ id }) => id);

    expect(named.toSorted()).toEqual(["object.smartImport", "push.actility", "push.chirpstack"]);
  });

  const searching = byPost.filter(
    ({ id, body }) => namesIn(body).includes("search_string") && !apart.has(id),
  );

  test.each(searching.map((call): [string, Call] => [call.id, call]))(
    "%s searches by the body, not by the query",
    async (_, call) => {
      const nothing = { search_string: "no such text" };

      const [all, inBody, inAddress] = [
        await rowsOf(call, {}),
        await rowsOf(call, { body: nothing }),
        await rowsOf(call, { query: nothing }),
      ];

      expect([all.statusCode, inBody.statusCode, inAddress.statusCode]).toEqual([200, 200, 200]);
      expect([inBody.rows, inAddress.rows]).toEqual([0, all.rows]);
      expect(all.rows).toBeGreaterThan(0);
    },
  );
});
