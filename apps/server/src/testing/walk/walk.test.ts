import { contract } from "@metrum/contract/calls";
import { pathOf, unsupported, type Call } from "@metrum/contract/core";
import { z } from "zod/mini";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type Answer } from "../api.ts";
import { impatientClock } from "../clock.ts";
import { makeDeadTokens } from "./deadTokens.ts";
import { examples, type Example } from "./examples.ts";
import { serverBuild } from "../access/licence.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { isMeant, walkers } from "./whoMay.ts";

/** An id that does not exist: the largest the contract accepts. */
const unknownId = 2_147_483_647;
const engineer = "engineer@metrum.example";
const accounts = walkers.map((name) => `${name}@metrum.example`);

let fixture: Fixture;
/** The same in the server build, for calls that exist only there. */
let ofServer: Fixture;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  ofServer = await makeFixture(await openTestApi({ env: serverBuild, clock: impatientClock() }));
});
afterAll(() => Promise.all([fixture.api.close(), ofServer.api.close()]));

const calls = [...contract.values()];
const signedIn = calls.filter(({ auth }) => auth !== "none");
const named = (list: readonly Call[]): [string, Call][] => list.map((each) => [each.id, each]);

function exampleOf({ id }: Call): Example {
  const example = examples[id];
  if (!example) throw new Error(`${id} has no example in apps/server/src/testing/walk/examples`);
  return example;
}

function fixtureOf(call: Call): Fixture {
  return exampleOf(call).build === "server" ? ofServer : fixture;
}

async function ask(call: Call, token: string | undefined, input?: object): Promise<Answer<unknown>> {
  const of = fixtureOf(call);
  const given = input ?? (await exampleOf(call).input?.(of)) ?? {};
  return of.api.ask(call, { input: given, ...(token === undefined ? {} : { token }) });
}

const sessions = new Map<string, string>();

/** One session of an account serves all calls until one of them ends it. */
async function askAs(email: string, call: Call): Promise<Answer<unknown>> {
  const key = `${exampleOf(call).build ?? ""} ${email}`;
  const known = sessions.get(key);
  if (known !== undefined) {
    const answer = await ask(call, known);
    if (answer.code !== "not_signed_in") return answer;
  }
  const token = await fixtureOf(call).api.token(email);
  sessions.set(key, token);
  return ask(call, token);
}

test("every declared call is served, and nothing is served that is not declared", () => {
  expect(fixture.api.calls.map(({ id }) => id).toSorted()).toEqual([...contract.keys()].toSorted());
});

test("every example belongs to a call", () => {
  expect(Object.keys(examples).filter((id) => !contract.has(id))).toEqual([]);
});

describe("every call works", () => {
  test.each(named(calls))("%s", async (_, call) => {
    const token =
      call.auth === "none" ? undefined : await fixtureOf(call).api.token(exampleOf(call).as ?? engineer);

    const answer = await ask(call, token);

    const { answers = 200 } = exampleOf(call);
    expect(answer.status, answer.text).toBe(answers);
    if (answers !== 200) return;
    expect(Object.keys(JSON.parse(answer.text) as object)).toEqual([
      ...new Set(["data", "msg", ...(call.atTop ?? [])]),
    ]);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
});

describe("API-013 SESS-010 without a valid token every call answers 401 and nothing else", () => {
  let dead: Record<string, string | undefined>;
  beforeAll(async () => {
    dead = await makeDeadTokens(fixture.api, ofServer.api);
  });

  test.each(named(signedIn))("%s", async (_, call) => {
    const input = await exampleOf(call).input?.(fixture);
    for (const [what, token] of Object.entries(dead)) {
      const { status, code } = await fixture.api.ask(call, {
        ...(input ? { input } : {}),
        ...(token === undefined ? {} : { token }),
      });

      expect([what, status, code]).toEqual([what, 401, "not_signed_in"]);
    }
  });

  test.each(named(signedIn))("%s accepts a token in the header only", async (_, call) => {
    const token = await fixture.api.token(exampleOf(call).as ?? engineer);
    const places = [
      { query: { token, access_token: token, authorization: `Bearer ${token}` } },
      { cookies: { token, access_token: token } },
      { headers: { "x-access-token": token, "x-authorization": `Bearer ${token}` } },
      { headers: { authorization: token } },
      { headers: { authorization: `Basic ${Buffer.from(`:${token}`).toString("base64")}` } },
    ];

    for (const place of places) {
      const url = `/api/${pathOf(call, { id: 1, token })}`;
      const { statusCode } = await fixture.api.fastify.inject({ method: call.method, url, ...place });
      expect([place, statusCode]).toEqual([place, 401]);
    }
  });
});

describe("ACL-036 the server enforces the rule of every call for every role", () => {
  test.each(named(signedIn))("%s", async (_, call) => {
    for (const email of accounts) {
      const answer = await askAs(email, call);

      const isRefusedToDemo = email.startsWith("demo") && (call.problems?.includes("demo_refused") ?? false);
      const wanted = !isMeant(email.replace(/@.*/, ""), call.right ?? null)
        ? "right_missing"
        : isRefusedToDemo
          ? "demo_refused"
          : "served";
      const isDenied = answer.code === "right_missing" || answer.code === "demo_refused";
      expect([email, isDenied ? answer.code : "served"]).toEqual([email, wanted]);
      expect(isDenied ? answer.status : 403).toBe(403);
      // The only other 401 is that of an entry code, which ends no session.
      expect(answer.code).not.toBe("not_signed_in");
    }
  });
});

/** Arguments of a call that are refused as not implemented, with a value of each. */
function refusedBy({ body, query }: Call): [name: string, value: unknown][] {
  return [body, query].flatMap((schema) =>
    schema instanceof z.ZodMiniObject
      ? Object.entries(schema.shape).flatMap(([name, each]): [string, unknown][] => {
          const marked = unsupported.get(each);
          return marked ? [[name, marked.refused]] : [];
        })
      : [],
  );
}

describe("API-001 an argument that is not implemented yet is refused by name, never ignored", () => {
  const refusing = calls.flatMap((call) =>
    refusedBy(call).map(([name, value]): [string, string, unknown, Call] => [call.id, name, value, call]),
  );

  test.each(refusing)("%s %s", async (_, name, value, call) => {
    const input = (await exampleOf(call).input?.(fixtureOf(call))) ?? {};
    const body: object = "body" in input && typeof input.body === "object" ? { ...input.body } : {};

    const answer = await ask(call, await fixtureOf(call).api.token(exampleOf(call).as ?? engineer), {
      ...input,
      body: { ...body, [name]: value },
    });

    expect([answer.status, answer.code], answer.text).toEqual([422, "not_supported_yet"]);
    expect(Object.keys(answer.attributes)).toEqual([name]);
  });

  test("includes filters, sort fields and kinds that are declared but not implemented", async () => {
    const token = await fixture.api.token(engineer);
    const list = (body: object) =>
      fixture.api.fastify.inject({
        method: "POST",
        url: "/api/device/metering_devices",
        headers: { authorization: `Bearer ${token}` },
        payload: body,
      });

    const answers = [
      await list({ fields_filter: { gateway: "meter" } }),
      await list({ sort_field: "completeness" }),
      await list({ sort_field: "shoe_size" }),
      await list({ append_fields: ["model", "poll_group_id"] }),
      await list({ append_fields: [], available_accounting_points: false, last_page: 3, nonsense: 1 }),
    ].map((each) => each.json<{ code?: string; attributes?: object }>());

    expect(answers.map(({ code, attributes }) => [code, Object.keys(attributes ?? {})])).toEqual([
      ["not_supported_yet", ["fields_filter.gateway"]],
      ["not_supported_yet", ["sort_field"]],
      ["wrong_input", ["sort_field"]],
      ["not_supported_yet", ["append_fields.1"]],
      [undefined, []],
    ]);
  });
});

/** Whether the body names a record of a company; a name that is a text is no id. */
function hasRecordId({ body }: Call): boolean {
  const { properties = {} } = body ? z.toJSONSchema(body, { io: "input" }) : {};
  return Object.entries(properties).some(
    ([key, schema]) =>
      /^(device|gateway|base_station|company|user|access_group)_id$|^device_ids$/.test(key) &&
      (typeof schema !== "object" || schema.type !== "string"),
  );
}

describe("ACL-037 an id of another company is answered like one that does not exist", () => {
  // No company is foreign to platform staff; other users lack the right before an id is checked.
  const bearing = calls.filter(
    (call) => call.right !== "platform" && (call.path.includes(":id") || hasRecordId(call)),
  );

  test.each(named(bearing))("%s has an example with a foreign id", (_, call) => {
    expect(exampleOf(call).foreign).toBeDefined();
  });

  test.each(named(calls.filter((call) => examples[call.id]?.foreign)))("%s", async (_, call) => {
    const { foreign } = exampleOf(call);
    if (!foreign) return;

    const [theirs, nobodys] = await Promise.all(
      [fixture.theirs[foreign.kind], unknownId].map(async (id) =>
        ask(call, await fixture.api.token(engineer), foreign.input(id, fixture)),
      ),
    );

    expect(theirs?.status).toBe(404);
    expect(theirs?.text).toBe(nobodys?.text);
    expect({ ...theirs?.headers, "x-request-id": "", date: "" }).toEqual({
      ...nobodys?.headers,
      "x-request-id": "",
      date: "",
    });
  });
});
