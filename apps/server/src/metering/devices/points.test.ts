import { accountingPoints, pointDevices } from "@metrum/contract/accounting";
import { deviceRecord, devices, deviceTrash } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

async function aTiedDevice(title: string): Promise<{ device: number; point: number }> {
  const device = await tree.aDevice();
  const { data } = await tree.ask(accountingPoints.create, {
    title,
    resource_type_id: 3,
    device_id: device,
    standard: { day: 10 },
  });
  return { device, point: data.accounting_point.id };
}

it("DEV-041 devices are limited to those that are free for accounting points", async () => {
  const { device, point } = await aTiedDevice("Taken");
  const free = await tree.aDevice();
  const list = async (available: boolean) =>
    (
      await tree.ask(devices.list, { ids: [device, free], available_accounting_points: available })
    ).data.metering_devices.data.map(({ id }) => id);

  const before = [await list(true), await list(false)];
  await tree.ask(pointDevices.untieDevice, {
    accounting_point_id: point,
    device_id: device,
    to: tree.api.services.clock.now() + 1,
  });

  expect(before.map((ids) => ids.toSorted())).toEqual([[free], [device, free].toSorted()]);
  expect((await list(true)).toSorted()).toEqual([device, free].toSorted());
});

it("the record of a device names the point that it measures, the list on request", async () => {
  const { device, point } = await aTiedDevice("Measured");
  const expected = {
    id: point,
    title: "Measured",
    resource_type_id: 3,
    parent_id: null,
    standard: { day: 10 },
  };

  const opened = await tree.ask(devices.get, undefined, { id: String(device) });
  const listed = await tree.ask(devices.list, { ids: [device], append_fields: ["tied_point"] });

  expect(opened.data.metering_device.tied_point).toEqual(expected);
  expect(listed.data.metering_devices.data[0]?.tied_point).toEqual(expected);
});

it("AP-025 the trash says which points a device measures; for good it is removed only without any", async () => {
  const { device, point } = await aTiedDevice("Rests on it");
  const params = { id: String(device) };

  const trashed = await tree.ask(deviceTrash.add, {}, params);
  const refused = await tree.ask(deviceTrash.remove, {}, params);
  await tree.ask(deviceTrash.clear, {});
  const kept = await tree.ask(devices.get, undefined, params);
  await tree.ask(accountingPoints.delete, { id: point });
  const removed = await tree.ask(deviceTrash.remove, {}, params);

  expect(trashed.text).toContain("Rests on it");
  expect([refused.status, refused.code, refused.text.includes("Rests on it")]).toEqual([
    409,
    "point_history",
    true,
  ]);
  expect([kept.status, removed.status]).toEqual([200, 200]);
});

it("TRUST-019 a ratio can be set from an earlier moment on; what lies before it stays", async () => {
  const device = await tree.aDevice();
  const now = tree.api.services.clock.now();
  const from = now - 86_400;

  await tree.ask(deviceRecord.edit, { id: device, transformation_ratio: 30, ratio_from: from });
  const future = await tree.ask(deviceRecord.edit, {
    id: device,
    transformation_ratio: 50,
    ratio_from: now + 3600,
  });

  const { rows } =
    await sql`select from_ts, ratio from device_ratio where device_id = ${device} order by 1`.execute(
      tree.api.services.database.system,
    );
  expect(rows).toEqual([
    { from_ts: 0, ratio: 1 },
    { from_ts: from, ratio: 30 },
  ]);
  expect([future.status, Object.keys(future.attributes)]).toEqual([422, ["ratio_from"]]);
});
