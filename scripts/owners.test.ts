import { basename } from "node:path";
import { expect, it } from "vitest";
import {
  anyTable,
  hasSql,
  readersOutside,
  readsTable,
  sources,
  sqlOutsideStores,
  tablesWritten,
  writers,
  writersOutside,
} from "./tableWriters.ts";

/** Stores that get the name of the table they write as a parameter. */
const givenTheirTables: Readonly<Record<string, string>> = {
  "core/partitions/store.ts": "partitions of every table that only grows",
  "headend/retention/store.ts": "rows of every kind that expires",
  "metering/device-state/statusStore.ts": "what a device or a gateway has told, a table for each",
  "metering/devices/removal/traceStore.ts": "removes every trace of a device",
  "metering/sheets/thingStore.ts": "puts back what an import has changed, of every kind",
  "platform/backup/store.ts": "puts back every table",
};

const ofTheServer = "of PostgreSQL itself, no table";
const hotPath = "hot path of ingest: a named statement beside the binary form of its parameters";

/** Files with SQL that are not stores. */
const sqlElsewhere: Readonly<Record<string, string>> = {
  "cli/doctor/doctor.ts": ofTheServer,
  "core/database/advisoryLock.ts": ofTheServer,
  "core/database/fragments/foundPage.ts": "a statement for the stores",
  "core/database/fragments/freezes.ts": "a fragment for the stores",
  "core/database/fragments/visibleDevices.ts": "a fragment for the stores",
  "core/database/migrate.ts": "migrations",
  "core/database/reach.ts": ofTheServer,
  "core/database/resolve.ts": "ids of every table, for the first wall between companies",
  "core/notify.ts": ofTheServer,
  "main.ts": ofTheServer,
  "metering/messages/ingest/metadataCache.ts": hotPath,
  "metering/messages/latest/latestCache.ts": hotPath,
  "metering/messages/rows/standing.ts": hotPath,
};

it.each([
  ["insert into device (id) values (1)", ["device"]],
  [
    "with old as (delete from device returning id) insert into gateway select * from old",
    ["device", "gateway"],
  ],
  ["update device_state s set next_poll_at = 1", ["device_state"]],
  ["select id from device order by id for update of device skip locked", []],
  ["insert into device (id) values (1) on conflict (id) do update set id = 2", ["device"]],
  ["copy message (v) from stdin (format binary)", ["message"]],
  ["copy message (v) to stdout (format binary)", []],
  ["truncate device", ["device"]],
])("a writing statement is found in raw SQL: %s", (statement, tables) => {
  expect([...tablesWritten(`sql\`${statement} where id = \${id}\``)].sort()).toEqual(tables);
  expect([...tablesWritten(`pool.query("${statement}")`)].sort()).toEqual(tables);
});

it("a writing statement is found in calls of the query builder, and one whose table is given as such", () => {
  const source = `
    db.insertInto("device"); db.updateTable("gateway as g"); db.deleteFrom("session"); db.selectFrom("users");
    db.deleteFrom(table); sql\`delete from \${sql.table(table)}\`; // insert into company`;

  expect([...tablesWritten(source)].sort()).toEqual([anyTable, "device", "gateway", "session"]);
});

it("every table is written by one store", () => {
  const found = writers();
  const { [anyTable]: given = [], ...known } = Object.fromEntries(found);
  const wrong = Object.entries(known)
    .filter(([, files]) => files.length > 1 || files.some((file) => !/store/i.test(basename(file))))
    .map(([table]) => table);

  expect(found.size).toBeGreaterThan(60);
  expect(wrong).toEqual([]);
  expect(given.sort()).toEqual(Object.keys(givenTheirTables));
});

it.each([
  'db.selectFrom("device").select("id")',
  "await db.deleteFrom(table).execute()",
  "const own = sql`company_id = ${id}`",
  "const { rows } = await sql<Row>`select 1`.execute(db)",
  'client.query("select id from device")',
  "pool.query({ text: `with due as (select 1) delete from letter` })",
  "client.query(`update device set name = ${name}`)",
])("SQL is found in a source text: %s", (text) => {
  expect(hasSql(text)).toBe(true);
});

it.each([
  'client.query("begin")',
  '// db.selectFrom("device")',
  'log.warn("the update of a device failed, select another one")',
  'throw new Error("copy the file")',
])("nothing else is taken for SQL: %s", (text) => {
  expect(hasSql(text)).toBe(false);
});

it("SQL is only in stores", () => {
  expect(sqlOutsideStores()).toEqual(Object.keys(sqlElsewhere));
});

it.each([
  "sql`select ts from message where device_id = ${id}`",
  "pool.query(`select ts from ${unit} d join message m on m.device_id = d.id`)",
  'client.query({ text: "select min(ts) from only message" })',
  'db.selectFrom("message as m").select("ts")',
  'db.selectFrom("device").innerJoin("message", "device_id", "id")',
  'sql`select min(ts) from ${sql.table("message")}`',
  "sql`delete from reading_due d using message m where m.device_id = d.device_id`",
  'client.query("copy message (v) to stdout")',
])("a reader of readings is found: %s", (text) => {
  expect(readsTable(text, "message")).toBe(true);
});

it.each([
  "sql`select text from message_text`",
  'log.warn("from the message of a device")',
  "// select ts from message",
  'client.query("delete from message where device_id = 1")',
  'client.query("copy message (v) from stdin")',
])("nothing else is taken for one: %s", (text) => {
  expect(readsTable(text, "message")).toBe(false);
});

/** Rows are looked up where they are written: each in one statement with the write, or for the write that follows it. */
const readByTheWriter: Readonly<Record<string, string>> = {
  "metering/messages/rows/revisionStore.ts": "locks and keeps rows in the statement that moves them away",
  "metering/messages/rows/standing.ts": "finds the rows that a batch would replace, with their versions",
};

it("readings are read in messages/read, written in messages/rows and nowhere else", () => {
  const all = sources();

  expect(readersOutside("metering/messages/read/", "message", all)).toEqual(Object.keys(readByTheWriter));
  expect(writersOutside("metering/messages/rows/", "message", all)).toEqual([]);
  expect(
    all.filter(({ path, text }) => path.startsWith("metering/messages/read/") && readsTable(text, "message")),
  ).not.toEqual([]);
});

it("who reads or writes readings elsewhere is found", () => {
  const planted = [
    { path: "metering/messages/growth/lastStore.ts", text: "sql`select max(ts) from message`" },
    { path: "accounting/balances/rowStore.ts", text: 'db.selectFrom("message").select("v")' },
    { path: "metering/messages/read/fixStore.ts", text: 'client.query("delete from message where ts = 1")' },
    { path: "headend/polling/store.ts", text: "sql`update message set status = 1 where ts = 1`" },
    { path: "metering/messages/read/timesStore.ts", text: "sql`select ts from message`" },
    {
      path: "metering/messages/rows/messageStore.ts",
      text: 'client.query("insert into message (ts) values (1)")',
    },
  ];

  expect(readersOutside("metering/messages/read/", "message", planted)).toEqual([
    "accounting/balances/rowStore.ts",
    "metering/messages/growth/lastStore.ts",
  ]);
  expect(writersOutside("metering/messages/rows/", "message", planted)).toEqual([
    "headend/polling/store.ts",
    "metering/messages/read/fixStore.ts",
  ]);
});
