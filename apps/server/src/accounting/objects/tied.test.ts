import { members, users } from "@metrum/contract/access";
import { objects, objectTies, ties } from "@metrum/contract/accounting";
import { contract } from "@metrum/contract/calls";
import type { Call, InputOf } from "@metrum/contract/core";
import { tasks } from "@metrum/contract/headend";
import { baseStations, devices, gateways } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { examples } from "#testing/walk/examples";
import { makeFixture, type Fixture } from "#testing/records";

/** A tree of two branches; the operator is tied to a street of one of them. */
let api: TestApi;
let fixture: Fixture;
let admin: string;
let operator: { id: number; token: string };
let nodes: Record<"city" | "street" | "house" | "secret", string>;
let items: Record<"own" | "hidden" | "gateway" | "station", number>;

/** Name of everything outside the branch: an answer with it has leaked. */
const mark = "Zamyn-Secret";

beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
  admin = await api.token("engineer@metrum.example");
  // Everything but administration and access_all on 4, which lifts the limits of a tie.
  await sql`update access_group set access_rules = jsonb_build_object('create', a, 'read', a, 'update', a, 'delete', a,
    'access_all', '[6]'::jsonb) from (select '[1, 2, 4, 5, 6, 7, 8]'::jsonb as a) m where name = 'Operators'`.execute(
    api.services.database.system,
  );
  const token = await api.token("operator@metrum.example");
  operator = { id: (await api.ask(users.info, { token })).data.user.id, token };
  const city = await add("City " + mark, null);
  const street = await add("Street", city);
  const house = await add("House", street);
  const secret = await add(mark, city);
  nodes = { city, street, house, secret };
  items = {
    own: await aDevice("Own"),
    hidden: await aDevice(mark),
    gateway: fixture.ours.gateway,
    station: fixture.ours.baseStation,
  };
  const { device, gateway } = fixture.ours;
  await sql`update device set name = ${mark} where id = ${device}`.execute(api.services.database.system);
  await sql`update gateway set name = ${mark} where id = ${gateway}`.execute(api.services.database.system);
  await sql`update base_station set name = ${mark} where id = ${fixture.ours.baseStation}`.execute(
    api.services.database.system,
  );
  await markAccounting();
  await ask(objectTies.tieDevices, { object_id: house, device_ids: [items.own] });
  await ask(objectTies.tieDevices, { object_id: secret, device_ids: [items.hidden, device] });
  await ask(objectTies.tieUser, { user_id: operator.id }, { id: street });
});
afterAll(() => api.close());

/** What is accounted for stands outside of the branch. */
async function markAccounting(): Promise<void> {
  const { accountingPoint, consumer, supplier, transformer, balanceGroup } = fixture.ours;
  for (const [table, column, id] of [
    ["accounting_point", "name", accountingPoint],
    ["consumer", "name", consumer],
    ["supplier", "name", supplier],
    ["transformer", "title", transformer],
    ["balance_group", "name", balanceGroup],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${mark} where id = ${id}`.execute(
      api.services.database.system,
    );
}

const asked = <C extends Call>(token: string, call: C, body: InputOf<C>["body"] = {}, params?: object) =>
  api.ask(call, { token, input: { body, ...(params ? { params } : {}) } as InputOf<C> });
const ask = <C extends Call>(call: C, body?: InputOf<C>["body"], params?: object) =>
  asked(admin, call, body, params);
/** As the tied user. */
const tied = <C extends Call>(call: C, body?: InputOf<C>["body"], params?: object) =>
  asked(operator.token, call, body, params);

async function add(name: string, parent_id: string | null): Promise<string> {
  return (await ask(objects.add, { name, parent_id })).data.object._id;
}

async function aDevice(name: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
    values (${api.companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, ${name}, gen_random_uuid()::text) returning id`.execute(
    api.services.database.system,
  );
  return rows[0]?.id ?? 0;
}

const seenDevices = async () => (await tied(devices.list)).data.metering_devices.data.map(({ id }) => id);

describe("a user tied to a node", () => {
  it("TREE-013 TREE-033 TREE-035 is named at the node, tied alone or with others, and untied", async () => {
    const { house } = nodes;
    const usersOf = async () =>
      (await ask(objectTies.users, { object_id: house })).data.users.map(({ id }) => id);

    const one = await ask(objectTies.tieUser, { user_id: fixture.ours.user }, { id: house });
    const several = await ask(objectTies.tieUsers, {
      object_id: house,
      user_ids: [fixture.ours.user, operator.id],
    });
    const both = await usersOf();
    await ask(objectTies.untieUser, { user_id: fixture.ours.user }, { id: house });
    await ask(objectTies.untieUser, { user_id: operator.id }, { id: house });

    expect([one.status, several.status, both.toSorted()]).toEqual([
      200,
      200,
      [fixture.ours.user, operator.id].toSorted(),
    ]);
    expect(await usersOf()).toEqual([]);
  });

  it("ACL-039 sees the branch as a tree of its own, and devices that stand there", async () => {
    const { data } = await tied(objects.buildTree, {});
    const opened = await tied(objects.get, { object_id: nodes.house });

    expect(data.tree.map(({ name, parentId }) => [name, parentId])).toEqual([["Street", null]]);
    expect(opened.data.parents).toEqual([{ _id: nodes.street, name: "Street" }]);
    expect((await tied(objects.tree)).data.tree.map(({ name }) => name)).toEqual(["Street", "House"]);
    expect((await tied(objects.buildTree, { search_string: "s" })).data.tree.map(({ name }) => name)).toEqual(
      ["Street", "House"],
    );
    expect(await seenDevices()).toEqual([items.own]);
  });

  it("ACL-039 sees what comes into the branch, and no longer what leaves it, from the next request", async () => {
    await ask(objectTies.tieGateways, { object_id: nodes.house, gateway_ids: [items.gateway] });
    await ask(objectTies.tieBaseStations, { object_id: nodes.house, base_station_ids: [items.station] });
    await ask(objectTies.tieDevices, { object_id: nodes.street, device_ids: [items.hidden] });
    const inside = [
      (await seenDevices()).toSorted(),
      (await tied(gateways.list)).data.gateways.total,
      (await tied(baseStations.list)).data.base_stations.total,
    ];

    await ask(objectTies.untie, { gateway_ids: [items.gateway], base_station_ids: [items.station] });
    await ask(objectTies.tieDevices, { object_id: nodes.secret, device_ids: [items.hidden] });
    const outside = [
      await seenDevices(),
      (await tied(gateways.list)).data.gateways.total,
      (await tied(baseStations.list)).data.base_stations.total,
    ];
    await ask(objects.update, { _id: nodes.house, parent_id: nodes.secret });
    const moved = await seenDevices();
    await ask(objects.update, { _id: nodes.house, parent_id: nodes.street });

    expect(inside).toEqual([[items.own, items.hidden].toSorted(), 1, 1]);
    expect(outside).toEqual([[items.own], 0, 0]);
    expect([moved, await seenDevices()]).toEqual([[], [items.own]]);
  });

  it("changes only what is below: neither the top, nor others, nor their own limits", async () => {
    const { city, street, house, secret } = nodes;
    const below = await tied(objects.add, { name: "Flat", parent_id: house });
    const flat = below.data.object._id;
    const refused = [
      await tied(objects.add, { name: "Top" }),
      await tied(objects.update, { _id: house, parent_id: null }),
      await tied(objects.remove, { object_id: street }),
      await tied(objects.addAutomatically, { addresses: [{ city: "A" }] }),
      await tied(objects.update, { _id: street, parent_id: house }),
      await tied(objectTies.untieUser, { user_id: operator.id }, { id: street }),
    ];
    const unknown = [
      await tied(objects.update, { _id: house, parent_id: secret }),
      await tied(objects.get, { object_id: city }),
      await tied(objects.branch, { object_ids: [street, secret] }),
      await tied(objectTies.tieDevices, { object_id: house, device_ids: [items.hidden] }),
      await tied(objectTies.tieDevices, { object_id: secret, device_ids: [items.own] }),
    ];

    expect([
      below.status,
      (await tied(objects.update, { _id: street, name: "Street", parent_id: null })).status,
    ]).toEqual([200, 200]);
    expect(refused.map(({ code }) => code)).toEqual([
      "tied_devices_only",
      "tied_devices_only",
      "tied_devices_only",
      "tied_devices_only",
      "tied_devices_only",
      "right_not_held",
    ]);
    expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await ask(objects.get, { object_id: street })).data.object.parentId).toBe(city);
    await tied(objects.remove, { object_id: flat });
  });

  it("ACL-039 leaves at its node what is theirs by a tie of its own, and stands outside", async () => {
    const { system } = api.services.database;
    await sql`insert into device_user (device_id, user_id, company_id)
      values (${items.hidden}, ${operator.id}, ${api.companies.first})`.execute(system);
    const taken = await tied(objectTies.untie, { device_ids: [items.hidden] });
    const placed = await tied(objectTies.tieDevices, { object_id: nodes.house, device_ids: [items.hidden] });
    const { rows } = await sql<{ object_id: number }>`
      select object_id from object_item where device_id = ${items.hidden}`.execute(system);
    await sql`delete from device_user where user_id = ${operator.id}`.execute(system);

    expect([taken.code, placed.code]).toEqual(["tied_devices_only", "tied_devices_only"]);
    expect(JSON.stringify(taken.data)).not.toContain("object_id");
    expect(rows.map(({ object_id }) => String(object_id))).toEqual([nodes.secret]);
  });

  it("TREE-042 a branch that holds the only tie of a user is not removed: it would open the company", async () => {
    const { status, code, msg } = await ask(objects.remove, { object_id: nodes.city });
    const { data } = await ask(objects.branch, { object_ids: [nodes.city] });

    expect([status, code, data.branch.users]).toEqual([409, "object_users_tied", 1]);
    expect(msg).toContain("1");
    expect(await seenDevices()).toEqual([items.own]);
  });

  it("ACL-039 gives nobody the first tie, which would take the rest of the company from their view", async () => {
    const { system } = api.services.database;
    const { rows } = await sql<{ id: number }>`
      insert into users (company_id, email, name, password_hash, language)
      values (${api.companies.first}, 'untied@tied.example', 'Untied', 'none', 'en') returning id`.execute(
      system,
    );
    const id = rows[0]?.id ?? 0;
    const object_id = nodes.house;
    const ways = (by: typeof tied) => [
      () => by(objectTies.tieUser, { user_id: id }, { id: object_id }),
      () => by(objectTies.tieUsers, { object_id, user_ids: [operator.id, id] }),
      () => by(ties.set, { device_id: items.own, user_ids: [id] }),
      () => by(tasks.change, { action: "tie", user_ids: [id], filter: { ids: [items.own] } }),
    ];
    const answers: unknown[] = [];
    for (const way of ways(tied)) answers.push((await way()).code);
    const { rows: tiesOf } = await sql`
      select object_id as id from object_user where user_id = ${id}
      union all select device_id from device_user where user_id = ${id}`.execute(system);
    for (const way of ways(ask)) answers.push((await way()).status);
    await sql`delete from object_user where user_id = ${id} or (user_id = ${operator.id} and object_id = ${object_id}::int)`.execute(
      system,
    );
    await sql`delete from device_user where user_id = ${id}`.execute(system);

    expect(answers).toEqual([...Array<string>(4).fill("right_not_held"), ...Array<number>(4).fill(200)]);
    expect(tiesOf).toEqual([]);
  });

  it("manages no user who sees more, and ties whom they invite to the same branch", async () => {
    const { rows } = await sql<{ id: number }>`
      insert into users (company_id, email, name, password_hash, language)
      values (${api.companies.first}, 'wide@tied.example', 'Wide', 'none', 'en') returning id`.execute(
      api.services.database.system,
    );
    const wide = rows[0]?.id ?? 0;
    await ask(objectTies.tieUser, { user_id: wide }, { id: nodes.secret });
    const invited = await tied(members.create, { name: "Invited", email: "invited@tied.example" });
    const of = async (object_id: string) =>
      (await ask(objectTies.users, { object_id })).data.users.map(({ id }) => id);

    expect((await tied(members.update, { id: wide, name: "Mine" })).code).toBe("right_not_held");
    expect(await of(nodes.street)).toContain(invited.data.user.id);
    await ask(objectTies.tieUser, { user_id: wide }, { id: nodes.house });
    await ask(objectTies.untieUser, { user_id: wide }, { id: nodes.secret });
    expect((await tied(members.update, { id: wide, name: "Mine" })).status).toBe(200);
  });
});

/** Calls with their examples, whose ids are of things outside of the branch. */
const calls = [...contract.values()].filter(
  ({ auth, right, id }) => auth !== "none" && right !== "platform" && examples[id]?.as === undefined,
);

const reads = calls.filter(
  ({ id, method }) =>
    method === "GET" ||
    /list|get|tree|find|branch|board|logs?$|export|values|catalogue|card|totals|compute|months|points|search/i.test(
      id,
    ),
);
/** Calls that show something outside of the branch to a user without a tie, by their examples. */
const showing = [
  ...["device.list", "device.get", "gateway.list", "gateway.get", "baseStation.list", "baseStation.get"],
  ...["object.tree", "object.export", "point.companyList", "point.get", "collection.card"],
  ...["consumer.list", "consumer.get", "consumer.export", "supplier.list", "supplier.get"],
  ...["transformer.list", "transformer.get", "balance.list", "balance.get", "balance.compute"],
  ...["validation.list", "validation.get"],
];
const named = (of: readonly Call[]) => of.map((call): [string, Call] => [call.id, call]);
const textFor = async (call: Call, email: string) => {
  const input = (await examples[call.id]?.input?.(fixture)) ?? {};
  // A fresh token: some of these calls end the session.
  return (await api.ask(call, { token: await api.token(email), input })).text;
};

describe("ACL-039 no call shows a tied user what is outside of the branch", () => {
  const shownToOthers: string[] = [];

  test.each(named(reads))("others see by %s what there is", async (id, call) => {
    if ((await textFor(call, "engineer@metrum.example")).includes(mark)) shownToOthers.push(id);
  });

  test.each(named(calls))("%s", async (_, call) => {
    expect(await textFor(call, "operator@metrum.example")).not.toContain(mark);
  });

  test("which others are shown by calls of every kind", () => {
    expect(calls.length).toBeGreaterThan(250);
    expect(shownToOthers).toEqual(expect.arrayContaining(showing));
  });
});
