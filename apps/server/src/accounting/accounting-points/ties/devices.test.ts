import { accountingPoints, pointDevices, pointHistory } from "@metrum/contract/accounting";
import { deviceTrash } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { aReading } from "#testing/readings";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const day = 86_400;
const now = () => tree.api.services.clock.now();

async function aPoint(more: object = {}): Promise<number> {
  const answer = await tree.ask(accountingPoints.create, { title: "Input", resource_type_id: 3, ...more });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.accounting_point.id;
}
const get = async (id: number) =>
  (await tree.ask(accountingPoints.get, undefined, { id: String(id) })).data.accounting_point;
const history = async (id: number) =>
  (await tree.ask(pointHistory.history, { accounting_point_id: id })).data;
const read = (deviceId: number, ts: number, tariff0: number, more: object = {}) =>
  ingest(tree.api.services, [aReading({ deviceId: deviceId as DeviceId, ts, values: { tariff0 }, ...more })]);

describe("a device", () => {
  it("AP-004 AP-005 is tied from a moment on with the register of its resource and its opening reading", async () => {
    const point = await aPoint();
    const device = await tree.aDevice();

    await tree.ask(pointDevices.tieDevice, {
      accounting_point_id: point,
      device_id: device,
      from: now() - day,
      starting_value: 0.148,
      act: "118/26",
    });

    const shown = await get(point);
    expect([shown.device_id, shown.device?.field, shown.state]).toEqual([device, "tariff0", "never"]);
    const [tie] = (await history(point)).devices;
    expect(tie).toMatchObject({ opening: { tariff0: 0.148 }, opening_value: 0.148, act: "118/26", to: null });
    const { data } = await tree.ask(accountingPoints.tabs, { accounting_point_id: point });
    expect(data.tabs.map(({ name }) => name)).toContain("power_profiles");
    expect(shown.tabs["power_profiles"]?.msgTypes).toEqual([5]);
  });

  it("AP-004 of another resource, from the trash, with a register in use or an unknown one is refused by field", async () => {
    const [point, water] = [await aPoint(), await aPoint({ resource_type_id: 1 })];
    const device = await tree.aDevice();
    const tie = (body: object) =>
      tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, ...body });
    const faultOf = async (answer: ReturnType<typeof tie>) => {
      const { code, attributes, status } = await answer;
      return [status, code, Object.keys(attributes)];
    };

    expect(await faultOf(tie({ accounting_point_id: water }))).toEqual([
      422,
      "point_resource",
      ["device_id"],
    ]);
    expect(await faultOf(tie({ device_id: tree.fixture.ours.trashedDevice }))).toEqual([
      409,
      "point_device_trashed",
      ["device_id"],
    ]);
    expect(await faultOf(tie({ field: "voltage1" }))).toEqual([422, "point_register_unknown", ["field"]]);
    expect(await faultOf(tie({ opening: { voltage1: 1 } }))).toEqual([
      422,
      "point_register_unknown",
      ["opening.voltage1"],
    ]);
    await tie({ from: now() - 10 * day });
    expect(await faultOf(tie({ accounting_point_id: await aPoint() }))).toEqual([
      409,
      "point_register_taken",
      ["device_id"],
    ]);
    expect(await faultOf(tie({ device_id: await tree.aDevice() }))).toEqual([
      409,
      "point_device_taken",
      ["accounting_point_id"],
    ]);
  });

  it("two transactions cannot tie the same register at once", async () => {
    const device = await tree.aDevice();
    const points = await Promise.all([aPoint(), aPoint(), aPoint(), aPoint()]);

    const answers = await Promise.all(
      points.map((accounting_point_id) =>
        tree.ask(pointDevices.tieDevice, { accounting_point_id, device_id: device, from: now() }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it("AP-030 is untied: its readings stay with the point, it is free for another one", async () => {
    const [point, other] = [await aPoint(), await aPoint()];
    const device = await tree.aDevice();
    const from = now() - 10 * day;
    await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from });
    const untie = (body: object) =>
      tree.ask(pointDevices.untieDevice, { accounting_point_id: point, device_id: device, ...body });

    const early = await untie({ to: from });
    await untie({ to: now() - day, last_value: 42 });
    const again = await untie({});
    const next = await tree.ask(pointDevices.tieDevice, { accounting_point_id: other, device_id: device });

    const [tie] = (await history(point)).devices;
    expect([early.code, again.code, next.status]).toEqual(["point_moment", "point_device_absent", 200]);
    expect([tie?.closing_value, (await get(point)).state]).toEqual([42, "no_device"]);
  });
});

describe("a replacement", () => {
  async function measured() {
    const point = await aPoint({ transformation_ratio: 40, valid_from: now() - 60 * day });
    const [old, next] = [await tree.aDevice(), await tree.aDevice()];
    await tree.ask(pointDevices.tieDevice, {
      accounting_point_id: point,
      device_id: old,
      from: now() - 60 * day,
      starting_value: 0,
    });
    const removed_at = now() - 2 * day;
    await read(old, removed_at - day, 76);
    await read(old, removed_at, 100);
    const body = {
      accounting_point_id: point,
      device_id: next,
      last_value: 100,
      starting_value: 7,
      removed_at,
      installed_at: removed_at + 3600,
    };
    return { point, old, next, body };
  }

  it("AP-018 AP-031 a device cannot replace itself: device_id is named and nothing changes", async () => {
    const { point, old, body } = await measured();

    const same = { ...body, device_id: old };
    const checked = await tree.ask(pointDevices.checkReplacement, same);
    const answer = await tree.ask(pointDevices.replaceDevice, same);

    expect([checked.status, answer.status]).toEqual([422, 422]);
    expect(answer.text).toContain("device_id");
    expect((await history(point)).devices).toHaveLength(1);
  });

  it("AP-031 closes the old device and opens the new one with both readings; the lane and the log know it", async () => {
    const { point, old, next, body } = await measured();

    const answer = await tree.ask(pointDevices.replaceDevice, { ...body, act: "118/26" });

    expect(answer.status, answer.text).toBe(200);
    const { devices, events, can_undo } = await history(point);
    expect(
      devices.map(({ device_id, closing_value, opening_value }) => [device_id, closing_value, opening_value]),
    ).toEqual([
      [old, 100, 0],
      [next, null, 7],
    ]);
    expect(devices[1]).toMatchObject({ meterless_sec: 3600, meterless_amount: null, act: "118/26" });
    expect([events.map(({ kind }) => kind), can_undo]).toEqual([["installed", "replaced"], true]);
    expect((await get(point)).device_id).toBe(next);
  });

  it("AP-031 adds the time without a meter by the load before, as entered, or not; an unknown load is refused", async () => {
    const { point, body } = await measured();
    const checked = await tree.ask(pointDevices.checkReplacement, { ...body, meterless: "load_before" });

    await tree.ask(pointDevices.replaceDevice, { ...body, meterless: "load_before" });

    // 24 of the register in a day, times 40: 40 an hour.
    expect(checked.data).toMatchObject({
      load_before: 40,
      meterless_sec: 3600,
      meterless_amount: 40,
      total_before: 4000,
      total_after: 4040,
      reading_before: 100,
      ratio: 40,
    });
    expect((await history(point)).devices[1]?.meterless_amount).toBe(40);
    const silent = await aPoint();
    await tree.ask(pointDevices.tieDevice, {
      accounting_point_id: silent,
      device_id: await tree.aDevice(),
      from: now() - 10 * day,
    });
    const unknown = await tree.ask(pointDevices.replaceDevice, {
      ...body,
      accounting_point_id: silent,
      device_id: await tree.aDevice(),
      meterless: "load_before",
    });
    expect([unknown.status, unknown.code]).toEqual([409, "point_load_unknown"]);
    expect((await history(silent)).devices).toHaveLength(1);
  });

  it("AP-031 a suspect reading tells nothing about the load, a closing reading below the last poll is said", async () => {
    const { old, body } = await measured();
    // A meter of several tariffs.
    await sql`update device set model_id = 120 where id = ${old}`.execute(tree.api.services.database.system);
    await read(old, body.removed_at - 600, 9e6, { status: "suspect" });

    const { data } = await tree.ask(pointDevices.checkReplacement, { ...body, last_value: 99 });

    expect(data.load_before).toBe(40);
    expect(data.closing.find(({ field }) => field === "tariff0")).toMatchObject({
      last_value: 100,
      difference: -1,
      verdict: "below",
    });
  });

  it("TRUST-018 a closing reading is compared with what the load before gives since the last poll", async () => {
    const { body } = await measured();
    // A register of 24 a day, read an hour before: one is expected.
    const later = { ...body, removed_at: body.removed_at + 3600, installed_at: body.removed_at + 3600 };
    const closing = async (last_value: number) => {
      const { data } = await tree.ask(pointDevices.checkReplacement, { ...later, last_value });
      return data.closing.find(({ field }) => field === "tariff0");
    };

    expect(await closing(101.2)).toMatchObject({ expected: 1, difference: 1.2, verdict: "ok" });
    expect(await closing(108)).toMatchObject({ expected: 1, difference: 8, verdict: "above" });
    const { data } = await tree.ask(pointDevices.checkReplacement, later);
    expect([data.removed_at, data.installed_at, data.closing_sum]).toEqual([
      ...[later.removed_at, later.installed_at, null],
    ]);
  });

  it("TRUST-018 a meter that tells only archives has a reading before and a load, and the newest of all counts", async () => {
    const { next, body } = await measured();
    const [old, point, start] = [
      await tree.aDevice(),
      await aPoint(),
      body.removed_at - (body.removed_at % day),
    ];
    await tree.ask(pointDevices.tieDevice, {
      ...{ accounting_point_id: point, device_id: old, from: start - 60 * day },
    });
    await read(old, start - 40 * day, 10, { msgType: 103 });
    const asked = { ...body, accounting_point_id: point, device_id: next, last_value: 99, removed_at: start };
    const check = async () => {
      const { data } = await tree.ask(pointDevices.checkReplacement, { ...asked, installed_at: start });
      const { last_value, last_at, verdict } = data.closing.find(({ field }) => field === "tariff0") ?? {};
      return [data.load_before, last_value, last_at, verdict];
    };

    expect(await check()).toEqual([null, 10, start - 40 * day, "ok"]);
    await read(old, start - day, 76, { msgType: 101 });
    await read(old, start, 100, { msgType: 101 });
    expect(await check()).toEqual([1, 100, start, "below"]);
    await read(old, start - 3600, 99, {});
    expect(await check()).toEqual([1, 100, start, "below"]);
  });

  it("TRUST-018 what a site draws is no measure of what it delivers", async () => {
    const { old, body } = await measured();
    await sql`update device set model_id = 101 where id = ${old}`.execute(tree.api.services.database.system);
    await read(old, body.removed_at, 100, { values: { tariff0: 100, tariff_negative0: 500 } });
    const later = { ...body, removed_at: body.removed_at + 3600, installed_at: body.removed_at + 3600 };

    const { data } = await tree.ask(pointDevices.checkReplacement, {
      ...later,
      ...{ last_value: 101, closing: { tariff_negative0: 520 } },
    });

    const exported = data.closing.find(({ field }) => field === "tariff_negative0");
    expect(exported).toMatchObject({ difference: 20, verdict: "ok" });
  });

  it("TRUST-018 an opening reading is compared with the first poll of the new meter", async () => {
    const { next, body } = await measured();
    await read(next, body.installed_at + 1800, 7.4);
    const opening = async (starting_value: number) => {
      const { data } = await tree.ask(pointDevices.checkReplacement, { ...body, starting_value });
      return data.opening.find(({ field }) => field === "tariff0");
    };

    expect(await opening(7)).toMatchObject({
      ...{ next_value: 7.4, next_at: body.installed_at + 1800, expected: 0.5, verdict: "ok" },
    });
    expect(await opening(7.5)).toMatchObject({ verdict: "beyond" });
  });

  it("AP-031 is undone as if it had never been; what it added goes too", async () => {
    const { point, old, next, body } = await measured();
    const before = (await history(point)).devices;
    await tree.ask(pointDevices.replaceDevice, { ...body, meterless: "entered", meterless_amount: 12.5 });

    await tree.ask(pointDevices.undoReplacement, { accounting_point_id: point });

    const after = await history(point);
    expect(after.devices).toEqual(before);
    expect(after.events.map(({ kind }) => kind)).toEqual(["installed"]);
    const { rows } = await sql`select from point_amount where point_id = ${point}`.execute(
      tree.api.services.database.system,
    );
    expect(rows).toEqual([]);
    const twice = await tree.ask(pointDevices.undoReplacement, { accounting_point_id: point });
    expect([twice.code, (await get(point)).device_id]).toEqual(["point_replacement_none", old]);
    expect(next).not.toBe(old);
  });

  it("readings of an interval are corrected, with its ends; overlaps are refused", async () => {
    const { point, body } = await measured();
    await tree.ask(pointDevices.replaceDevice, body);
    const [first, second] = (await history(point)).devices;
    const correct = (more: object) =>
      tree.ask(pointDevices.correctTie, {
        ...{ accounting_point_id: point, tie_number: first?.id ?? 0, reason: "Act 118/26" },
        ...more,
      });

    // The meter told 100 ten minutes later.
    const confirmed = { confirm: true, confirm_reason: "Act 118/26" };
    await correct({ closing: { tariff0: 101 }, to: body.removed_at - 600, ...confirmed });
    const over = await correct({ to: (second?.from ?? 0) + 600 });

    const [corrected] = (await history(point)).devices;
    expect([corrected?.closing_value, corrected?.to, over.code]).toEqual([
      101,
      body.removed_at - 600,
      "point_device_taken",
    ]);
  });
});

it("the trash of a device keeps the history of its point, and the point says so", async () => {
  const point = await aPoint();
  const device = await tree.aDevice();
  await tree.ask(pointDevices.tieDevice, {
    accounting_point_id: point,
    device_id: device,
    from: now() - day,
  });

  await tree.ask(deviceTrash.add, {}, { id: String(device) });

  expect((await get(point)).device).toMatchObject({ id: device, is_in_trash: true });
});
