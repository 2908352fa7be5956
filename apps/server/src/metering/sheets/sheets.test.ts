import { pathOf } from "@metrum/contract/core";
import { sheetImports, type ImportedRow, type SheetKind } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devices } from "#metering/devices";
import { openTestApi, type TestApi } from "#testing/api";
import { takeBatch } from "./batch.ts";
import { nextGoing } from "./batchStore.ts";
import { takeSheets } from "./work.ts";

let api: TestApi;
let token: string;
let now = Date.UTC(2026, 10, 23) / 1000;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

async function upload(text: string, kind: SheetKind = "devices", as = token) {
  const body = { kind, file_name: "things.csv", text };
  const { data } = await api.ask(sheetImports.upload, { token: as, input: { body } });
  return data.import;
}

async function rehearse(text: string, kind: SheetKind = "devices", as = token) {
  const { id, mapping } = await upload(text, kind, as);
  await api.ask(sheetImports.rehearse, { token: as, input: { body: { id, mapping } } });
  await takeSheets(api.services);
  return found(id, as);
}

async function run(text: string, kind: SheetKind = "devices", as = token) {
  const { id } = (await rehearse(text, kind, as)).import;
  await api.ask(sheetImports.run, { token: as, input: { body: { id } } });
  await takeSheets(api.services);
  return found(id, as);
}

const found = async (id: number, as = token) =>
  (await api.ask(sheetImports.get, { token: as, input: { body: { id } } })).data;

async function rowsOf(id: number, more: object = {}): Promise<ImportedRow[]> {
  const body = { id, per_page: 2500, ...more };
  const { data } = await api.ask(sheetImports.rows, { token, language: "en", input: { body } });
  return data.rows.data;
}

const undo = (id: number) => api.ask(sheetImports.undo, { token, language: "en", input: { body: { id } } });

/** All rows of a table of the company, as texts. */
async function rowsIn(table: "device" | "gateway" | "base_station" | "audit"): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select t::text as row from ${sql.table(table)} t where company_id = ${api.companies.first} order by id`.execute(
    api.services.database.system,
  );
  return rows.map(({ row }) => row);
}

const heading = "Number;Name;Model;Place;Transformation ratio;Address on the line";
const meter = (n: number, more: Partial<Record<"number" | "model" | "ratio", string>> = {}) =>
  `${more.number ?? `N-${String(n)}`};Meter ${String(n)};${more.model ?? "SDM630-Modbus"};Entrance ${String(n)};${more.ratio ?? "1"};1`;
const file = (lines: readonly string[]) => [heading, ...lines].join("\n");

describe("XLS-012 DEV-034 a rehearsal", () => {
  test("TRUST-021 finds exactly the wrong rows with row, column and reason, and changes nothing", async () => {
    const lines = Array.from({ length: 620 }, (_, n) => meter(n));
    const planted: Record<number, [line: string, column: number, code: string]> = {};
    for (let n = 7; n < 600; n += 40)
      planted[n] = [
        [meter(n, { model: "Mercury 9" }), 2, "unknown_model"],
        [meter(n, { number: "" }), 0, "required"],
        [meter(n, { ratio: "1,O" }), 4, "ratio_needed"],
        [meter(n, { ratio: "-3" }), 4, "above"],
        [meter(n, { number: "n-3" }), 0, "same_in_file"],
      ][Math.floor(n / 40) % 5] as [string, number, string];
    for (const [n, [line]] of Object.entries(planted)) lines[Number(n)] = line;
    const before = [await rowsIn("device"), await rowsIn("audit")];

    const { import: rehearsed, reasons } = await rehearse(file(lines));

    const refused = await rowsOf(rehearsed.id, { outcome: "refused" });
    const wanted = Object.entries(planted).map(([n, [, column, code]]) => [Number(n) + 2, column, code]);
    expect(refused.map(({ row, faults }) => [row, faults[0]?.column, faults[0]?.code])).toEqual(wanted);
    expect(refused.every(({ faults }) => faults.length === 1)).toBe(true);
    expect(rehearsed).toMatchObject({
      state: "rehearsed",
      row_count: 620,
      done_count: 620,
      counts: { made: 605, changed: 0, same: 0, refused: 15 },
    });
    expect(reasons.map(({ column, code, count }) => [column, code, count]).toSorted()).toEqual([
      [0, "required", 3],
      [0, "same_in_file", 3],
      [2, "unknown_model", 3],
      [4, "above", 3],
      [4, "ratio_needed", 3],
    ]);
    expect(refused.find(({ faults }) => faults[0]?.code === "same_in_file")?.reason).toBe(
      "Number: the same number as in row 5",
    );
    expect([await rowsIn("device"), await rowsIn("audit")]).toEqual(before);
  });

  test("XLS-002 XLS-003 XLS-004 trims cells, takes empty, 0 and null as absent, and keeps a numeric 0", async () => {
    const { import: done } = await run(
      "Number;Name;Model;Place;Starting value;Address on the line\n  T-1 ; Trimmed ; 101 ; null ; 0 ;1\nT-2;Second;SDM630-Modbus;0;;2\n",
    );

    const { rows } = await sql<object>`
      select name, place, starting_value from device where "deviceID" in ('T-1', 'T-2') order by id`.execute(
      api.services.database.system,
    );
    expect(done.counts.made).toBe(2);
    expect(rows).toEqual([
      { name: "Trimmed", place: "", starting_value: 0 },
      { name: "Second", place: "", starting_value: 0 },
    ]);
  });

  test("shows former values of the columns that differ, and rows that change nothing", async () => {
    await run(file([meter(1, { number: "S-1" }), meter(2, { number: "S-2" })]));

    const { import: again } = await rehearse(
      "Number;Place;Transformation ratio\ns-1;Elsewhere;1\nS-2;Entrance 2;1\n",
    );

    const [first, second] = await rowsOf(again.id);
    expect(first).toMatchObject({ row: 2, outcome: "changed", before: [null, "Entrance 1", null] });
    expect(second).toMatchObject({ row: 3, outcome: "same", before: [null, null, null] });
  });

  test("needs a column for the number, and gives a field to one column", async () => {
    const { id } = await upload("A;B\n1;2\n");
    const ask = (mapping: (string | null)[]) =>
      api.ask(sheetImports.rehearse, { token, input: { body: { id, mapping } } });

    const answers = [await ask(["name", null]), await ask(["deviceID", "deviceID"]), await ask(["deviceID"])];

    expect(answers.map(({ status, code }) => [status, code])).toEqual(
      answers.map(() => [422, "wrong_input"]),
    );
  });
});

describe("XLS-013 a run", () => {
  test("stores what the rehearsal promised with an audit row each; the corrected errors follow, nothing twice", async () => {
    const audits = (await rowsIn("audit")).length;
    const { import: done } = await run(
      file([meter(1, { number: "R-1" }), meter(2, { number: "R-2", model: "X" })]),
    );
    const logged = (await rowsIn("audit")).length - audits;
    const response = await api.fastify.inject({
      method: "POST",
      url: `/api/${pathOf(sheetImports.rows)}`,
      headers: { authorization: `Bearer ${token}`, "accept-language": "en" },
      payload: {
        id: done.id,
        outcome: "refused",
        file: {
          format: "csv",
          title: "Refused rows",
          zone: "UTC",
          columns: [
            ...done.headers.map((title, at) => ({ title, of: [`cells.${String(at)}`] })),
            { title: "Reason", of: ["reason"] },
          ],
        },
      },
    });
    const errors = response.body;

    const { import: corrected } = await run(errors.replace(",X,", ",101,"));
    const { import: whole } = await run(file([meter(1, { number: "R-1" }), meter(2, { number: "R-2" })]));

    expect(done).toMatchObject({ state: "done", counts: { made: 1, refused: 1 } });
    // The row and the run.
    expect(logged).toBe(2);
    expect(errors).toContain("R-2,Meter 2,X,Entrance 2,1,1,Model: there is no such model");
    expect(corrected.counts).toEqual({ made: 1, changed: 0, same: 0, refused: 0 });
    expect(whole.counts).toEqual({ made: 0, changed: 0, same: 2, refused: 0 });
  });

  test("that was cut off repeats the batch that was not committed, and no other", async () => {
    const { id } = (
      await rehearse(file(Array.from({ length: 250 }, (_, n) => meter(n, { number: `K-${String(n)}` }))))
    ).import;
    await api.ask(sheetImports.run, { token, input: { body: { id } } });
    const next = await nextGoing(api.services.database.system);
    if (!next) throw new Error("no import in progress");
    const { database } = api.services;
    const dying = {
      ...api.services,
      database: {
        ...database,
        scoped: (...[scope, take]: Parameters<typeof database.scoped>) =>
          database.scoped(scope, async (db) => {
            await take(db);
            throw new Error("killed");
          }),
      },
    } as typeof api.services;

    await takeBatch(api.services, id, next.acting);
    const first = (await found(id)).import;
    await expect(takeBatch(dying, id, next.acting)).rejects.toThrow("killed");
    const second = (await found(id)).import;
    await takeSheets(api.services);

    expect([first.done_count, second.done_count]).toEqual([200, 200]);
    expect((await found(id)).import).toMatchObject({ state: "done", done_count: 250, counts: { made: 250 } });
    const { rows } = await sql<{ n: number; numbers: number }>`
      select count(*)::int as n, count(distinct "deviceID")::int as numbers from device where "deviceID" like 'K-%'`.execute(
      database.system,
    );
    expect(rows).toEqual([{ n: 250, numbers: 250 }]);
  });

  test("that fails again and again is interrupted, and its user continues it", async () => {
    const { id } = (await rehearse(file([meter(1, { number: "I-1" })]))).import;
    await api.ask(sheetImports.run, { token, input: { body: { id } } });
    const failing = {
      ...api.services,
      database: { ...api.services.database, scoped: () => Promise.reject(new Error("broken")) },
    } as typeof api.services;
    await takeSheets(failing);
    const { state } = (await found(id)).import;

    await api.ask(sheetImports.run, { token, input: { body: { id } } });
    await takeSheets(api.services);

    expect(state).toBe("interrupted");
    expect((await found(id)).import).toMatchObject({ state: "done", counts: { made: 1 } });
  });

  test("holds the rights of each call: who may only change things makes none", async () => {
    await run(file([meter(1, { number: "P-1" })]));
    const operator = await api.token("operator@metrum.example");

    const { import: done } = await run(
      "Number;Name;Model;Address on the line\nP-1;By the operator;;\nP-2;New;101;1\n",
      "devices",
      operator,
    );

    expect(done.counts).toEqual({ made: 0, changed: 1, same: 0, refused: 1 });
    expect((await rowsOf(done.id, { outcome: "refused" }))[0]?.faults).toMatchObject([
      { column: null, code: "right_missing" },
    ]);
  });
});

describe("an undo", () => {
  test("TRUST-021 restores the tables byte for byte; things that were removed go with their traces", async () => {
    await run(file([meter(1, { number: "U-1" }), meter(2, { number: "U-2" })]));
    const before = await rowsIn("device");
    const { import: done } = await run(
      "Number;Name;Model;Place;Poll period, s;Time zone;Active;Address on the line\nU-1;Other;101;There;7200;Asia/Tokyo;no;9\nU-3;New;101;;;;;1\n",
    );
    const between = await rowsIn("device");

    const { data } = await undo(done.id);

    const stop = await devices.worker?.(api.services);
    await expect.poll(() => rowsIn("device"), { timeout: 20_000 }).toEqual(before);
    await stop?.();
    expect(between).not.toEqual(before);
    expect(done.counts).toEqual({ made: 1, changed: 1, same: 0, refused: 0 });
    expect(data.import).toMatchObject({ state: "undone", undone_at: now });
  });

  test("of gateways and base stations restores them too", async () => {
    const before = [await rowsIn("gateway"), await rowsIn("base_station")];
    const stations = (await run("Name;Number;Radius, m\nRoof;EUI-1;4000\n", "base_stations")).import;
    const gateways = (
      await run("Name;Number;Model;Base station;Phone\nGW-0117;35630704;601;roof;+97699112233\n", "gateways")
    ).import;
    const changed = (await run("Number;Name\n3563 0704;Other\n", "gateways")).import;

    expect([stations, gateways, changed].map(({ counts }) => [counts.made, counts.changed])).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
    ]);
    // The station is in use by the gateway, and the gateway was changed since.
    expect((await undo(stations.id)).code).toBe("sheet_changed_since");
    expect((await undo(gateways.id)).code).toBe("sheet_changed_since");
    for (const { id } of [changed, gateways, stations]) expect((await undo(id)).status).toBe(200);
    expect([await rowsIn("gateway"), await rowsIn("base_station")]).toEqual(before);
  });

  test("of an import made before its table got a column restores what there was", async () => {
    const { system } = api.services.database;
    await run("Name;Number;Model\nOld;35630799;601\n", "gateways");
    const before = await rowsIn("gateway");
    const { import: done } = await run("Name;Number;Model\nNew;35630799;\nOther;35630798;601\n", "gateways");
    await sql`
      update sheet_import_row r set before = before - '{is_archived,control_port,poll_pause,dlms_wrapper}'::text[],
        after_hash = (select md5((to_jsonb(g) - '{last_session_at,is_archived,control_port,poll_pause,dlms_wrapper,search}'::text[])::text) from gateway g where g.id = r.thing_id)
      where import_id = ${done.id}`.execute(system);
    const archive = (is_archived: boolean) =>
      sql`update gateway set is_archived = ${is_archived} where device_id = '35630798'`.execute(system);

    await archive(true);
    const changed = await undo(done.id);
    await archive(false);
    const undone = await undo(done.id);

    expect([changed.code, undone.status]).toEqual(["sheet_changed_since", 200]);
    expect(await rowsIn("gateway")).toEqual(before);
  });

  test("is refused with the rows whose things were changed or used since, and changes nothing", async () => {
    const { import: done } = await run(file([1, 2, 3, 4].map((n) => meter(n, { number: `C-${String(n)}` }))));
    await sql`update device set place = 'moved' where "deviceID" = 'C-2'`.execute(
      api.services.database.system,
    );
    await sql`insert into device_attribute (company_id, device_id, name, value)
      select company_id, id, 'floor', '2' from device where "deviceID" = 'C-3'`.execute(
      api.services.database.system,
    );
    await sql`insert into device_schedule (company_id, device_id, rules)
      select company_id, id, '{}' from device where "deviceID" = 'C-4'`.execute(api.services.database.system);
    const before = await rowsIn("device");

    const { status, code, attributes } = await undo(done.id);

    expect([status, code]).toEqual([409, "sheet_changed_since"]);
    expect(attributes).toEqual({
      "3": ["Meter 2 was changed or is in use"],
      "4": ["Meter 3 was changed or is in use"],
      "5": ["Meter 4 was changed or is in use"],
    });
    expect(await rowsIn("device")).toEqual(before);
    expect((await found(done.id)).import.state).toBe("done");
  });
});

describe("columns and files", () => {
  test("XLS-016 gateways and base stations get their pause between polls, and a wrong one is refused", async () => {
    const pauses = async (kind: "gateways" | "base_stations", rows: readonly string[]) => {
      const { import: done } = await run(
        ["Number;Name;Model;Pause between polls, s", ...rows].join("\n"),
        kind,
      );
      const refused = await rowsOf(done.id, { outcome: "refused" });
      return refused.map(({ row, faults }) => [row, faults[0]?.column, faults[0]?.code]);
    };

    const refused = [
      await pauses("gateways", ["35630711;Paused;601;30", "35630712;Wrong;601;3601", "35630713;None;601;0"]),
      await pauses("base_stations", ["EUI-11;Paused;;5", "EUI-12;Wrong;;often"]),
    ];

    const { rows } = await sql<object>`
      select name, poll_pause from gateway where device_id like '3563071_' union all
      select name, poll_pause from base_station where device_id like 'EUI-1_' order by 2 desc`.execute(
      api.services.database.system,
    );
    expect(rows).toEqual([
      { name: "Paused", poll_pause: 30 },
      { name: "Paused", poll_pause: 5 },
      { name: "None", poll_pause: 0 },
    ]);
    expect(refused).toEqual([[[3, 3, "large"]], [[3, 3, "number_needed"]]]);
  });

  test("XLS-016 a template has the headings of the user's language, and is read back as it is", async () => {
    const { data } = await api.ask(sheetImports.template, {
      token,
      language: "mn",
      input: { body: { kind: "gateways" } },
    });
    const response = await api.fastify.inject({
      method: "POST",
      url: `/api/${pathOf(sheetImports.template)}`,
      headers: { authorization: `Bearer ${token}` },
      payload: {
        kind: "gateways",
        file: {
          format: "xlsx",
          title: "Template",
          zone: "UTC",
          columns: data.fields.map(({ title }, at) => ({ title, of: [`cells.${String(at)}`] })),
        },
      },
    });
    const form = new FormData();
    form.set("kind", "gateways");
    form.set("file_name", "template.xlsx");
    form.set("file", new Blob([Uint8Array.from(response.rawPayload)]), "template.xlsx");
    const encoded = new Response(form);

    const answer = await api.fastify.inject({
      method: "POST",
      url: `/api/${pathOf(sheetImports.upload)}`,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": encoded.headers.get("content-type") ?? "",
      },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });

    const uploaded = answer.json<{ data: { import: { mapping: string[]; row_count: number } } }>().data
      .import;
    expect(data.fields[0]?.title).toBe("Нэр");
    expect(uploaded.mapping).toEqual(data.fields.map(({ field }) => field));
    expect(uploaded.row_count).toBe(1);
  });

  test("columns are remembered by their headings", async () => {
    const { id, mapping } = await upload("Заводской;Как зовут\nM-1;Счётчик\n");
    const body = { id, mapping: ["deviceID", "name"] };
    await api.ask(sheetImports.rehearse, { token, input: { body } });
    await takeSheets(api.services);

    expect(mapping).toEqual([null, null]);
    expect((await upload("Как зовут;Другое;Заводской\nA;B;C\n")).mapping).toEqual(["name", null, "deviceID"]);
  });

  test.each([
    ["", "there are no rows below the headings"],
    ["Number;Name\n", "there are no rows below the headings"],
    [`Number${";A".repeat(95)}\n1`, "too many columns"],
    ['Number\n"1', "the file cannot be read as a table"],
  ])("a file that is no table is refused with its reason (%j)", async (text, reason) => {
    const { status, code, attributes } = await api.ask(sheetImports.upload, {
      token,
      language: "en",
      input: { body: { kind: "devices", file_name: "bad.csv", text } },
    });

    expect([status, code, attributes]).toEqual([422, "sheet_refused", { file: [reason] }]);
  });

  test("headings that mean something to a program are plain data", async () => {
    const { headers, mapping } = await upload("__proto__;constructor;Number\n1;2;3\n");

    expect(headers).toEqual(["__proto__", "constructor", "Number"]);
    expect(mapping).toEqual([null, null, "deviceID"]);
  });

  test("a company keeps its last ten imports for 30 days", async () => {
    for (let n = 0; n < 11; n += 1) await upload(`Number\nQ-${String(n)}\n`);
    const { data } = await api.ask(sheetImports.list, { token });
    now += 31 * 86_400;
    await takeSheets(api.services);
    const after = await api.ask(sheetImports.list, { token: await api.token("engineer@metrum.example") });

    expect(data.imports).toHaveLength(10);
    expect(after.data.imports).toEqual([]);
  });
});
