import { contract } from "@metrum/contract/calls";
import type { Call } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi } from "../api.ts";
import { impatientClock } from "../clock.ts";
import { examples } from "./examples.ts";
import { hostileRequests } from "./hostile.ts";
import { serverBuild } from "../access/licence.ts";
import { makeFixture, type Fixture } from "../records.ts";

/** One of this many attempts; METRUM_HOSTILE_STEP=1 sends all of them. */
const step = Number(process.env["METRUM_HOSTILE_STEP"] ?? 16);
const engineer = "engineer@metrum.example";

let fixture: Fixture;
let ofServer: Fixture;
let sent = 0;
let failed = 0;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  ofServer = await makeFixture(await openTestApi({ env: serverBuild, clock: impatientClock() }));
});
/** Effects of accepted input (a second factor required for everyone) must not affect the next call. */
beforeEach(async () => {
  for (const { api } of [fixture, ofServer])
    await sql`update company set options = options - 'two_factor_required' - 'only_api'`.execute(
      api.services.database.system,
    );
});
afterAll(async () => {
  await Promise.all([fixture.api.close(), ofServer.api.close()]);
  console.log(
    `hostile input: ${String(sent)} requests to ${String(contract.size)} calls, ${String(failed)} x 5xx`,
  );
});

/** Internals that no answer may disclose: stack, SQL, path. */
const inside = /\bat \S+ \(|node_modules|\.ts:\d|select .* from |relation "|syntax error|violates|ECONN/i;

describe("API-013 hostile input in every field is refused, never an internal error", () => {
  test.each([...contract.values()].map((call): [string, Call] => [call.id, call]))("%s", async (_, call) => {
    const of = examples[call.id]?.build === "server" ? ofServer : fixture;
    const example = (await examples[call.id]?.input?.(of)) ?? {};
    let token = "";
    for (const { what, contentType, payload, url } of hostileRequests(call, example, step)) {
      if (token === "" && call.auth !== "none") token = await of.api.token(callerOf(call));
      const { statusCode, body, headers } = await of.api.fastify.inject({
        method: call.method,
        url,
        // From another address each time, so that the limits of an address do not hide later effects.
        remoteAddress: `10.${String(sent >> 16)}.${String((sent >> 8) & 255)}.${String(sent & 255)}`,
        headers: {
          ...(call.auth === "none" ? {} : { authorization: `Bearer ${token}` }),
          ...(call.method === "GET" ? {} : { "content-type": contentType }),
        },
        ...(call.method === "GET" ? {} : { payload }),
      });
      // What was accepted may have ended the session.
      if (statusCode < 400) token = "";
      sent += 1;
      if (statusCode >= 500) failed += 1;

      expect(statusCode, `${what}: ${body.slice(0, 300)}`).toBeLessThan(500);
      expect(headers["content-type"], what).toMatch(/^application\/json/);
      expect(body, what).not.toContain('"not_signed_in"');
      expect(body, what).not.toMatch(inside);
    }
  });

  test("no account has become an administrator, and no prototype has changed", () => {
    expect("is_admin" in {}).toBe(false);
    expect("x" in {}).toBe(false);
  });
});

function callerOf({ id }: Call): string {
  return examples[id]?.as ?? engineer;
}
