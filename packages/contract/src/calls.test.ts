import { z } from "zod/mini";
import { expect, test } from "vitest";
import { contract } from "./calls.ts";
import { parseRule } from "./core/rights.ts";
import { messages } from "./messages.ts";
import { problems } from "./core/problems.ts";
import specified from "./testdata/calls.json" with { type: "json" };

const calls = [...contract.values()];
const listed = calls.filter(({ isOwn }) => isOwn !== true);
const byId = new Map(specified.map((each) => [each.id, each]));

/** Trailing slashes are served without being declared. */
const spelling = (text: string): string => text.replace(/\/$/, "");

test.each(listed.map((each) => [each.id, each] as const))(
  "API-001 %s agrees with the specification in method, path, sign-in, right and aliases",
  (id, call) => {
    const stated = byId.get(id);
    expect(stated, `${id} is not in the specification's list of calls`).toBeDefined();

    const own = `${call.method} ${spelling(call.path)}`;
    expect({
      method: call.method,
      path: spelling(call.path),
      auth: call.auth === "none" ? "none" : "bearer",
      right: call.right ?? null,
      aliases: (call.aliases ?? []).map(spelling).toSorted(),
    }).toEqual({
      method: stated?.method,
      path: spelling(stated?.path ?? ""),
      auth: stated?.auth === "none" ? "none" : "bearer",
      right: stated?.permission ?? null,
      aliases: [...new Set(stated?.aliases.map(spelling))].filter((each) => each !== own).toSorted(),
    });
  },
);

/** Files of a form are separately named parts; the specification sums them up. */
const asParts: Readonly<Record<string, readonly string[]>> = {
  "design.save": ["files"],
  "object.smartImport": ["file"],
  "point.import": ["file"],
};

/** Input names of a call: path, query and body, of every variant; undefined if it accepts any name. */
function takenBy(call: (typeof calls)[number]): ReadonlySet<string> {
  return new Set(
    [call.params, call.query, call.body].flatMap((schema) =>
      schema ? namesIn(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })) : [],
    ),
  );
}

function namesIn(schema: z.core.JSONSchema.BaseSchema): string[] {
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [
    ...Object.keys(schema.properties ?? {}),
    ...variants.flatMap((each) => (typeof each === "object" ? namesIn(each) : [])),
  ];
}

test.each(listed.map((each) => [each.id, each] as const))(
  "API-001 every argument that the specification names is accepted or refused by %s, none ignored",
  (id, call) => {
    const taken = takenBy(call);
    const named = byId.get(id)?.arguments ?? [];
    // "...Company" stands for the fields of an entity, of which a call accepts the changeable ones.
    const own = named.filter((name) => !name.startsWith("...") && !asParts[id]?.includes(name));

    expect(own.filter((name) => !taken.has(name))).toEqual([]);
  },
);

test("missing calls are printed", () => {
  const missing = specified.filter(({ id }) => !contract.has(id)).map(({ id }) => id);

  console.info(`${listed.length} of ${specified.length} calls declared; missing: ${missing.join(" ")}`);

  expect(missing.length + listed.length).toBe(specified.length);
});

test("a call beyond the specification's list reuses neither its ids nor its addresses", () => {
  const taken = new Set(specified.flatMap(({ id, method, path }) => [id, `${method} ${spelling(path)}`]));

  for (const { id, method, path, isOwn } of calls.filter((each) => each.isOwn))
    expect([isOwn, taken.has(id), taken.has(`${method} ${path}`)], id).toEqual([true, false, false]);
});

test("ACL-008 ACL-040 every rule is valid: module ids by action, admin or platform", () => {
  for (const rule of calls.flatMap(({ right, orRight }) => [right ?? [], orRight ?? []].flat()))
    expect(() => parseRule(rule)).not.toThrow();
});

test("ACL-038 every call that may change something is refused to demonstration users", () => {
  const changing = calls.filter(
    ({ id, right }) => id === "user.settings" || /:(?:create|update|delete)/.test(right ?? ""),
  );

  expect(changing.length).toBeGreaterThan(10);
  for (const { id, problems: named } of changing) expect(named, id).toContain("demo_refused");
});

/**
 * Calls that change accounts, rights, sessions and companies, listed by path, independent of the
 * declarations.
 */
const changesAccounts =
  /^(?:POST|PUT|DELETE) (?:user\/(?!settings|newsletter)|access\/group\/(?!list)|company(?:$|\/(?:create|switch|restore|move|retention$|:id$))|device\/tie_user|admin\/(?:company|user)\/enter|personal_design|company\/mqtt_account\/issue)/;

test("no call that changes accounts, rights, sessions or companies accepts an API token", () => {
  const changing = calls.filter(({ method, path }) => changesAccounts.test(`${method} ${path}`));

  expect(changing.length).toBeGreaterThan(20);
  for (const { id, problems: named } of changing) expect(named, id).toContain("token_refused");
  // A letter contains the link that sets a password.
  expect(contract.get("admin.letter")?.problems).toContain("token_refused");
});

test("every call declares its right, has a summary and can be described as JSON Schema", () => {
  for (const call of calls) {
    expect(call.auth === "none" || call.right !== undefined, call.id).toBe(true);
    expect(call.summary, call.id).not.toBe("");
    for (const schema of [call.params, call.query, call.body])
      if (schema) expect(() => z.toJSONSchema(schema, { io: "input" }), call.id).not.toThrow();
    expect(() => z.toJSONSchema(call.reply, { io: "output" }), call.id).not.toThrow();
  }
});

test("problems and messages have texts in all three languages, with the same parameters in each", () => {
  const texts = [...Object.values(problems).map(({ text }) => text), ...Object.values(messages)];

  for (const text of texts) {
    for (const each of [text.ru, text.en, text.mn]) expect(each.trim()).not.toBe("");
    const parameters = [text.ru, text.en, text.mn].map((each) => (each.match(/\{\w+\}/g) ?? []).toSorted());
    expect(parameters[1]).toEqual(parameters[0]);
    expect(parameters[2]).toEqual(parameters[0]);
  }
  expect(new Set(Object.values(problems).map(({ text }) => text.en)).size).toBe(Object.keys(problems).length);
});

/** Text fields of a schema at any depth. */
function textsIn(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): z.core.$ZodString[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "string") return [schema as z.core.$ZodString];
  const parts: readonly (z.core.$ZodType | undefined)[] =
    def.type === "object"
      ? [...Object.values(def.shape), def.catchall]
      : def.type === "union"
        ? def.options
        : def.type === "array"
          ? [def.element]
          : def.type === "record"
            ? [def.keyType, def.valueType]
            : def.type === "pipe"
              ? [def.in]
              : "innerType" in def
                ? [def.innerType]
                : [];
  return parts.flatMap((part) => (part ? textsIn(part, seen) : []));
}

const takes = (schema: z.core.$ZodType, text: string): boolean => z.safeParse(schema, text).success;

test.each([
  ["day", "2026-02-28", ["2026-02-29", "2026-02-31", "2026-04-31", "2026-13-01", "2026-00-10", "0000-01-01"]],
  ["month", "2026-02", ["2026-13", "2026-00", "0000-01"]],
] as const)("a %s that no calendar has is refused by its field in every call", (_, real, unreal) => {
  const fields = calls.flatMap((call) =>
    [call.params, call.query, call.body].flatMap((schema) =>
      schema ? textsIn(schema).map((field) => ({ id: call.id, field })) : [],
    ),
  );
  const others = ["x".repeat(real.length), "+79261234567"];
  const own = fields.filter(({ field }) => takes(field, real) && !others.some((text) => takes(field, text)));
  const taken = own.flatMap(({ id, field }) =>
    unreal.flatMap((text) => (takes(field, text) ? [`${id} ${text}`] : [])),
  );

  expect(own.length).toBeGreaterThan(3);
  expect(taken).toEqual([]);
});
