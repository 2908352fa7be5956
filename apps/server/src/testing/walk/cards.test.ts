import { contract } from "@metrum/contract/calls";
import type { Call } from "@metrum/contract/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi } from "../api.ts";
import { impatientClock } from "../clock.ts";
import { examples } from "./examples.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { fieldsOf, refusedFieldsOf } from "./schemaFields.ts";
import { makeVictim, makeWorlds, type World } from "./victims.ts";

/** What a card shows is what was saved, for every call that changes a thing whose values another call shows. */
let fixture: Fixture;
let own: World;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  const worlds = await makeWorlds(fixture.api);
  if (!worlds["own"]) throw new Error("no own world");
  own = worlds["own"];
});
afterAll(() => fixture.api.close());

/** The call that shows what another one changes. */
function shownBy({ id }: Call): Call | undefined {
  const thing = id.replace(/\.\w+$/, "");
  return contract.get(`${thing}.get`) ?? contract.get(`${thing}.${thing}Get`);
}
const cards = [...contract.values()].flatMap((update): [string, Call, Call][] => {
  const get = shownBy(update);
  const isCard = /\.(?:update|edit)$/.test(update.id) && get && examples[update.id]?.foreign;
  return isCard ? [[update.id, update, get]] : [];
});

type Values = Readonly<Record<string, unknown>>;

async function ask(call: Call, input: object): Promise<{ status: number; text: string; data: unknown }> {
  const token = await fixture.api.token("engineer@metrum.example");
  return fixture.api.ask(call, { token, input });
}

/** A thing as its own call makes it, where there is one. */
async function made({ id }: Call): Promise<number> {
  const create = contract.get(id.replace(/\w+$/, "create"));
  const example = create && examples[create.id];
  if (!create || !example?.input)
    return makeVictim(fixture.api, own, examples[id]?.foreign?.kind ?? "device");
  const { status, text, data } = await ask(create, await example.input(fixture));
  expect(status, text).toBe(200);
  const [thing] = Object.values(data as object) as Values[];
  return Number(thing?.["id"] ?? thing?.["_id"]);
}

/** Fields that show another field in another way. */
const following: Readonly<Record<string, readonly string[]>> = {
  deviceTimezone: ["timezone_name"],
  timezone_name: ["deviceTimezone"],
  title: ["name"],
  name: ["title"],
};

/** These values of a thing. */
const picked = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

/** The thing in an answer: the object that it has, without what counts its changes. */
async function shown(get: Call, id: number): Promise<Values> {
  const { status, text, data } = await ask(get, examples[get.id]?.foreign?.input(id, fixture) ?? {});
  expect(status, text).toBe(200);
  const [thing = {}] = Object.values(data as object) as Values[];
  return Object.fromEntries(
    Object.entries(thing).filter(([name]) => name !== "version" && name !== "updated_at"),
  );
}

/** The request that names the thing and nothing else, with these values. */
function changed(update: Call, id: number, values: Values): object {
  const input = (examples[update.id]?.foreign?.input(id, fixture) ?? {}) as { body?: Values };
  const named = Object.entries(input.body ?? {}).filter(([key]) => /^_?id$/.test(key));
  return { ...input, body: { ...Object.fromEntries(named), ...values } };
}

/** Fields of the card that can be saved. */
function fieldsOfCard(update: Call, values: Values): string[] {
  const refused = refusedFieldsOf(update);
  const names = fieldsOf(update).flatMap(({ path }) =>
    path[0] === "body" && path.length === 2 && !refused.has(path.join(".")) ? [path[1] ?? ""] : [],
  );
  return names.filter((name) => name in values && !/^_?id$/.test(name));
}

/** Another value of the same kind; undefined: the kind has only values of its own, such as those of a list. */
function otherThan(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  return value === "" || value === null || typeof value === "string"
    ? `Ж"x";=${String(value).length}`
    : undefined;
}

test("the cards of things that have many fields are among them", () => {
  expect(cards.map(([id]) => id)).toEqual(
    expect.arrayContaining([
      "device.edit",
      "gateway.edit",
      "point.update",
      "consumer.update",
      "object.update",
    ]),
  );
});

describe("a card's values and the saved ones", () => {
  let saved = 0;

  test.each(cards)("%s: saved as they are shown, they stay", async (_, update, get) => {
    const record = await made(update);
    const before = await shown(get, record);
    const fields = fieldsOfCard(update, before);

    const refused: unknown[] = [];
    for (const field of fields) {
      // A ratio that is saved is the point's own.
      if (field === "transformation_ratio") continue;
      const { status, text } = await ask(update, changed(update, record, { [field]: before[field] }));
      if (status !== 200) refused.push([field, before[field], text]);
    }

    expect(fields.length).toBeGreaterThan(1);
    expect(refused).toEqual([]);
    expect(await shown(get, record)).toEqual(before);
  });

  test.each(cards)("%s: what is saved is shown, and everything else stays", async (_, update, get) => {
    const record = await made(update);

    const fields = fieldsOfCard(update, await shown(get, record));
    for (const field of fields) {
      const before = await shown(get, record);
      // Another model, resource or gateway has other fields.
      const value = field.endsWith("_id") ? undefined : otherThan(before[field]);
      if (value === undefined) continue;
      const { status } = await ask(update, changed(update, record, { [field]: value }));
      const after = await shown(get, record);
      const others = fields.filter((name) => name !== field && !following[field]?.includes(name));

      expect([field, after[field]]).toEqual([field, status === 200 ? value : before[field]]);
      expect([field, picked(after, others)]).toEqual([field, picked(before, others)]);
      if (status === 200) saved += 1;
    }
  });

  test("most fields took another value", () => {
    expect(saved).toBeGreaterThan(25);
  });
});
