import {
  accountingPoints,
  objects,
  pointDevices,
  pointTransformers,
  type AccountingPoint,
} from "@metrum/contract/accounting";
import { deviceRecord, deviceTrash } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";
import { addressOf, shortAddressOf } from "../records/address.ts";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const now = () => tree.api.services.clock.now();
const day = 86_400;

async function aPoint(more: object = {}): Promise<AccountingPoint> {
  const answer = await tree.ask(accountingPoints.create, {
    title: "Input",
    resource_type_id: 3,
    ...more,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.accounting_point;
}
const get = async (id: number) =>
  (await tree.ask(accountingPoints.get, undefined, { id: String(id) })).data.accounting_point;
const rowsOf = async <Row extends object>(text: string): Promise<Row[]> =>
  (await sql.raw<Row>(text).execute(tree.api.services.database.system)).rows;
const termsOf = (id: number) =>
  rowsOf<{ kind: string; number: string | null; from_ts: number; to_ts: number | null }>(
    `select kind, trim_scale(number)::text as number, from_ts, to_ts from point_term where point_id = ${String(id)} order by kind, from_ts`,
  );

describe("a point", () => {
  it("AP-026 AP-025 AP-035 PROD-006 is created with its terms and opened by id, with both names and the wire's ids", async () => {
    const object = await tree.add("House");
    const { consumer, supplier } = tree.fixture.ours;

    const made = await aPoint({
      title: "Auxiliary supply",
      city: "Darkhan",
      street: "Sukhbaatar",
      house: "14",
      innerObject: "2",
      parent_id: object,
      consumer_id: consumer,
      supplier_id: String(supplier),
      loss_factor: 0.02,
      voltage_level_id: 4,
      contract_power: 280,
      transformation_ratio: 40,
      standard: { day: 3100, month: null },
    });

    expect(await get(made.id)).toEqual(made);
    expect(made).toMatchObject({
      title: "Auxiliary supply",
      name: "Auxiliary supply",
      innerObject: "2",
      address: "Darkhan, Sukhbaatar, 14, 2",
      parent_id: object,
      parent_name: "House",
      resource_type_id: 3,
      currentPoint: { resource_type_id: 3 },
      unit: "кВт·ч",
      tabs: {},
      state: "no_device",
      device_id: null,
      consumer_id: String(consumer),
      supplier_id: String(supplier),
      transformation_ratio: 40,
      ratio_source: "point",
      loss_factor: 0.02,
      voltage_level_id: 4,
      contract_power: 280,
      standard: { day: 3100 },
    });
  });

  it("AP-027 TRUST-019 an update makes a new interval from a moment on and leaves yesterday as it was", async () => {
    const point = await aPoint({ transformation_ratio: 30, valid_from: now() - 10 * day });
    const change = now() - 3 * day;

    await tree.ask(accountingPoints.update, { id: point.id, transformation_ratio: 40, valid_from: change });
    await tree.ask(accountingPoints.update, { id: point.id, transformation_ratio: 50 });
    // The same again changes nothing.
    await tree.ask(accountingPoints.update, { id: point.id, transformation_ratio: 50 });

    const terms = await termsOf(point.id);
    expect(terms.map(({ number }) => number)).toEqual(["30", "40", "50"]);
    expect(terms.map(({ to_ts }) => to_ts)).toEqual([change, terms[2]?.from_ts, null]);
    expect((await get(point.id)).transformation_ratio).toBe(50);
  });

  it("TRUST-019 a term within an interval splits what stands there, null ends it, later ones stay", async () => {
    const start = now() - 30 * day;
    const point = await aPoint({ loss_factor: 0.01, valid_from: start });
    const set = (body: object) =>
      tree.ask(pointDevices.setTerm, { accounting_point_id: point.id, kind: "loss", ...body });

    await set({ number: 0.05, from: start + 10 * day, to: start + 12 * day });
    await set({ number: null, from: start + 20 * day });
    const early = await set({ number: 0.02, from: start - 5 * day });

    expect(early.status).toBe(200);
    expect(
      (await termsOf(point.id)).map(({ number, from_ts, to_ts }) => [
        number,
        (from_ts - start) / day,
        to_ts === null ? null : (to_ts - start) / day,
      ]),
    ).toEqual([
      ["0.02", -5, 0],
      ["0.01", 0, 10],
      ["0.05", 10, 12],
      ["0.01", 12, 20],
    ]);
  });

  it("AP-028 is deleted with its history; a foreign id of the list refuses all", async () => {
    const [one, two] = [await aPoint(), await aPoint()];

    const refused = await tree.ask(accountingPoints.delete, {
      ids: [one.id, tree.fixture.theirs.accountingPoint],
    });
    await tree.ask(accountingPoints.delete, { id: one.id });
    const gone = await tree.ask(accountingPoints.get, undefined, { id: String(one.id) });

    expect([refused.status, gone.status, (await get(two.id)).id]).toEqual([404, 404, two.id]);
  });

  it("AP-003 AP-029 is tied to a node by body or path, counted there, and untied", async () => {
    const [top, other] = [await tree.add("Top"), await tree.add("Other")];
    const house = await tree.add("Below", top);
    const point = await aPoint({ parent_id: house });
    const countsOf = async (id: string) =>
      rowsOf<{ points: number; points_below: number }>(
        `select points, points_below from object_node where id = ${id}`,
      ).then((rows) => Object.values(rows[0] ?? {}));
    const before = [await countsOf(top), await countsOf(house)];

    await tree.ask(accountingPoints.tieObject, { accounting_point_id: point.id, object_id: other });
    const tied = [await countsOf(top), await countsOf(house), await countsOf(other)];
    const wrong = await tree.ask(accountingPoints.untieObject, {
      accounting_point_id: point.id,
      object_id: top,
    });
    await tree.ask(accountingPoints.untieObject, { accounting_point_id: point.id, object_id: other });

    expect(before).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(tied).toEqual([
      [0, 0],
      [0, 0],
      [1, 0],
    ]);
    expect([wrong.code, (await get(point.id)).parent_id, await countsOf(other)]).toEqual([
      "point_object_absent",
      null,
      [0, 0],
    ]);
  });

  it("AP-006 its standard is set by hour, day and month from a moment on", async () => {
    const point = await aPoint();
    const set = (standard: object) =>
      tree.ask(accountingPoints.updateStandard, { standard }, { id: String(point.id) });

    await set({ hour: 5, day: 100, month: 3000 });
    const first = (await get(point.id)).standard;
    await set({ hour: 5, day: 100, month: 3000 });
    await set({});
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit where action = 'point.term' and subject = ${`point ${String(point.id)}`}`.execute(
      tree.api.services.database.system,
    );

    expect([first, (await get(point.id)).standard]).toEqual([{ hour: 5, day: 100, month: 3000 }, null]);
    expect(rows).toEqual([{ n: 2 }]);
  });

  it("AP-032 its log tells who changed what, by body or path", async () => {
    const point = await aPoint();
    await tree.ask(accountingPoints.update, { id: point.id, name: "Renamed" });

    const { data } = await tree.ask(accountingPoints.logs, { accounting_point_id: point.id });

    expect(data.logs.data.map(({ action }) => action)).toEqual(["point.update", "point.create"]);
    expect(data.logs.data[0]).toMatchObject({ before: { name: "Input" }, after: { name: "Renamed" } });
  });

  it("a wrong zone, an empty name and a moment out of range are refused by field", async () => {
    const ask = (body: object) =>
      tree.ask(accountingPoints.create, { title: "X", resource_type_id: 3, ...body });

    expect([
      Object.keys((await ask({ timezone: "Mars/Base" })).attributes),
      Object.keys((await ask({ title: " " })).attributes),
      (await ask({ valid_from: 1000 })).code,
      (await ask({ valid_from: now() + 400 * day })).code,
    ]).toEqual([["timezone"], ["name"], "point_moment", "point_moment"]);
  });
});

describe("lists", () => {
  it("AP-001 AP-024 points of a node are listed, with nested ones on request", async () => {
    const top = await tree.add("Listed");
    const house = await tree.add("Listed house", top);
    const own = await aPoint({ parent_id: top, title: "Own" });
    const nested = await aPoint({ parent_id: house, title: "Nested" });
    const list = async (body: object) =>
      (await tree.ask(accountingPoints.list, { object_id: top, ...body })).data.accounting_points.data.map(
        ({ id }) => id,
      );

    expect(await list({})).toEqual([own.id]);
    expect(await list({ with_nested: true })).toEqual([nested.id, own.id]);
    expect(
      (await tree.ask(accountingPoints.nested, { object_id: top })).data.accounting_points.map(
        ({ id }) => id,
      ),
    ).toEqual([nested.id, own.id]);
  });

  it("AP-023 points of a company are filtered, searched, sorted and paged", async () => {
    const object = await tree.add("Filtered");
    const place = { parent_id: object };
    const water = await aPoint({ ...place, title: "Water A", resource_type_id: 1 });
    const power = await aPoint({ ...place, title: "Power B", consumer_id: tree.fixture.ours.consumer });
    const device = await tree.aDevice();
    await tree.ask(pointDevices.tieDevice, { accounting_point_id: power.id, device_id: device });
    const list = async (body: object) => {
      const { data } = await tree.ask(accountingPoints.companyList, {
        object_ids: [Number(object)],
        ...body,
      });
      return data.accounting_points;
    };
    const ids = async (body: object) => (await list(body)).data.map(({ id }) => id);

    expect(await ids({})).toEqual([power.id, water.id]);
    expect(await ids({ sort: "desc" })).toEqual([water.id, power.id]);
    expect(await ids({ resource_type_id: [1, 2] })).toEqual([water.id]);
    expect(await ids({ state: ["no_device"] })).toEqual([water.id]);
    expect(await ids({ state: ["never"] })).toEqual([power.id]);
    expect(await ids({ consumer_id: tree.fixture.ours.consumer })).toEqual([power.id]);
    expect(await ids({ consumer_id: null })).toEqual([water.id]);
    expect(await ids({ search_string: "WATER" })).toEqual([water.id]);
    expect(await ids({ sort_field: "device", sort: "desc" })).toEqual([water.id, power.id]);
    expect((await list({ per_page: 10 })).total).toBe(2);
  });

  it("AP-021 AP-023 a point is found by the device that measures it now and by its number as screens print it", async () => {
    const [former, present, bare] = [
      await aPoint({ title: "Riser A" }),
      await aPoint({ title: "Riser B" }),
      await aPoint({ title: "Riser C" }),
    ];
    const [gone, device] = [await tree.aDevice(), await tree.aDevice()];
    await tree.api.services.database.system
      .updateTable("device")
      .set({ name: "Quokka 230", deviceID: "SN_77104", place: "Under the stairs" })
      .where("id", "=", device as DeviceId)
      .execute();
    const tie = (point: AccountingPoint, device_id: number, from: number) =>
      tree.ask(pointDevices.tieDevice, { accounting_point_id: point.id, device_id, from });
    await tie(former, device, now() - 9 * day);
    await tree.ask(pointDevices.untieDevice, {
      accounting_point_id: former.id,
      device_id: device,
      to: now() - 5 * day,
    });
    await tie(former, gone, now() - 5 * day);
    await tie(present, device, now() - 5 * day);
    const ids = async (search_string: string) =>
      (
        await tree.ask(accountingPoints.companyList, { search_string, per_page: 100 })
      ).data.accounting_points.data.map(({ id }) => id);

    expect(await ids("quokka")).toEqual([present.id]);
    expect(await ids("sn_771")).toEqual([present.id]);
    // Not by what the list does not show, nor by a wildcard.
    expect([await ids("stairs"), await ids("sn%771")]).toEqual([[], []]);
    for (const printed of ["ТУ-", "ap-", "ТЦ ", "ту"])
      expect(await ids(`${printed}${String(bare.id)}`)).toEqual([bare.id]);
    expect(await ids(String(bare.id))).toContain(bare.id);

    await tree.ask(deviceTrash.add, undefined, { id: String(device) });
    expect([await ids("quokka"), (await get(present.id)).device?.is_in_trash]).toEqual([[present.id], true]);
  });
});

describe("references", () => {
  it("AP-008 AP-011 AP-012 AP-013 AP-014 AP-015 AP-016 types of resources with group, unit, kinds and levels", async () => {
    const { data } = await tree.ask(accountingPoints.resourceTypes, undefined);

    expect(data.resource_types.map(({ id, device_group_id, unit }) => [id, device_group_id, unit])).toEqual([
      [1, 1, "м³"],
      [2, 1, "м³"],
      [3, 4, "кВт·ч"],
      [4, 3, "Гкал"],
      [5, 2, "м³"],
      [6, 5, "м³"],
      [7, 3, "Гкал"],
      [8, 1, "м³"],
      [9, 1, "м³"],
    ]);
    const ofResource = (resource: number) =>
      data.resource_types.filter(({ resource_id }) => resource_id === resource).map(({ id }) => id);
    expect([1, 5, 4, 3, 6, 2, 7].map(ofResource)).toEqual([[1, 2, 8, 9], [5], [4, 7], [3], [6], [], []]);
    expect(data.resource_types.slice(0, 2).map(({ water_kind }) => water_kind)).toEqual(["hot", "cold"]);
    expect(data.meter_kinds.map(({ id, title_en }) => [id, title_en])).toEqual([
      [0, "Cold water"],
      [1, "Hot water"],
      [3, "Electricity"],
      [4, "Heat"],
      [5, "Gas"],
      [6, "Substance"],
      [7, "Other"],
      [8, "Drainage"],
      [9, "Drinking water"],
    ]);
    expect(data.voltage_levels.map(({ id, title_en }) => [id, title_en])).toEqual([
      [1, "HV"],
      [2, "MV1"],
      [3, "MV2"],
      [4, "LV"],
    ]);
  });

  it("AP-009 AP-010 an address is joined by commas, a dash without a street, cut in its short form", () => {
    const full = { city: "Darkhan", street: "Sukhbaatar", house: "14", inner_object: "flat 2" };

    expect(addressOf(full)).toBe("Darkhan, Sukhbaatar, 14, flat 2");
    expect(addressOf({ ...full, city: "", inner_object: "" })).toBe("Sukhbaatar, 14");
    expect(addressOf({ ...full, street: "" })).toBe("–");
    expect(shortAddressOf({ ...full, street: "a".repeat(22) })).toContain(`${"a".repeat(22)}, 14`);
    expect(shortAddressOf({ ...full, street: "ө".repeat(23) })).toContain(`${"ө".repeat(22)}…, 14`);
  });
});

describe("transformers", () => {
  it("REF-022 stand at a point for an interval: the ratio is their product, then its own again", async () => {
    const point = await aPoint({ transformation_ratio: 3, valid_from: now() - 90 * day });
    const { transformer } = tree.fixture.ours;
    const body = { accounting_point_id: point.id, transformer_id: transformer };

    await tree.ask(pointTransformers.tie, { ...body, from: now() - 5 * day });
    const tied = await get(point.id);
    await tree.ask(pointTransformers.untie, body);
    const after = await get(point.id);
    const again = await tree.ask(pointTransformers.untie, body);

    expect([tied.transformation_ratio, tied.ratio_source, tied.current_transformer?.id]).toEqual([
      20,
      "transformers",
      transformer,
    ]);
    expect([after.transformation_ratio, after.ratio_source, again.code]).toEqual([
      3,
      "point",
      "point_transformer_absent",
    ]);
  });
});

it("TRUST-019 the ratio of a device is dated: a change of today leaves the days before as they were", async () => {
  const device = await tree.aDevice();
  const [before] = await rowsOf<{ ratio: number; from_ts: number }>(
    `select ratio, from_ts from device_ratio where device_id = ${String(device)}`,
  );

  const answer = await tree.ask(deviceRecord.edit, { id: device, transformation_ratio: 40 });

  const rows = await rowsOf<{ ratio: number; from_ts: number }>(
    `select ratio, from_ts from device_ratio where device_id = ${String(device)} order by from_ts`,
  );
  expect(answer.status, answer.text).toBe(200);
  expect(before).toEqual({ ratio: 1, from_ts: 0 });
  expect(rows[0]).toEqual(before);
  expect(rows[1]?.ratio).toBe(40);
  expect(Math.abs((rows[1]?.from_ts ?? 0) - now())).toBeLessThan(3600);
  const object = await tree.ask(objects.tree, undefined);
  expect(object.status).toBe(200);
});
