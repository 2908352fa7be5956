import { objectTies } from "@metrum/contract/accounting";
import { baseStations, devices, deviceTrash, gateways } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

describe("what stands at a node", () => {
  const ofObject = async (call: typeof devices.list, id: string) =>
    (await tree.ask(call, { object_ids: [Number(id)] })).data.metering_devices.data.map((row) => row.id);

  it("TREE-012 TREE-031 TREE-032 are devices, gateways and stations, each at one node; lists are filtered by branch", async () => {
    const [top, other] = [await tree.add("Standing"), await tree.add("Standing elsewhere")];
    const below = await tree.add("Standing below", top);
    const [first, second] = [await tree.aDevice(), await tree.aDevice()];
    await tree.tie(top, first);
    await tree.tie(below, second);
    await tree.ask(objectTies.tieGateways, { object_id: below, gateway_ids: [tree.fixture.ours.gateway] });
    await tree.ask(objectTies.tieBaseStations, {
      object_id: below,
      base_station_ids: [tree.fixture.ours.baseStation],
    });
    const before = await ofObject(devices.list, top);

    await tree.tie(other, first);

    expect([
      before.toSorted(),
      await ofObject(devices.list, top),
      await ofObject(devices.list, other),
    ]).toEqual([[first, second].toSorted(), [second], [first]]);
    const inBranch = { object_ids: [Number(top)] };
    expect((await tree.ask(gateways.list, inBranch)).data.gateways.data.map(({ id }) => id)).toEqual([
      tree.fixture.ours.gateway,
    ]);
    expect((await tree.ask(baseStations.list, inBranch)).data.base_stations.total).toBe(1);
    expect((await tree.get(top)).object.childs_devices_info).toEqual({
      devices: 1,
      gateways: 1,
      base_stations: 1,
      points: 0,
    });
    expect(await tree.wrongCounters()).toEqual([]);
  });

  it("TREE-034 many devices are placed at one node, each at its own, or taken from their nodes", async () => {
    const [one, other] = [await tree.add("Mass 1"), await tree.add("Mass 2")];
    const device_ids = await Promise.all([tree.aDevice(), tree.aDevice(), tree.aDevice()]);
    const mass = (object_ids: string[]) => tree.ask(objectTies.massTieDevices, { object_ids, device_ids });

    await mass([one]);
    const together = [await tree.counts(one), await tree.counts(other)];
    await mass([one, other, other]);
    const apart = [await tree.counts(one), await tree.counts(other)];
    const uneven = await mass([one, other]);
    await mass([]);

    expect(together.map((each) => each[2])).toEqual([3, 0]);
    expect(apart.map((each) => each[2])).toEqual([1, 2]);
    expect([uneven.status, Object.keys(uneven.attributes)]).toEqual([422, ["object_ids"]]);
    expect([await tree.counts(one), await tree.counts(other)].map((each) => each[2])).toEqual([0, 0]);
    expect(await tree.wrongCounters()).toEqual([]);
  });

  it("TREE-034 taking things away tells where they stood, so that it can be undone", async () => {
    const top = await tree.add("Taken");
    const below = await tree.add("Taken below", top);
    const [first, second, nowhere] = [await tree.aDevice(), await tree.aDevice(), await tree.aDevice()];
    await tree.tie(top, first);
    await tree.tie(below, second);

    const { data } = await tree.ask(objectTies.untie, { device_ids: [second, nowhere, first] });

    const none = { gateway_ids: [], base_station_ids: [] };
    expect(data.stood.toSorted((a, b) => a.object_id - b.object_id)).toEqual([
      { object_id: Number(top), device_ids: [first], ...none },
      { object_id: Number(below), device_ids: [second], ...none },
    ]);
  });

  it("is counted while it is in use: trash, archive, restore and removal keep the counters right", async () => {
    const top = await tree.add("In use");
    const house = await tree.add("In use house", top);
    const device = await tree.aDevice();
    await tree.tie(house, device);
    const params = { id: String(device) };
    const seen = [await tree.counts(top)];

    await tree.ask(deviceTrash.add, {}, params);
    seen.push(await tree.counts(top));
    await tree.ask(deviceTrash.restore, {}, params);
    seen.push(await tree.counts(top));
    await sql`update device set is_archived = true where id = ${device}`.execute(
      tree.api.services.database.system,
    );
    seen.push(await tree.counts(top));
    await sql`delete from device where id = ${device}`.execute(tree.api.services.database.system);

    expect(seen.map((each) => each[3])).toEqual([1, 0, 1, 0]);
    expect(await tree.wrongCounters()).toEqual([]);
  });

  it("a device of the trash that is placed is not counted before it returns", async () => {
    const top = await tree.add("From trash");
    await tree.tie(top, tree.fixture.ours.trashedDevice);
    const before = await tree.counts(top);

    await tree.ask(deviceTrash.restore, {}, { id: String(tree.fixture.ours.trashedDevice) });

    expect([before[2], (await tree.counts(top))[2]]).toEqual([0, 1]);
  });
});

it("changes at random and at once leave every counter right", async () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const nodes = [await tree.add("Random")];
  for (let n = 0; n < 11; n += 1) nodes.push(await tree.add(`N ${String(n)}`, nodes[random(nodes.length)]));
  const items = await Promise.all(Array.from({ length: 6 }, () => tree.aDevice()));
  const node = () => nodes[1 + random(nodes.length - 1)] ?? "";

  for (let round = 0; round < 10; round += 1)
    await Promise.all([
      tree.move(node(), nodes[random(nodes.length)] ?? ""),
      tree.move(node(), nodes[random(nodes.length)] ?? ""),
      tree.tie(node(), items[random(6)] ?? 0, items[random(6)] ?? 0),
      tree.ask(round % 2 ? deviceTrash.restore : deviceTrash.add, {}, { id: String(items[random(6)]) }),
    ]);

  expect(await tree.wrongCounters()).toEqual([]);
});
