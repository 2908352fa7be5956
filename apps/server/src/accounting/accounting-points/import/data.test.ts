import { accessGroups, users } from "@metrum/contract/access";
import { accountingPoints, pointData, pointDevices } from "@metrum/contract/accounting";
import type { Call, InputOf } from "@metrum/contract/core";
import { deviceRecord, readings } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { aReading } from "#testing/readings";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const hour = 3600;
const day = 86_400;
const now = () => tree.api.services.clock.now();

async function aPoint(more: object = {}): Promise<number> {
  const answer = await tree.ask(accountingPoints.create, {
    title: "Input",
    resource_type_id: 3,
    valid_from: now() - 60 * day,
    ...more,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.accounting_point.id;
}
/** A number that an answer has named. */
const idOf = (id: number) => id as DeviceId;
const read = (deviceId: number, ts: number, tariff0: number, more: object = {}) =>
  ingest(tree.api.services, [aReading({ deviceId: idOf(deviceId), ts, values: { tariff0 }, ...more })]);
const power = (deviceId: number, ts: number, power_a_plus: number, more: object = {}) =>
  ingest(tree.api.services, [
    aReading({
      deviceId: idOf(deviceId),
      ts,
      msgType: 5,
      values: { power_a_plus },
      ...more,
    }),
  ]);

/** A point with the ratio 40 whose first device showed 10 to 12 and was removed at 13; the second begins at 100. */
async function replaced() {
  const point = await aPoint({ transformation_ratio: 40 });
  const [old, next] = [await tree.aDevice(), await tree.aDevice()];
  const swap = Math.floor((now() - 2 * day) / hour) * hour;
  await tree.ask(pointDevices.tieDevice, {
    accounting_point_id: point,
    device_id: old,
    from: swap - 10 * day,
    starting_value: 9,
  });
  await read(old, swap - 2 * hour, 10);
  await read(old, swap - hour, 12);
  await tree.ask(pointDevices.replaceDevice, {
    accounting_point_id: point,
    device_id: next,
    removed_at: swap,
    last_value: 13,
    starting_value: 100,
  });
  // What a device shows outside its interval is not the point's.
  await read(old, swap + hour, 500);
  await read(next, swap - 3 * hour, 90);
  await read(next, swap + 2 * hour, 104);
  await read(next, swap + 3 * hour, 105);
  return { point, old, next, swap };
}

async function rows(body: InputOf<typeof pointData.messages>["body"]) {
  const answer = await tree.ask(pointData.messages, body);
  if (answer.status !== 200) throw new Error(answer.text);
  if (!("data" in answer.data)) throw new Error("no rows");
  return answer.data;
}

it("AP-033 rows of all devices of a point, each in its interval; growth goes over the replacement", async () => {
  const { point, swap } = await replaced();

  const { data, summary } = await rows({
    accounting_point_id: point,
    msgType: 1,
    startDate: swap - day,
    stopDate: swap + day,
  });

  expect(data.map((row) => [(row.datetime - swap) / hour, row["tariff0"], row["delta_tariff0"]])).toEqual([
    [-2, 10, 1],
    [-1, 12, 2],
    // 13 - 12 of the old device, 104 - 100 of the new one.
    [2, 104, 5],
    [3, 105, 1],
  ]);
  expect(data.map((row) => row["delta_tariff0_kkt"])).toEqual([40, 80, 200, 40]);
  const growth = summary.totals.find(({ name, kind }) => name === "tariff0" && kind === "growth");
  // 10 to 13 and 100 to 105: the opening reading of the old device lies before the period.
  expect(growth?.value).toBe(8);
});

it("AP-033 a replacement without a closing reading leaves the growth over it unknown", async () => {
  const point = await aPoint();
  const [old, next] = [await tree.aDevice(), await tree.aDevice()];
  const swap = now() - 2 * day;
  await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: old, from: swap - day });
  await read(old, swap - hour, 12);
  await tree.ask(pointDevices.replaceDevice, {
    accounting_point_id: point,
    device_id: next,
    removed_at: swap,
    starting_value: 100,
  });
  await read(next, swap + hour, 104);
  await read(next, swap + 2 * hour, 110);

  const { data } = await rows({
    accounting_point_id: point,
    msgType: 1,
    startDate: swap - day,
    stopDate: swap + day,
  });

  expect(data.map((row) => row["delta_tariff0"])).toEqual([null, null, 6]);
});

it("AP-033 all calls of messages answer for kind accounting_point as the point's own call does", async () => {
  const { point, next, swap } = await replaced();
  const period = { startDate: swap - day, stopDate: swap + day };
  const of = { device_id: point, kind: "accounting_point" as const, ...period };

  const list = await tree.ask(readings.list, { ...of, msgType: 1 });
  const summary = await tree.ask(readings.summary, { ...of, msgType: 1 });
  const last = await tree.ask(readings.last, { msgType: 1, kind: "accounting_point" }, { id: String(point) });
  await power(next, swap + 4 * hour, 7);
  const profile = await tree.ask(readings.powerProfile, of);
  const energy = await tree.ask(readings.energyProfile, of);

  expect(list.data).toEqual(await rows({ accounting_point_id: point, msgType: 1, ...period }));
  expect(summary.data.totals).toEqual((list.data as { summary: { totals: unknown } }).summary.totals);
  expect(last.data).toMatchObject({ tariff0: 105, tariff0_kkt: 4200 });
  expect("data" in profile.data && profile.data.data[0]).toMatchObject({
    power_a_plus: 7,
    power_a_plus_kkt: 280,
  });
  expect("data" in energy.data && energy.data.data[0]).toMatchObject({
    power_a_plus: 3.5,
    power_a_plus_kkt: 140,
  });
});

it("DATA-048 ACL-036 kind accounting_point needs read or access_all on 6 instead of read on 4, as the point's own call", async () => {
  const { point, next, swap } = await replaced();
  const token = await tree.api.token("operator@metrum.example");
  const group = (await tree.api.ask(users.access, { token })).data.access_group;
  const period = { startDate: swap - day, stopDate: swap + day };
  const none = { create: [], read: [], update: [], delete: [], access_all: [] };
  /** Statuses of the calls that have a kind, with some rights alone, and of the point's own. */
  const statusesWith = async (rules: object, kind: "device" | "accounting_point") => {
    const body = { access_rules: { ...none, ...rules } };
    await tree.ask(accessGroups.update, body, { id: String(group?.id) });
    const of = { device_id: kind === "device" ? next : point, kind, ...period };
    const ask = async <C extends Call>(call: C, input: InputOf<C>) =>
      (await tree.api.ask(call, { token, input })).status;
    return [
      await ask(readings.list, { body: { ...of, msgType: 1 } }),
      await ask(readings.summary, { body: { ...of, msgType: 1 } }),
      await ask(readings.powerProfile, { body: of }),
      await ask(readings.energyProfile, { body: of }),
      await ask(readings.last, { params: { id: String(of.device_id) }, body: { msgType: 1, kind } }),
      await ask(pointData.messages, { body: { accounting_point_id: point, msgType: 1, ...period } }),
    ];
  };

  expect(await statusesWith({ read: [6] }, "accounting_point")).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await statusesWith({ access_all: [6] }, "accounting_point")).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await statusesWith({ read: [6], access_all: [6, 4] }, "device")).toEqual([
    403, 403, 403, 403, 403, 200,
  ]);
  expect(await statusesWith({ read: [4] }, "accounting_point")).toEqual([403, 403, 403, 403, 403, 403]);
  expect(await statusesWith({ read: [4] }, "device")).toEqual([200, 200, 200, 200, 200, 403]);
  expect(await statusesWith({ update: [4, 6] }, "accounting_point")).toEqual([403, 403, 403, 403, 403, 403]);
});

it("TRUST-019 each row has the ratio of its time: a new ratio of a device or point alters no row of yesterday", async () => {
  const device = await tree.aDevice();
  await tree.ask(deviceRecord.edit, { id: device, transformation_ratio: 20 });
  const start = now();
  await read(device, start - 3 * hour, 10);
  await read(device, start - 2 * hour, 12);
  const asked = { device_id: device, msgType: 1, startDate: start - day, stopDate: start + day };
  const list = async () => {
    const { data } = await tree.ask(readings.list, asked);
    return "data" in data ? data.data.map((row) => row["tariff0_kkt"]) : [];
  };
  const before = await list();

  await tree.ask(deviceRecord.edit, { id: device, transformation_ratio: 50 });

  expect(await list()).toEqual(before);
});

it("TRUST-019 losses are those of the time of a row, shown on request", async () => {
  const point = await aPoint({ loss_factor: 0.02 });
  const device = await tree.aDevice();
  const start = Math.floor((now() - day) / hour) * hour;
  await tree.ask(pointDevices.tieDevice, {
    accounting_point_id: point,
    device_id: device,
    from: start - day,
  });
  await tree.ask(pointDevices.setTerm, {
    accounting_point_id: point,
    kind: "loss",
    number: 0.1,
    from: start + hour,
  });
  await power(device, start, 100);
  await power(device, start + hour, 100);
  const asked = { accounting_point_id: point, msgType: 5, startDate: start, stopDate: start + day };

  const plain = await rows(asked);
  const { data } = await rows({ ...asked, with_loss_factor: true });

  expect(Object.keys(plain.data[0] ?? {})).not.toContain("power_a_plus_loss_factor");
  expect(data.map((row) => row["power_a_plus_loss_factor"])).toEqual([102, 110]);
});

it("AP-034 validated profiles hold trusted values alone, with the ratio and on request the losses", async () => {
  const point = await aPoint({ transformation_ratio: 40, loss_factor: 0.5 });
  const device = await tree.aDevice();
  const start = Math.floor((now() - day) / hour) * hour;
  await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from: start });
  await power(device, start - 1800, 1);
  await power(device, start, 2);
  await power(device, start + 1800, 3, { status: "suspect" });
  await power(device, start + 3600, 4, { status: "rejected" });
  const ask = (more: object) =>
    tree.ask(pointData.validatedPowerProfile, {
      accounting_point_ids: [point],
      startDate: start - day,
      stopDate: start + day,
      ...more,
    });

  const plain = (await ask({})).data;
  const withLosses = (await ask({ with_loss_factor: true })).data;

  expect(plain.map(({ datetime, power_a_plus, ratio }) => [datetime, power_a_plus, ratio])).toEqual([
    [start, 80, 40],
  ]);
  expect(withLosses[0]?.power_a_plus).toBe(120);
});

it("AP-007 suspect and rejected values of the points of a company are listed with their point, newest first", async () => {
  const point = await aPoint();
  const device = await tree.aDevice();
  const start = now() - 2 * day;
  await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from: start });
  await read(device, start - hour, 1, { status: "suspect" });
  await read(device, start + hour, 2, { status: "suspect" });
  await read(device, start + 2 * hour, 3);
  await read(device, start + 3 * hour, 4, { status: "rejected" });
  const ask = async (more: object = {}) =>
    (await tree.ask(pointData.rejectedData, { accounting_point_id: point, ...more })).data;

  const all = await ask();

  expect(all.data.map(({ field, value, status }) => [field, value, status])).toEqual([
    ["tariff0", 4, "rejected"],
    ["tariff0", 2, "suspect"],
  ]);
  expect(all.data[0]).toMatchObject({ accounting_point_id: point, device_id: device, msg_type: 1 });
  expect((await ask({ status: ["suspect"] })).total).toBe(1);
  expect((await ask({ stopDate: start + 2 * hour })).total).toBe(1);
});
