import { objectBounds, objects, objectTies, type TreeObject } from "@metrum/contract/accounting";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const names = (nodes: readonly TreeObject[]): string[] => nodes.map(({ name }) => name);

describe("nodes", () => {
  it("TREE-010 TREE-019 TREE-043 are added with kind, address and coordinates, and read one or several by id", async () => {
    const address = {
      unrestricted_value: "Darkhan-Uul, Darkhan, Sukhbaatar 14",
      country: "Mongolia",
      region: "Darkhan-Uul",
      area: "Sum",
      city: "Darkhan",
      settlement: "Bag 3",
      city_district: "East",
      street: "Sukhbaatar",
      house: "14",
      block: "2",
      coordinates: [49.4669, 105.9621] as [number, number],
    };
    const top = await tree.add("  Darkhan ", null, { type: "city" });
    const { status, msg, data } = await tree.ask(objects.add, {
      name: "14",
      parent_id: top,
      type: "house",
      address,
    });

    const several = await tree.ask(objects.getMany, { ids: [data.object._id, top] });

    expect([status, msg]).toEqual([200, "Объект добавлен"]);
    expect(data.object).toMatchObject({ name: "14", parentId: top, type: "house", address });
    expect(await tree.get(data.object._id)).toEqual({
      object: data.object,
      parents: [{ _id: top, name: "Darkhan" }],
    });
    expect(names(several.data.objects)).toEqual(["14", "Darkhan"]);
  });

  it("TREE-009 have ids, names, counters of devices and of all below", async () => {
    const [top, other] = [await tree.add("Nine"), await tree.add("Nine B")];
    const below = await tree.add("Below", top);
    await tree.tie(below, await tree.aDevice(), await tree.aDevice());
    await tree.tie(top, await tree.aDevice());

    const { object } = await tree.get(top);

    expect(object).toMatchObject({
      _id: top,
      parentId: null,
      type: "",
      childs_count: 1,
      devices_info: { devices: 1, gateways: 0, base_stations: 0, points: 0 },
      childs_devices_info: { devices: 2 },
      all_child_ids: [below],
    });
    expect((await tree.get(other)).object.all_child_ids).toEqual([]);
  });

  it("TREE-030 a removed node costs a look at its children, however many nodes the company has", async () => {
    const client = await tree.api.services.database.pool.connect();
    // What the reference of the children to their parent asks for each removed node.
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      "explain (costs off) select from object_node where parent_id = 1 and company_id = 1 for key share",
    );
    client.release();

    const plan = rows.map((row) => row["QUERY PLAN"]).join(" ");
    expect(plan).toContain("object_node_children");
    expect(plan).toContain("Index Cond: ((parent_id = 1) AND (company_id = 1))");
  });

  it("TREE-002 TREE-003 TREE-030 adding a node raises the count of its parent, removing a branch lowers it", async () => {
    const top = await tree.add("Counted");
    const street = await tree.add("Street", top);
    const house = await tree.add("House", street);
    await tree.tie(house, await tree.aDevice());
    const grown = [await tree.counts(top), await tree.counts(street)];

    const { msg } = await tree.ask(objects.remove, { object_id: street });

    expect(grown).toEqual([
      [1, 2, 0, 1],
      [1, 1, 0, 1],
    ]);
    expect([msg, await tree.counts(top)]).toEqual(["Удалено объектов: 2", [0, 0, 0, 0]]);
    expect((await tree.ask(objects.get, { object_id: house })).status).toBe(404);
    expect(await tree.wrongCounters()).toEqual([]);
  });

  it("TREE-004 TREE-028 a changed node keeps what is not named, a moved one adjusts the counts of both parents", async () => {
    const [top, east, west] = [await tree.add("Movers"), "", ""];
    const from = east || (await tree.add("East", top));
    const to = west || (await tree.add("West", top));
    const street = await tree.add("Street", from, { type: "street" });
    await tree.tie(await tree.add("House", street), await tree.aDevice());

    await tree.ask(objects.update, { _id: street, name: "Avenue" });
    const moved = await tree.move(street, to);

    expect(moved.data.object).toMatchObject({ name: "Avenue", type: "street", parentId: to });
    expect([await tree.counts(from), await tree.counts(to), await tree.counts(top)]).toEqual([
      [0, 0, 0, 0],
      [1, 2, 0, 1],
      [2, 4, 0, 1],
    ]);
    await tree.move(street, null);
    expect([(await tree.get(street)).object.parentId, await tree.counts(top)]).toEqual([null, [2, 2, 0, 0]]);
    expect(await tree.wrongCounters()).toEqual([]);
  });

  it("TREE-024 a node cannot be moved into itself or below itself, nor the tree grow too deep", async () => {
    const top = await tree.add("Cycle");
    const below = await tree.add("Below", await tree.add("Between", top));
    const chain = [await tree.add("Level 1")];
    for (let level = 2; level <= objectBounds.depth; level += 1)
      chain.push(await tree.add(`Level ${String(level)}`, chain.at(-1)));

    const refused = [
      await tree.move(top, top),
      await tree.move(top, below),
      await tree.move(top, chain.at(-2) ?? ""),
      await tree.ask(objects.add, { name: "Too deep", parent_id: chain.at(-1) ?? "" }),
    ];

    expect(refused.map(({ status, code }) => [status, code])).toEqual([
      [409, "object_cycle"],
      [409, "object_cycle"],
      [409, "object_depth"],
      [409, "object_depth"],
    ]);
    expect(Object.keys(refused[0]?.attributes ?? {})).toEqual(["parent_id"]);
  });

  it("TREE-024 of two moves at once that would make a cycle together, one is refused", async () => {
    for (let round = 0; round < 3; round += 1) {
      const [one, other] = [await tree.add(`One ${String(round)}`), await tree.add(`Other ${String(round)}`)];

      const answers = await Promise.all([tree.move(one, other), tree.move(other, one)]);

      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
    expect(await tree.wrongCounters()).toEqual([]);
  });

  it("TREE-029 are sorted by hand, TREE-005 or by name in both directions", async () => {
    const top = await tree.add("Sorted");
    const [b, c, a] = [await tree.add("b", top), await tree.add("C", top), await tree.add("a", top)];

    await tree.ask(objects.updateSort, { parent_id: top, ids: [c, a] });

    expect(names(await tree.build({ parent_id: top }))).toEqual(["C", "a", "b"]);
    expect(names(await tree.build({ parent_id: top, sort: "asc" }))).toEqual(["a", "b", "C"]);
    expect(names(await tree.build({ parent_id: top, sort: "desc" }))).toEqual(["C", "b", "a"]);
    await tree.move(b, null);
    await tree.move(b, top);
    expect(names(await tree.build({ parent_id: top }))).toEqual(["C", "a", "b"]);
  });

  it("TREE-042 say what a branch holds before it is removed, each thing once", async () => {
    const top = await tree.add("Held");
    const below = await tree.add("Held below", top);
    await tree.tie(below, await tree.aDevice(), await tree.aDevice());
    await tree.ask(objectTies.tieGateways, { object_id: top, gateway_ids: [tree.fixture.ours.gateway] });
    await tree.ask(objectTies.tieBaseStations, {
      object_id: below,
      base_station_ids: [tree.fixture.ours.baseStation],
    });
    const { data } = await tree.ask(objects.branch, { object_ids: [top, below] });

    expect(data.branch).toEqual({ nodes: 2, devices: 2, gateways: 1, base_stations: 1, points: 0, users: 0 });
  });

  it("TREE-044 links are counted anew, and the node answered with its parents and children", async () => {
    const top = await tree.add("Linked");
    const street = await tree.add("Linked street", top);
    const house = await tree.add("Linked house", street);
    await tree.tie(house, await tree.aDevice());
    await sql`update object_node set devices_below = 7 where id = any(${[top, street].map(Number)}::int[])`.execute(
      tree.api.services.database.system,
    );

    const { data } = await tree.ask(objects.link, { object_id: street });

    expect([data.object.name, names(data.parents), names(data.children), data.corrected]).toEqual([
      "Linked street",
      ["Linked"],
      ["Linked house"],
      2,
    ]);
    expect(await tree.wrongCounters()).toEqual([]);
  });

  it("TREE-014 TREE-036 have attributes, which are set and removed", async () => {
    const object_id = await tree.add("Described");
    const set = (name: string, value?: string | null) =>
      tree.ask(objectTies.setAttribute, { object_id, name, value });
    await set(" Built ", "1986");
    await set("Built", "1987");
    await set("Flats", "63");
    await set("Flats", null);

    const { data } = await tree.ask(objectTies.attributes, { object_id });

    expect(data.attributes).toEqual([{ name: "Built", value: "1987" }]);
  });

  it("TREE-037 are made from addresses, each once, TREE-025 without any outside service", async () => {
    const of = (house: string) => ({ country: "Mongolia", city: "Erdenet", street: "Natsagdorj", house });

    const first = await tree.ask(objects.addAutomatically, { addresses: [of("1"), of("2")] });
    const again = await tree.ask(objects.addAutomatically, {
      addresses: [of("2"), { ...of("3"), city: "ERDENET" }],
    });
    const none = await tree.ask(objects.addAutomatically, { addresses: [of("4"), {}] });

    expect([first.msg, again.msg]).toEqual(["Добавлено объектов: 5", "Добавлено объектов: 1"]);
    expect(first.data.tree.map(({ type, name }) => `${type} ${name}`)).toEqual([
      "country Mongolia",
      "city Erdenet",
      "street Natsagdorj",
      "house 1",
      "house 2",
    ]);
    expect(first.data.tree.at(-1)?.address).toEqual(of("2"));
    expect([none.status, none.code, (await tree.build({ search_string: "natsag" })).length]).toEqual([
      422,
      "object_address_empty",
      3,
    ]);
  });
});

describe("the tree", () => {
  it("TREE-001 TREE-023 is built by parts: top, levels, several levels, and hits with the way to each", async () => {
    const top = await tree.add("Partly");
    const [east, west] = [await tree.add("Partly east", top), await tree.add("Partly west", top)];
    const house = await tree.add("Needle 14", east, { address: { unrestricted_value: "Needle street" } });
    await tree.add("Other", west);

    const found = await tree.build({ search_string: "NEEDLE" });

    expect(names(await tree.build({}))).toContain("Partly");
    expect(names(await tree.build({}))).not.toContain("Partly east");
    expect(names(await tree.build({ parent_id: top }))).toEqual(["Partly east", "Partly west"]);
    expect(names(await tree.build({ parent_ids: [west, east] }))).toEqual(["Other", "Needle 14"]);
    expect(found.map(({ _id, is_found }) => [_id, is_found])).toEqual([
      [top, false],
      [east, false],
      [house, true],
    ]);
    expect(
      names((await tree.build({ search_string: "needle street" })).filter(({ is_found }) => is_found)),
    ).toEqual(["Needle 14"]);
    expect((await tree.build({ parent_id: top, with_descendants: false }))[0]).not.toHaveProperty(
      "all_child_ids",
    );
  });

  it("TREE-001 says with statistics how many devices of a branch are silent", async () => {
    const top = await tree.add("Silent");
    const house = await tree.add("Silent house", top);
    const device = await tree.aDevice();
    const onTime = await tree.aDevice();
    await tree.tie(house, device, onTime);
    await sql`update device_state set last_data_at = 900,
        silent_at = case when device_id = ${device}::int then 1000 else 99999999999 end
      where device_id in (${device}, ${onTime})`.execute(tree.api.services.database.system);

    const [node] = (await tree.build({ with_stats: true })).filter(({ _id }) => _id === top);

    expect([node?.devices_info.silent, node?.childs_devices_info]).toEqual([
      0,
      { devices: 2, gateways: 0, base_stations: 0, points: 0, silent: 1 },
    ]);
  });

  it("TREE-018 is read as a whole, every node behind its parent and with all below it", async () => {
    const { data } = await tree.api.ask(objects.tree, { token: tree.token });
    const at = new Map(data.tree.map(({ _id }, place) => [_id, place]));

    expect(data.tree.length).toBeGreaterThan(10);
    for (const { _id, parentId, nodes_below, all_child_ids } of data.tree) {
      if (parentId !== null) expect(at.get(parentId)).toBeLessThan(at.get(_id) ?? 0);
      expect(all_child_ids).toHaveLength(nodes_below);
    }
    const some = data.tree.find(({ nodes_below }) => nodes_below > 1);
    expect(some?.all_child_ids?.toSorted()).toEqual(
      (await tree.get(some?._id ?? "")).object.all_child_ids?.toSorted(),
    );
  });

  it("TREE-041 is exported with the way to each node, as rows or as a spreadsheet", async () => {
    const top = await tree.add("Exported");
    await tree.add("Exported house", top, {
      address: { unrestricted_value: "Street 1", coordinates: [49.5, 105.9] },
    });

    const rows = (await tree.ask(objects.export, { per_page: 250 })).data.objects;
    const csv = await tree.api.fastify.inject({
      method: "POST",
      url: "/api/objects/all/export",
      headers: {
        authorization: `Bearer ${tree.token}`,
        "accept-language": "en",
        "accept-encoding": "identity",
      },
      payload: { format: "csv" },
    });

    expect(rows.data.find(({ name }) => name === "Exported house")).toMatchObject({
      path: "Exported / Exported house",
      level: 2,
      address: "Street 1",
      latitude: 49.5,
    });
    expect([csv.statusCode, csv.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
    const lines = csv.body.replace("\ufeff", "").trimEnd().split("\r\n");
    expect(lines[0]).toBe(
      "Path,Level,Name,Kind,Address,Latitude,Longitude,Objects below,Devices,Gateways,Base stations,Accounting points",
    );
    expect(lines).toHaveLength(rows.total + 1);
    expect(lines).toContain("Exported / Exported house,2,Exported house,,Street 1,49.5,105.9,0,0,0,0,0");
  });
});
