import { accountingPoints, objects } from "@metrum/contract/accounting";
import { deviceRecord } from "@metrum/contract/metering";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

async function aPoint(parent_id: string): Promise<number> {
  const { data } = await tree.ask(accountingPoints.create, {
    title: "Input",
    resource_type_id: 3,
    parent_id,
  });
  return data.accounting_point.id;
}
const isThere = async (id: number): Promise<boolean> =>
  (await tree.ask(accountingPoints.get, undefined, { id: String(id) })).status === 200;

it("points are counted at their node and below it, wherever the branch moves", async () => {
  const [one, other] = [await tree.add("One"), await tree.add("Other")];
  const house = await tree.add("House", one);
  await aPoint(house);
  await aPoint(house);
  const before = (await tree.get(one)).object;

  await tree.move(house, other);

  const after = (await tree.get(other)).object;
  expect([before.devices_info.points, before.childs_devices_info.points]).toEqual([0, 2]);
  expect([after.devices_info.points, after.childs_devices_info.points]).toEqual([0, 2]);
  expect((await tree.get(one)).object.childs_devices_info.points).toBe(0);
  expect((await tree.ask(objects.branch, { object_ids: [other] })).data.branch.points).toBe(2);
  expect(await tree.wrongCounters()).toEqual([]);
  const { data } = await tree.ask(objects.link, { object_id: other });
  expect(data.corrected).toBe(0);
});

it.each(["remove_tied_points", "deleteMeteringPoints"])(
  "TREE-011 the points of a removed branch stay at no node, or go with it by %s",
  async (flag) => {
    const [kept, gone] = [await tree.add("Kept"), await tree.add("Gone")];
    const [stays, goes] = [
      await aPoint(await tree.add("Below", kept)),
      await aPoint(await tree.add("Below", gone)),
    ];

    await tree.ask(objects.remove, { object_id: kept, [flag]: false });
    await tree.ask(objects.remove, { object_id: gone, [flag]: true });

    expect([await isThere(stays), await isThere(goes)]).toEqual([true, false]);
    const { data } = await tree.ask(accountingPoints.get, undefined, { id: String(stays) });
    expect(data.accounting_point.parent_id).toBeNull();
    expect(await tree.wrongCounters()).toEqual([]);
  },
);

it("DEV-052 the address of a device is that of its node or the nearest above, of its point, or its place", async () => {
  const device = await tree.aDevice();
  const address = async () => (await tree.ask(objects.deviceAddress, { device_id: device })).data.address;
  const seen = [await address()];
  await tree.ask(deviceRecord.edit, { id: device, place: "Cellar" });
  seen.push(await address());
  await tree.ask(accountingPoints.create, {
    title: "Input",
    resource_type_id: 3,
    city: "Darkhan",
    street: "Main",
    device_id: device,
  });
  seen.push(await address());
  const street = await tree.add("Street", null, { address: { street: "Sukhbaatar" } });

  await tree.tie(await tree.add("House", street), device);

  expect(seen).toEqual([
    {},
    { unrestricted_value: "Cellar" },
    { city: "Darkhan", street: "Main", unrestricted_value: "Darkhan, Main" },
  ]);
  expect(await address()).toEqual({ street: "Sukhbaatar" });
});
