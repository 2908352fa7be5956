import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoPlan } from "@metrum/simulator";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importBounds } from "@metrum/contract/metering";
import { sources, statuses, type DeviceId } from "@metrum/vocabulary";
import { faultWords } from "#core";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { importFolder } from "./folder.ts";
import { bookOf, formatted } from "#testing/books";
import { parseReadings } from "./parse.ts";
import type { ImportError } from "./found.ts";

const meter = demoPlan(1).devices.find(({ modelId }) => modelId === 101);
if (!meter) throw new Error("no meter in the plan");

let clockSec = 0;
let api: TestApi;
let id: number;
let token: string;
const root = mkdtempSync(join(tmpdir(), "metrum-import-"));

beforeAll(async () => {
  api = await openTestApi({ clock: { monotonicMs: () => clockSec * 1000 } });
  const park = { gateways: [], baseStations: [] };
  const { gateway: _, ...lone } = meter;
  [id = 0] = await registerPark(api.services.database, api.companies.first, {
    ...park,
    devices: [{ ...lone, deviceID: "M-1" }],
  });
  await registerPark(api.services.database, api.companies.second, {
    ...park,
    devices: [{ ...lone, deviceID: "theirs" }],
  });
  token = await api.token("engineer@metrum.example");
});
afterAll(async () => {
  await api.close();
  rmSync(root, { recursive: true });
});

let senders = 0;

/** Each upload comes from its own address: requests of one address are limited. */
async function upload(text: string | Uint8Array, by = token) {
  senders += 1;
  const form = new FormData();
  form.append("file", new Blob([typeof text === "string" ? text : Buffer.from(text)]), "readings.csv");
  const request = new Request("http://metrum.example", { method: "POST", body: form });
  const answer = await api.fastify.inject({
    method: "POST",
    url: "/api/device/messages/import_file",
    remoteAddress: `192.0.2.${String(senders % 250)}`,
    headers: {
      ...{ authorization: `Bearer ${by}`, "accept-language": "en" },
      "content-type": request.headers.get("content-type") ?? "",
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    ...answer.json<{ data: Record<string, number>; attributes: object }>(),
  };
}

const stored = async () => {
  const { rows } = await sql<{ ts: number; source: number }>`
    select ts, source from message where device_id = ${id} order by ts`.execute(api.services.database.system);
  return rows;
};

const csv = "deviceID;time;tariff0\r\nM-1;2026-11-01T00:00:00Z;12,5\r\nm-1;1793494800;13\r\n";

test("a CSV file becomes readings; the same file again changes nothing", async () => {
  const first = await upload(csv);
  const again = await upload(csv);

  expect([first.status, first.data]).toMatchObject([200, { readings: 2, devices: 1, stored: 2 }]);
  expect([again.status, again.data["stored"]]).toEqual([200, 0]);
  expect(await stored()).toEqual([
    { ts: 1_793_491_200, source: 3 },
    { ts: 1_793_494_800, source: 3 },
  ]);
});

test("the JSON of a push is accepted as a file too", async () => {
  const { status, data } = await upload(
    JSON.stringify({ readings: [{ device_id: id, time: 1_793_498_400, values: { tariff0: 14 } }] }),
  );

  expect([status, data["stored"]]).toEqual([200, 1]);
});

test("TRUST-030 one invalid row refuses the whole file, with the errors by row; foreign devices count as unknown", async () => {
  const before = await stored();
  const { status, attributes } = await upload(
    [
      "deviceID,time,tariff0,in1",
      "M-1,1793502000,15,",
      "theirs,1793502000,1,",
      "M-1,yesterday,1,",
      "M-1,1793502000,x,",
      "M-1,1793502000,1000000000000000.123,",
    ].join("\n"),
  );
  const foreign = await upload("deviceID,time,tariff0\ntheirs,1793502000,1\nM-1,1793502000,1");

  expect([status, attributes]).toEqual([
    422,
    {
      "line 4": ["time: neither epoch seconds nor a date with a time"],
      "line 5": ["tariff0: a number is needed"],
      "line 6": ["tariff0: more digits than can be stored"],
    },
  ]);
  expect([foreign.status, foreign.attributes]).toEqual([422, { "line 2": ["no such device, or several"] }]);
  expect(await stored()).toEqual(before);
});

test("a user with the right to read only may not import; a file that is not text is refused", async () => {
  const reader = await upload(csv, await api.token("viewer@metrum.example"));
  const binary = await upload(Uint8Array.of(0xff, 0xfe, 0x00));

  expect([reader.status, binary.status]).toEqual([403, 422]);
});

test("files in a folder are read once when they are complete, and moved to done or failed with the reason", async () => {
  const folder = join(root, `c${String(api.companies.first)}`);
  const seen = new Map<string, string>();
  mkdirSync(folder);
  writeFileSync(join(folder, "good.csv"), "deviceID,time,tariff0\nM-1,1793505600,16\n");
  writeFileSync(join(folder, "bad.csv"), "deviceID,time,tariff0\nM-9,1793505600,16\n");
  writeFileSync(join(folder, "half.csv.part"), "deviceID");
  symlinkSync("/etc/hostname", join(folder, "link.csv"));
  await importFolder(api.services, root, seen);
  expect(readdirSync(folder)).toHaveLength(4);

  await importFolder(api.services, root, seen);
  await importFolder(api.services, root, seen);

  expect(readdirSync(folder)).toEqual(["done", "failed", "half.csv.part"]);
  expect(readdirSync(join(folder, "done"))).toEqual([expect.stringMatching(/_good\.csv$/)]);
  const failed = readdirSync(join(folder, "failed"));
  expect(failed).toHaveLength(4);
  const reason = failed.find((name) => name.endsWith("bad.csv.txt")) ?? "";
  expect(readFileSync(join(folder, "failed", reason), "utf8")).toContain(
    "line 2: no such device, or several",
  );
  expect(await stored()).toHaveLength(4);
  const { rows } = await sql<{ result: string }>`
    select result from audit where action = 'readings.import' and user_id is null order by id`.execute(
    api.services.database.system,
  );
  expect(rows.map(({ result }) => result)).toEqual(["import_refused", "ok", "import_refused"]);
});

test.each([
  ["nothing but opening brackets", "[".repeat(19 * 1024 * 1024), { file: ["nested too deeply"] }],
  ["nothing but commas", ",".repeat(19 * 1024 * 1024), { file: ["a line is too long"] }],
  [
    "a header of a thousand columns",
    `deviceID,time,${"tariff0,".repeat(1000)}\n`,
    { file: ["too many columns"] },
  ],
  [
    "a row of commas below a good header",
    `deviceID,time,tariff0\nM-1,1793491200,1${",".repeat(60_000)}\nM-1,1793491200,1`,
    { "line 2": ["more cells where the header has 3"] },
  ],
  [
    "values by the million that are none",
    `[${"{},".repeat(6 * 1024 * 1024)}{}]`,
    { file: ["at most 10000 items"] },
  ],
])("%s is refused by a thread of its own", async (_, text, expected) => {
  const { status, attributes } = await upload(text);

  expect([status, attributes]).toEqual([422, expected]);
});

test("a company sends three of the largest files a minute; the fourth is refused with the time to wait, another company's is not", async () => {
  const large = "[".repeat(importBounds.fileBytes - 1024);
  clockSec += 60;
  const other = await api.token("engineer2@metrum.example");

  for (let n = 0; n < 3; n++) expect((await upload(large)).status).toBe(422);
  const fourth = await upload(large);
  expect([fourth.status, Number(fourth.headers["retry-after"])]).toEqual([429, 20]);
  expect((await upload(large, other)).status).toBe(422);

  clockSec += 20;
  expect((await upload(large)).status).toBe(422);
});

test("a large file whose sender goes away leaves room for the next one", async () => {
  clockSec += 60;
  const { port } = new URL(await api.fastify.listen({ host: "127.0.0.1", port: 0 }));
  const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`;
  const begin = async () => {
    const received = once(api.fastify.server, "request");
    const sender = connect(Number(port), "127.0.0.1");
    sender.write(
      `POST /api/device/messages/import_file HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
        `content-type: multipart/form-data; boundary=x\r\ncontent-length: 2000000\r\n\r\n${head}deviceID`,
    );
    await received;
    return sender;
  };
  let socket = await begin();
  const large = `deviceID;time\r\n${"x".repeat(1_500_000)}`;
  const statusBeside = async () => {
    // Refused if the other one arrived first.
    if (socket.bytesRead > 0) socket = await begin();
    return (await upload(large)).status;
  };
  await expect.poll(statusBeside, { timeout: 60_000 }).toBe(429);

  socket.destroy();

  await expect.poll(async () => (await upload(large)).status, { timeout: 60_000 }).toBe(422);
});

test("any file becomes rows or errors", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.string().map((text) => `deviceID,time,tariff0\n${text}`),
      ),
      (text) => {
        const { rows, errors } = parseReadings(Buffer.from(text));
        expect(rows.every(({ at }) => Number.isInteger(at))).toBe(true);
        expect(errors.every(({ place }) => place !== "")).toBe(true);
      },
    ),
  );
});

test("TRUST-028 values of a file that contradict what the meter has said are suspect and replace nothing", async () => {
  const system = api.services.database.system;
  const start = Date.parse("2025-03-01T00:00:00Z") / 1000;
  await ingest(
    api.services,
    [100, 110, 120, 130].map((tariff0, n) => ({
      deviceId: id as DeviceId,
      msgType: 1,
      ts: start + n * 3600,
      receivedAt: start + n * 3600,
      source: "polled" as const,
      values: { tariff0 },
    })),
  );
  const at = (minute: number) => new Date((start + minute * 60) * 1000).toISOString();
  const file = [
    "deviceID;time;tariff0",
    ...[
      [30, 105],
      [90, 999],
      [120, 121],
      [150, 3],
    ].map(([minute = 0, value = 0]) => `M-1;${at(minute)};${String(value)}`),
  ];

  const { status, data } = await upload(file.join("\n"));

  const { rows } = await sql<{ minute: number; value: number; status: number }>`
    select ((m.ts - ${start}) / 60)::int as minute, m.v[array_position(s.fields, 'tariff0')] as value, m.status
    from message m join field_set s on s.id = m.field_set_id
    where device_id = ${id} and msg_type = 1 and ts between ${start + 1} and ${start + 10_799} order by ts`.execute(
    system,
  );
  expect([status, data["suspect"]]).toEqual([200, 3]);
  expect(rows.map(({ minute, value, status: of }) => [minute, value, of])).toEqual([
    [30, 105, statuses.measured.id],
    [60, 110, statuses.measured.id],
    [90, 999, statuses.suspect.id],
    [120, 120, statuses.measured.id],
    [150, 3, statuses.suspect.id],
  ]);
});

test("TRUST-028 a meter that is read once a year is checked against its nearest readings, whatever their age", async () => {
  const read = (month: string, tariff0: number, status: "measured" | "suspect" = "measured") => ({
    deviceId: id as DeviceId,
    msgType: 1,
    ts: atDay(`${month}-01T00:00:00Z`),
    receivedAt: atDay(`${month}-01T00:00:00Z`),
    source: "polled" as const,
    values: { tariff0 },
    status,
  });
  const doubted = ["2022-02", "2022-03", "2022-04", "2022-05", "2022-07", "2022-08", "2022-09", "2022-10"];
  await ingest(api.services, [
    read("2021-01", 10),
    read("2022-01", 20),
    ...doubted.map((month) => read(month, 7, "suspect")),
    read("2023-01", 30),
    read("2024-01", 40),
  ]);
  const rows = [
    ["2021-07", 15],
    ["2021-08", 9],
    ["2022-06", 31],
    ["2023-05", 29],
    ["2023-06", 35],
    // Nothing is known before it.
    ["2020-06", 3],
  ].map(([month = "", value = 0]) => `M-1;${String(month)}-01T00:00:00Z;${String(value)}`);

  const { status, data } = await upload(["deviceID;time;tariff0", ...rows].join("\n"));

  const { rows: suspects } = await sql<{ at: number }>`
    select ts as at from message where device_id = ${id} and msg_type = 1 and status = ${statuses.suspect.id}
      and source = ${sources.imported} and ts < ${atDay("2024-01-01T00:00:00Z")} order by ts`.execute(
    api.services.database.system,
  );
  expect([status, data["suspect"]]).toEqual([200, 3]);
  expect(suspects.map(({ at }) => new Date(at * 1000).toISOString().slice(0, 7))).toEqual([
    "2021-08",
    "2022-06",
    "2023-05",
  ]);
});

test("XLS-002 headings of the trade are those of every import, and a line that counts the columns is none of the rows", () => {
  const file = [
    "Ведомость показаний;;;",
    '"Зав.\n№ прибора";"Дата снятия\nпоказаний";tariff0;tariff1',
    "1;2;3;4",
    "00140725;22.11.2026 00:00:00;12,5;",
  ];

  const { rows, errors } = parseReadings(Buffer.from(file.join("\n")));

  expect(errors).toEqual([]);
  expect(rows).toMatchObject([
    { device: { number: "00140725" }, clock: "device", values: { tariff0: 12.5 } },
  ]);
});

test("XLS-017 a zone in the heading of the times is not overlooked", () => {
  const { rows, errors } = parseReadings(Buffer.from("deviceID;Время (UTC+3);tariff0\nM-1;22.11.2026;1\n"));

  expect(rows).toEqual([]);
  expect(wordsOf(errors)).toEqual([["line 1", "time: there is no such column"]]);
});

const wordsOf = (errors: readonly ImportError[]) =>
  errors.map(({ place, fault }) => [place, faultWords(fault, "en")]);

const atDay = (text: string): number => Date.parse(text) / 1000;

/** Times and values of the device in December 2026. */
async function inDecember(): Promise<(readonly [number, number])[]> {
  const { rows } = await sql<{ ts: number; value: number }>`
    select m.ts, m.v[array_position(s.fields, 'tariff0')] as value from message m join field_set s on s.id = m.field_set_id
    where device_id = ${id} and ts between ${atDay("2025-11-30T00:00:00Z")} and ${atDay("2025-12-31T00:00:00Z")} order by ts`.execute(
    api.services.database.system,
  );
  return rows.map(({ ts, value }) => [ts, value]);
}

test("XLS-017 date cells and dates without a zone are taken in the zone of the device, from every kind of file", async () => {
  await sql`update device set timezone = 'Asia/Ulaanbaatar' where id = ${id}`.execute(
    api.services.database.system,
  );
  const day = (number: number) => atDay(`2025-12-0${String(number)}T00:00:00+08:00`);
  const rows = [
    ["Показания на начало суток"],
    ["Зав. №", "Дата", "tariff0"],
    ["M-1", formatted(45_992, "dd.mm.yyyy"), 20_001.5],
    ["M-1", formatted(45_993.5, "dd.mm.yyyy hh:mm"), 20_002],
  ];
  const text = (at: string, value: string) => `deviceID\ttime\ttariff0\r\nM-1\t${at}\t${value}\r\n`;

  const statuses = [
    (await upload(bookOf(rows))).status,
    (
      await upload(
        bookOf([rows[1] ?? [], ["M-1", formatted(45_994, "yyyy-mm-dd"), 20_003]], { type: "biff8" }),
      )
    ).status,
    (await upload(text("04.12.2025 00:00:00", "20004,25").replaceAll("\t", ";"))).status,
    (await upload(Buffer.from(`\ufeff${text("05.12.2025 0:00", "20005,5")}`, "utf16le"))).status,
    (await upload(text("2025-12-06", "20006"))).status,
  ];

  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  expect(await inDecember()).toEqual([
    [day(1), 20_001.5],
    [day(2) + 43_200, 20_002],
    [day(3), 20_003],
    [day(4), 20_004.25],
    [day(5), 20_005.5],
    [day(6), 20_006],
  ]);
});

test("XLS-017 an hour that the clock of the device skips or shows twice is refused, and so are impossible dates", async () => {
  await sql`update device set timezone = 'Europe/Berlin' where id = ${id}`.execute(
    api.services.database.system,
  );
  const lines = [
    "30.03.2025 02:30",
    "26.10.2025 02:30",
    "31.04.2025",
    "2025-02-29 00:00",
    "01.01.2025 24:00",
    "45992",
  ];
  const before = await stored();

  const { status, attributes } = await upload(
    ["deviceID;time;tariff0", ...lines.slice(0, 2).map((time) => `M-1;${time};30000`)].join("\n"),
  );
  const impossible = await upload(
    ["deviceID;time;tariff0", ...lines.slice(2).map((time) => `M-1;${time};30000`)].join("\n"),
  );

  expect([status, attributes]).toEqual([
    422,
    {
      "line 2": ["time: does not exist in Europe/Berlin, where the clock was put forward"],
      "line 3": ["time: occurs twice in Europe/Berlin: give it with its zone"],
    },
  ]);
  expect(Object.values(impossible.attributes)).toEqual(
    lines.slice(2).map(() => ["time: neither epoch seconds nor a date with a time"]),
  );
  expect(await stored()).toEqual(before);
  await sql`update device set timezone = null where id = ${id}`.execute(api.services.database.system);
});

test("TRUST-028 values have groups of three and a decimal mark, and one that may be two refuses the file by its row", () => {
  const values = ["12\u202f345,5", "12 345.5", "12,345.5", "12,5", "12,345", "0,345", "12 34", "-1,234,567"];
  const text = (separator: string) =>
    ["deviceID|time|tariff0", ...values.map((value) => `M-1|1793491200|"${value}"`)]
      .join("\n")
      .replaceAll("|", separator);
  const readOf = (file: Uint8Array) => {
    const { rows, errors } = parseReadings(file);
    return [rows.map((row) => row.values.tariff0), wordsOf(errors)];
  };
  const numbers = [12_345.5, 12_345.5, 12_345.5, 12.5];
  const unsure =
    "tariff0: “12,345” may be thousands or a fraction: write the first without a comma, the second with a point";
  const refused = ["line 8", "tariff0: a number is needed"];
  const inBook = bookOf([
    ["deviceID", "time", "tariff0"],
    ...values.map((value) => ["M-1", 1_793_491_200, value]),
  ]);

  expect(readOf(Buffer.from(text(";")))).toEqual([[...numbers, 12.345, 0.345, -1_234_567], [refused]]);
  for (const file of [Buffer.from(text(",")), inBook])
    expect(readOf(file)).toEqual([
      [...numbers, 0.345, -1_234_567],
      [["line 6", unsure], refused],
    ]);
});

test("XLS-017 a number that the spreadsheet has rounded, an error cell and a hole refuse the file by their row", () => {
  const rows = [
    ["deviceID", "time", "tariff0"],
    [8.970_102_030_405_06e19, 1_793_491_200, 1],
    [12.5, 1_793_491_200, 1],
    ["M-1", 1_793_491_200, { t: "e" as const, v: 42 }],
    ["M-1", 1_793_491_200],
    ["M-1", 46_000, 1],
  ];

  const read = parseReadings(bookOf(rows));

  const rounded = "deviceID: the spreadsheet has rounded the number: make the cell text and enter it again";
  expect(read.rows).toEqual([]);
  expect(wordsOf(read.errors)).toEqual([
    ["line 2", rounded],
    ["line 3", rounded],
    ["line 4", "tariff0: a number is needed"],
    ["line 5", "no value"],
    ["line 6", "time: neither epoch seconds nor a date with a time"],
  ]);
});
