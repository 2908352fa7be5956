import { accountingPoints, pointDevices, pointFiles, pointHistory } from "@metrum/contract/accounting";
import { readings } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { at, aReading } from "#testing/readings";
import { computeTotals } from "../totals/totalsJob.ts";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const day = 86_400;
const now = () => tree.api.services.clock.now();
/** The days of points once caches have expired and every mark is due. */
async function computed(): Promise<void> {
  const { services } = tree.api;
  for (let runs = 1; runs > 0;) {
    await sql`update point_due set due_at = 0, again_at = 0`.execute(system());
    runs = await computeTotals(services);
  }
}
const system = () => tree.api.services.database.system;

async function aPoint(more: object = {}): Promise<number> {
  const answer = await tree.ask(accountingPoints.create, {
    title: "Input",
    resource_type_id: 3,
    timezone: "Etc/UTC",
    ...more,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.accounting_point.id;
}
const read = (deviceId: number, ts: number, tariff0: number, more: object = {}) =>
  ingest(tree.api.services, [aReading({ deviceId: deviceId as DeviceId, ts, values: { tariff0 }, ...more })]);

describe("the history of a point", () => {
  it("TRUST-019 a register that was noted wrongly at a change of the ratio is corrected by sending it again", async () => {
    const from = now() - 10 * day;
    const point = await aPoint();
    const noted = async (reading: object) => {
      await tree.ask(pointDevices.setTerm, {
        ...{ accounting_point_id: point, kind: "ratio", number: 40, from },
        ...reading,
      });
      const { rows } = await sql<{ reading: object }>`
        select reading from point_term where point_id = ${point} and kind = 'ratio'`.execute(
        tree.api.services.database.system,
      );
      return rows.map((each) => each.reading);
    };

    expect(await noted({ reading: { tariff0: 1523 } })).toEqual([{ tariff0: 1523 }]);
    expect(await noted({})).toEqual([{ tariff0: 1523 }]);
    expect(await noted({ reading: { tariff0: 1253 } })).toEqual([{ tariff0: 1253 }]);
  });

  it("TRUST-011 tells how many days of a point, a branch or all are left to be recounted, without marks due later", async () => {
    const object = await tree.add("Recounted");
    const [left, other] = [await aPoint({ parent_id: object }), await aPoint()];
    const day0 = now() - 10 * day;
    for (const point of [left, other])
      await tree.ask(pointDevices.tieDevice, {
        accounting_point_id: point,
        device_id: await tree.aDevice(),
        from: day0,
      });
    await sql`delete from reading_due`.execute(system());
    await sql`delete from point_due`.execute(system());
    const mark = (point: number, from: number, due_at = 0) =>
      sql`insert into point_due (point_id, from_ts, to_ts, due_at) values (${point}, ${from}, ${now()}, ${due_at})`.execute(
        system(),
      );
    await mark(left, day0 - day);
    await mark(other, day0, 32_503_680_000);
    const progress = async (query: object) => {
      const { data } = await tree.api.ask(accountingPoints.progress, {
        token: await tree.api.token("engineer@metrum.example"),
        input: { query },
      });
      return data;
    };

    const all = await progress({});
    expect([all.points_left, all.days_left]).toEqual([1, 10]);
    expect(all.progress.find(({ work }) => work === "pointChanges")).toMatchObject({ due: 1, later: 1 });
    expect((await progress({ accounting_point_id: String(left) })).days_left).toBe(10);
    expect((await progress({ accounting_point_id: String(other) })).days_left).toBe(0);
    expect((await progress({ object_id: object })).days_left).toBe(10);
    await sql`update point_due set due_at = 0`.execute(system());
    expect((await progress({})).days_left).toBe(20);
    // A point that was never measured has no days, whatever was changed of it.
    await mark(await aPoint(), 0);
    expect((await progress({})).days_left).toBe(20);
    await sql`delete from point_due`.execute(system());
    expect((await progress({})).days_left).toBe(0);
  });

  it("REF-022 TRUST-019 has lanes of devices, ratios and events since its beginning", async () => {
    const from = now() - 40 * day;
    const point = await aPoint({ transformation_ratio: 20, valid_from: from });
    await tree.ask(pointDevices.setTerm, {
      accounting_point_id: point,
      kind: "ratio",
      number: 40,
      from: from + 10 * day,
      note: "200/5",
    });
    await tree.ask(pointHistory.addEvent, {
      accounting_point_id: point,
      kind: "verified",
      ts: from + 5 * day,
      note: "Seal 7",
    });

    const { data } = await tree.ask(pointHistory.history, { accounting_point_id: point });

    expect(data.ratios.map(({ from: since, ratio, source }) => [since, ratio, source])).toEqual([
      [null, 1, "none"],
      [from, 20, "point"],
      [from + 10 * day, 40, "point"],
    ]);
    expect(data.events).toMatchObject([{ kind: "verified", note: "Seal 7", is_entered: true }]);
    expect(data.terms.map(({ kind, title, note }) => [kind, title, note])).toEqual([
      ["ratio", "20", ""],
      ["ratio", "40", "200/5"],
    ]);
    await tree.ask(pointHistory.removeEvent, {
      accounting_point_id: point,
      event_number: data.events[0]?.id ?? 0,
    });
    const after = await tree.ask(pointHistory.history, { accounting_point_id: point });
    expect(after.data.events).toEqual([]);
  });
});

describe("numbers of a point", () => {
  /** March of 2026 in two parts: 100 to 160 with the ratio 40, then another device from 7 to 10. */
  async function march() {
    const [start, swap, end] = [
      at("2026-03-01T00:00:00Z"),
      at("2026-03-20T10:00:00Z"),
      at("2026-04-01T00:00:00Z"),
    ];
    const point = await aPoint({ transformation_ratio: 40, valid_from: start - 90 * day });
    const [old, next] = [await tree.aDevice(), await tree.aDevice()];
    await tree.ask(pointDevices.tieDevice, {
      accounting_point_id: point,
      device_id: old,
      from: start - 30 * day,
    });
    await read(old, start, 100);
    await read(old, swap - 3600, 158);
    await tree.ask(pointDevices.replaceDevice, {
      accounting_point_id: point,
      device_id: next,
      removed_at: swap,
      last_value: 160,
      starting_value: 7,
      ...{ act: "118/26", confirm: true, confirm_reason: "Act 118/26" },
      meterless: "entered",
      meterless_amount: 2.5,
      installed_at: swap + 1800,
    });
    await read(next, end, 10);
    await sql`
      insert into point_day (point_id, field, day, amount, gap_amount, gap_from, gap_day, gap_sec, estimated, length_sec,
        known_sec, start_value, end_value, ratio, status, flags, computed_at)
      values (${point}, 'main', '2026-03-20', 2402.5, null, null, null, null, 2.5, 86400, 86400, 100, 7, 40, 0, 1, 1),
        (${point}, 'main', '2026-03-31', 120, null, null, null, null, 0, 86400, 86400, 7, 10, 40, 0, 0, 2)
      on conflict (point_id, field, day) do update set amount = excluded.amount, estimated = excluded.estimated,
        computed_at = excluded.computed_at`.execute(system());
    return { point, old, next, swap, start, end };
  }

  it("TRUST-010 why this number: parts with readings, ratio, source and earlier versions add up to it", async () => {
    const { point, old, next, swap } = await march();
    // A correction of the last reading leaves its earlier version.
    await read(next, at("2026-04-01T00:00:00Z"), 11, { status: "corrected", userId: tree.fixture.ours.user });
    const ask = () => tree.ask(pointHistory.why, { accounting_point_id: point, month: "2026-03" });
    const { data: early } = await ask();
    await computed();

    const { data } = await ask();

    // The days of March do not count the correction yet.
    expect([early.total, early.is_behind, data.is_behind]).toEqual([2562.5, true, false]);
    expect(data.total).toBe(2562.5);
    expect(data.formula).toBe("sum");
    expect(
      data.parts.map(({ kind, device_id, register_growth, ratio, amount }) => [
        kind,
        device_id,
        register_growth,
        ratio,
        amount,
      ]),
    ).toEqual([
      ["device", old, 60, 40, 2400],
      ["amount", null, null, null, 2.5],
      ["device", next, 4, 40, 160],
    ]);
    const [first, , last] = data.parts;
    expect(first?.start).toMatchObject({ kind: "reading", value: 100, msg_type: 1, source: "polled" });
    expect(first?.end).toMatchObject({ kind: "closing", value: 160, ts: swap });
    expect(last?.start).toMatchObject({ kind: "opening", value: 7, act: "118/26" });
    expect(last?.end).toMatchObject({ kind: "reading", value: 11, status: "corrected", revisions: 1 });
    expect(data.earlier.map(({ value }) => value)).toEqual([10]);
  });

  it("TRUST-010 a suspect reading is no end of a part, a part without two readings is unknown, never zero", async () => {
    const start = at("2026-05-01T00:00:00Z");
    const point = await aPoint();
    const device = await tree.aDevice();
    await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from: start });
    await read(device, start + day, 5);
    await read(device, start + 2 * day, 9e6, { status: "suspect" });

    const month = await tree.ask(pointHistory.why, { accounting_point_id: point, month: "2026-05" });
    const empty = await tree.ask(pointHistory.why, { accounting_point_id: await aPoint(), month: "2026-05" });
    const wrong = await tree.ask(pointHistory.why, { accounting_point_id: point });

    expect([month.data.parts, month.data.total]).toEqual([[], null]);
    expect([empty.data.total, empty.data.parts, empty.data.formula]).toEqual([null, [], "none"]);
    expect(wrong.status).toBe(422);
  });

  it("TRUST-010 TRUST-026 a reset in between counts up to it and from it on, and nothing for the fall", async () => {
    const start = at("2026-06-01T00:00:00Z");
    const point = await aPoint();
    const device = await tree.aDevice();
    await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from: start });
    await read(device, start, 100);
    await read(device, start + 20 * day, 3, { status: "corrected", userId: tree.fixture.ours.user });
    const ask = async () =>
      (await tree.ask(pointHistory.why, { accounting_point_id: point, month: "2026-06" })).data;
    const unknown = await ask();

    await read(device, start + 10 * day, 130);
    await read(device, start + 11 * day, 1, { status: "corrected", userId: tree.fixture.ours.user });
    const known = await ask();

    expect([unknown.total, unknown.parts.map(({ reason, amount }) => [reason, amount])]).toEqual([
      null,
      [["reset", 0]],
    ]);
    expect([
      known.total,
      known.parts.map(({ reason, register_growth }) => [reason, register_growth]),
    ]).toEqual([
      32,
      [
        [null, 30],
        ["reset", null],
        [null, 2],
      ],
    ]);
  });

  it("TRUST-010 a reading entered as another type counts at its instant, in the day and in why", async () => {
    const start = at("2026-08-03T00:00:00Z");
    const point = await aPoint();
    const device = await tree.aDevice();
    await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from: start });
    await read(device, start, 100);
    await read(device, start + day, 110, { msgType: 100 });
    await read(device, start + 2 * day, 130);
    await computed();
    const enter = async (msgType: number, tariff0: number) => {
      const message = { datetime: start + day, tariff0 };
      const confirmed = { confirm: true, confirm_reason: "Read on the display" };
      await tree.ask(readings.dirtyOne, { device_id: device, msgType, message, ...confirmed });
      const { rows } = await sql<{ kind: number; due_at: number }>`
        select kind, due_at from reading_due where device_id = ${device} and kind = 1`.execute(system());
      await computed();
      const whys = ["2026-08-03", "2026-08-04"].map((name) =>
        tree.ask(pointHistory.why, { accounting_point_id: point, day: name }),
      );
      const [first, second] = (await Promise.all(whys)).map(({ data }) => data);
      return [
        rows,
        first?.total,
        ...[first?.parts[0]?.amount, first?.parts[0]?.end?.msg_type],
        second?.total,
        ...[second?.parts[0]?.amount, second?.parts[0]?.start?.msg_type],
      ];
    };
    const marked = [{ kind: 1, due_at: 0 }];

    expect(await enter(101, 112)).toEqual([marked, 12, 12, 101, 18, 18, 101]);
    expect(await enter(1, 115)).toEqual([marked, 15, 15, 1, 15, 15, 1]);
  });

  it("TRUST-010 TRUST-006 what counted before is shown when another row counts now", async () => {
    const start = at("2026-10-05T00:00:00Z");
    const end = start + day;
    const measured = async () => {
      const [point, device] = [await aPoint(), await tree.aDevice()];
      await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from: start });
      await read(device, start, 100, { receivedAt: start });
      await read(device, end - 3600, 118, { receivedAt: end - 3600 });
      const earlier = async () => {
        const { data } = await tree.ask(pointHistory.why, { accounting_point_id: point, day: "2026-10-05" });
        return [
          data.parts.at(-1)?.end?.value,
          data.earlier.map(({ value, reason, user }) => [value, reason, user !== null]),
        ];
      };
      return { device, earlier };
    };
    const own = { receivedAt: end };
    const given = { receivedAt: end + 10, source: "calculated", status: "estimated", isReleased: true };

    const other = await measured();
    await read(other.device, end, 120, own);
    expect(await other.earlier()).toEqual([120, []]);
    const message = { datetime: end, tariff0: 121 };
    const confirmed = { confirm: true, confirm_reason: "Read on the display" };
    await tree.ask(readings.dirtyOne, { device_id: other.device, msgType: 101, message, ...confirmed });
    expect(await other.earlier()).toEqual([121, [[120, "введено вручную", true]]]);

    const estimated = await measured();
    await read(estimated.device, end, 119.5, given);
    expect(await estimated.earlier()).toEqual([119.5, []]);
    await read(estimated.device, end, 120, { msgType: 100, receivedAt: end + 20 });
    expect(await estimated.earlier()).toEqual([120, [[119.5, "другое показание", false]]]);

    const refused = await measured();
    await read(refused.device, end, 999, own);
    const verdict = { status: "rejected", userId: tree.fixture.ours.user, isReleased: true, isVerdict: true };
    await read(refused.device, end, 999, { ...own, ...verdict, reason: "wrong display" });
    expect(await refused.earlier()).toEqual([118, [[999, "wrong display", true]]]);
  });

  it("TRUST-010 an archive that the days leave out is not the reading of a part", async () => {
    const start = at("2026-09-03T00:00:00Z");
    const point = await aPoint();
    const device = await tree.aDevice();
    await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from: start });
    await read(device, start, 100);
    await read(device, start + day - 3600, 123);
    await read(device, start + day, 199, { msgType: 101 });
    await read(device, start + day + 3600, 125);
    await read(device, start + 2 * day, 150, { msgType: 103 });
    await computed();

    const { data } = await tree.ask(pointHistory.why, { accounting_point_id: point, day: "2026-09-03" });
    const next = await tree.ask(pointHistory.why, { accounting_point_id: point, day: "2026-09-04" });

    const end = data.parts[0]?.end;
    expect([data.total, end?.kind, end?.value]).toEqual([24, "interpolated", 124]);
    expect(end?.around.map(({ value, msg_type }) => [value, msg_type])).toEqual([
      [123, 1],
      [125, 1],
    ]);
    expect(next.data.parts[0]?.end).toMatchObject({ value: 150, msg_type: 103 });
  });

  it("months say what is known of them, with the ratio and the number of devices", async () => {
    const { point } = await march();

    const { data } = await tree.ask(pointHistory.months, {
      accounting_point_id: point,
      months: 60,
      with_loss_factor: true,
    });

    const month = data.months.find(({ month: name }) => name === "2026-03");
    expect(month).toMatchObject({
      consumption: 2522.5,
      estimated: 2.5,
      ratio: 40,
      devices: 2,
      state: "partial",
    });
    expect([month?.known_sec, month?.length_sec, month?.loss]).toEqual([2 * day, 31 * day, null]);
  });
});

describe("months of a point whose meter was removed", () => {
  it("AP-030 TRUST-011 a month with half a tie expects only its days, and why says the same", async () => {
    const [start, end] = [at("2026-07-01T00:00:00Z"), at("2026-07-11T00:00:00Z")];
    const point = await aPoint();
    const device = await tree.aDevice();
    const named = { accounting_point_id: point, device_id: device };
    await tree.ask(pointDevices.tieDevice, { ...named, from: start - 30 * day });
    await tree.ask(pointDevices.untieDevice, { ...named, to: end });
    const known = async (days: number) => {
      await sql`insert into point_day (point_id, field, day, amount, length_sec, known_sec, computed_at)
        select ${point}, 'main', d::date, 1, 86400, 86400, 0
        from generate_series('2026-07-01'::date, '2026-07-01'::date + ${days - 1}::int, interval '1 day') d
        on conflict do nothing`.execute(system());
      const { data } = await tree.ask(pointHistory.months, { accounting_point_id: point, months: 60 });
      const month = data.months.find((each) => each.month === "2026-07");
      const why = await tree.ask(pointHistory.why, { accounting_point_id: point, month: "2026-07" });
      expect(why.data).toMatchObject({ known_sec: month?.known_sec, length_sec: month?.length_sec });
      return [month?.state, month?.known_sec, month?.length_sec];
    };

    expect(await known(9)).toEqual(["partial", 9 * day, 10 * day]);
    expect(await known(10)).toEqual(["complete", 10 * day, 10 * day]);
    const after = { accounting_point_id: point, day: "2026-07-11" };
    expect((await tree.ask(pointHistory.why, after)).data.length_sec).toBe(0);
  });
});

describe("files of a point", () => {
  const chunk = (name: string, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0, 0, 0, content.length]), Buffer.from(name), content, Buffer.alloc(4)]);
  const pngOf = (width: number, height: number, ...more: Buffer[]): Buffer => {
    const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return Buffer.concat([start, chunk("IHDR", header), ...more, chunk("IEND", Buffer.alloc(0))]);
  };
  const png = pngOf(80, 60);
  const upload = async (point: number, bytes: Buffer, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, text] of Object.entries(fields)) form.append(name, text);
    form.append("file", new Blob([new Uint8Array(bytes)]), "x.svg");
    const packed = new Response(form);
    const response = await tree.api.fastify.inject({
      method: "POST",
      url: `/api/objects/accounting_point/file/add/${String(point)}`,
      headers: {
        authorization: `Bearer ${tree.token}`,
        "content-type": packed.headers.get("content-type") ?? "",
      },
      payload: Buffer.from(await packed.arrayBuffer()),
    });
    return {
      status: response.statusCode,
      ...response.json<{ code?: string; attributes?: object; data: { file: { id: number } } }>(),
    };
  };

  it("AP-031 photographs are kept by their content, opened as they were, and deleted", async () => {
    const point = await aPoint();

    const kept = await upload(point, png, { name: "old-display.png", note: "before" });
    const { data } = await tree.ask(pointFiles.list, { accounting_point_id: point });
    const named = { accounting_point_id: point, file_number: kept.data.file.id };
    const opened = await tree.ask(pointFiles.get, named);
    await tree.ask(pointFiles.delete, named);

    expect(data.files).toMatchObject([
      { name: "old-display.png", type: "image/png", bytes: png.length, note: "before" },
    ]);
    expect(Buffer.from(opened.data.base64, "base64").equals(png)).toBe(true);
    expect((await tree.ask(pointFiles.get, named)).status).toBe(404);
  });

  it("AP-031 a photograph loses the notes of its camera, and its name what is no name", async () => {
    const point = await aPoint();
    const photograph = pngOf(80, 60, chunk("eXIf", Buffer.from("47.9184 N, 106.9177 E")));

    const kept = await upload(point, photograph, { name: "../\u202eold.exe" });
    const opened = await tree.ask(pointFiles.get, {
      accounting_point_id: point,
      file_number: kept.data.file.id,
    });

    expect(Buffer.from(opened.data.base64, "base64").equals(png)).toBe(true);
    expect(opened.data.file).toMatchObject({ name: "old.png", bytes: png.length });
  });

  it("AP-031 too many pixels, a picture that is cut off and a PDF with a script are refused at their field", async () => {
    const point = await aPoint();
    const script = Buffer.from("%PDF-1.7\n1 0 obj << /S /JavaScript /JS (app.alert(1)) >> endobj\n%%EOF");
    const refusal = async (bytes: Buffer) => {
      const { status, code, attributes } = await upload(point, bytes);
      return [status, code, Object.keys(attributes ?? {})];
    };

    expect(await refusal(pngOf(10_000, 5_001))).toEqual([422, "point_file_pixels", ["file"]]);
    expect(await refusal(png.subarray(0, -1))).toEqual([422, "point_file_type", ["file"]]);
    expect(await refusal(script)).toEqual([422, "point_file_script", ["file"]]);
  });

  it("other kinds, too many bytes and too many files are refused", async () => {
    const point = await aPoint();
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>");

    expect((await upload(point, svg)).code).toBe("point_file_type");
    expect((await upload(point, Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]))).code).toBe("too_large");
    await sql`insert into point_file (point_id, company_id, name, type, size, content)
      select ${point}, ${tree.api.companies.first}, 'n', 'image/png', 1, 'x' from generate_series(1, 20)`.execute(
      system(),
    );
    expect((await upload(point, png)).code).toBe("point_file_limit");
  });
});
