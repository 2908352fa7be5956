import { accountingPoints, objectTies, ties } from "@metrum/contract/accounting";
import { contract } from "@metrum/contract/calls";
import type { Call } from "@metrum/contract/core";
import { pollGroups, tasks } from "@metrum/contract/headend";
import { deviceChanges, deviceRecord, gateways, type DeviceChange } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeChanges } from "../../headend/tasks/changeJob.ts";
import { openTestApi, type Answer } from "../api.ts";
import { engineer, inBranch, tied, tieToStreet, type Branch } from "./branch.ts";
import { impatientClock } from "../clock.ts";
import { examples } from "./examples.ts";
import { unknownId } from "./idAttack.ts";
import { makeFixture, type Fixture, type Records } from "../records.ts";
import { anyItem, fieldsOf, isIdField } from "./schemaFields.ts";
import { isReading } from "./sharedWorld.ts";
import { makeVictim, makeWorlds, type World } from "./victims.ts";

/** What the call for one thing does and refuses, the call for many does and refuses for a list of one. */
let fixture: Fixture;
let worlds: Readonly<Record<string, World>>;
let branch: Branch;
/** What the calls name beside the thing. */
let beside: Records;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  worlds = await makeWorlds(fixture.api);
  branch = await tieToStreet(fixture, world("own"));
  beside = await inBranch(fixture, branch, ["gateway", "object", "pollGroup", "user"]);
  await sql`insert into object_user (object_id, user_id, company_id)
    values (${beside.object}, ${beside.user}, ${branch.own.company})`.execute(system());
  await sql`update gateway set interface_id = 4 where id = ${beside.gateway}`.execute(system());
});
afterAll(() => fixture.api.close());

const system = () => fixture.api.services.database.system;
function world(name: string): World {
  const found = worlds[name];
  if (!found) throw new Error(`no world ${name}`);
  return found;
}

type Asked = readonly [call: Call, body: object, params?: object];
type Of = (id: number, isInTrash: boolean) => Asked;
interface Pair {
  readonly kind: "device" | "accountingPoint" | "user";
  readonly one: Of;
  readonly many: Of;
}

const change =
  (made: (id: number) => Omit<DeviceChange, "action"> & Pick<DeviceChange, "action">): Of =>
  (id, isInTrash) => [
    tasks.change,
    { ...made(id), filter: { ids: [id], ...(isInTrash ? { is_deleted: true } : {}) } },
  ];

/** Pairs by the call for many, and by the action where it has several. */
const pairs: Readonly<Record<string, Pair>> = {
  "task.change period": {
    kind: "device",
    one: (id) => [deviceRecord.edit, { id, report_period_update: 7200 }],
    many: change(() => ({ action: "period", report_period_update: 7200 })),
  },
  "task.change group": {
    kind: "device",
    one: (id) => [pollGroups.replace, { device_ids: [id], poll_group_id: beside.pollGroup }],
    many: change(() => ({ action: "group", poll_group_id: beside.pollGroup })),
  },
  "task.change tie": {
    kind: "device",
    one: (id) => [ties.set, { device_id: id, user_ids: [beside.user] }],
    many: change(() => ({ action: "tie", user_ids: [beside.user] })),
  },
  "gateway.massReplace": {
    kind: "device",
    one: (id) => [gateways.replace, { device_id: id, gateway_id: beside.gateway }],
    many: (id) => [gateways.massReplace, { items: [{ device_id: id, gateway_id: beside.gateway }] }],
  },
  "object.massTieDevices": {
    kind: "device",
    one: (id) => [objectTies.tieDevices, { object_id: beside.object, device_ids: [id] }],
    many: (id) => [objectTies.massTieDevices, { object_ids: [beside.object], device_ids: [id] }],
  },
  "object.tieUsers": {
    kind: "user",
    one: (id) => [objectTies.tieUser, { user_id: id }, { id: String(beside.object) }],
    many: (id) => [objectTies.tieUsers, { object_id: beside.object, user_ids: [id] }],
  },
  "point.delete": {
    kind: "accountingPoint",
    one: (id) => [accountingPoints.delete, { id }],
    many: (id) => [accountingPoints.delete, { ids: [id] }],
  },
};

const walked = ["metering/devices", "metering/gateways"];
/** Calls for many whose pairs are walked beside their code. */
const elsewhere = [
  ...["device.switchBulk", "device.trash", "device.archive"],
  ...["gateway.archive", "gateway.changeMany", "baseStation.archive", "baseStation.changeMany"],
];
/** Acts on a list of things of which no call names a single one, or whose list is a part of one thing. */
const alone = [
  ...["service.almatySuExport", "schedule.save", "device.tieUser", "object.updateSort", "object.untie"],
  ...[
    "object.tieDevices",
    "object.tieGateways",
    "object.tieBaseStations",
    "balance.create",
    "balance.update",
  ],
  ...[
    "quarantine.release",
    "quarantine.discard",
    "push.readings",
    "task.create",
    "task.askHoles",
    "task.cancel",
  ],
  ...["poll.run", "pollGroup.create", "pollGroup.update", "pollGroup.replace", "user.create", "user.invite"],
  ...["validation.accept", "validation.reject", "validation.estimate", "validation.ask"],
];

test(`every act on a list of things is compared with that on one, here or in ${walked.join(" and ")}`, () => {
  const many = [...contract.values()].filter(
    (call) =>
      call.auth !== "none" &&
      call.right !== "platform" &&
      !isReading(call) &&
      fieldsOf(call).some((field) => field.path.includes(anyItem) && isIdField(field)),
  );
  const known = new Set([
    ...Object.keys(pairs).map((name) => name.replace(/ .*/, "")),
    ...elsewhere,
    ...alone,
  ]);

  expect(many.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
});

test("every change of a task is compared with that of one device", () => {
  const beside = ["switch_on", "switch_off", "archive", "unarchive", "trash", "restore", "remove"];
  const here = Object.keys(pairs).flatMap((name) => name.split("task.change ")[1] ?? []);
  // One device is untied by the list of those that stay.
  expect([...beside, ...here, "untie"].toSorted()).toEqual(Object.keys(deviceChanges).toSorted());
});

/** A thing of a kind in each state in which the calls may find it. */
const states: Readonly<Record<string, (kind: Pair["kind"]) => Promise<number>>> = {
  "in the branch": async (kind) => (await inBranch(fixture, branch, [kind]))[kind],
  "in the branch, changed before": async (kind) => {
    const { [kind]: id } = await inBranch(fixture, branch, [kind]);
    if (kind === "device")
      await sql`
        with tie as (
          insert into device_user (device_id, user_id, company_id) values (${id}, ${beside.user}, ${branch.own.company})
        ), grouped as (
          insert into poll_group_device (device_id, group_id, company_id)
          values (${id}, ${beside.pollGroup}, ${branch.own.company})
        )
        update device set gateway_id = ${beside.gateway}, warning_report_period = 10800 where id = ${id}`.execute(
        system(),
      );
    return id;
  },
  "switched off": async (kind) => away(kind, sql`is_active = false`),
  "in the archive": async (kind) => away(kind, sql`is_archived = true`),
  "in the trash": async (kind) => away(kind, sql`deleted_at = now()`),
  "of another model": async (kind) =>
    away(kind, sql`model_id = 102, model_title = 'Other', interface_id = 4`),
  "outside of the branch": (kind) => makeVictim(fixture.api, branch.own, kind),
  "of a company beside": (kind) => makeVictim(fixture.api, world("sibling"), kind),
  "of a company below": (kind) => makeVictim(fixture.api, world("child"), kind),
  unknown: () => Promise.resolve(unknownId),
};

async function away(kind: Pair["kind"], columns: ReturnType<typeof sql>): Promise<number> {
  const { [kind]: id } = await inBranch(fixture, branch, [kind]);
  if (kind === "device") await sql`update device set ${columns} where id = ${id}`.execute(system());
  return id;
}

/** Refusals of calls by the reasons in the outcome of a task, where they have another name. */
const reasons: Readonly<Record<string, string>> = {
  not_of_model: "wrong_input",
  in_poll_group: "wrong_input",
};

async function outcomeOf([call, body, params]: Asked, token: string): Promise<string> {
  const input = { body, ...(params ? { params } : {}) };
  const answer: Answer<unknown> = await fixture.api.ask(call, { token, input });
  if (answer.status !== 200) return answer.code;
  if (call !== tasks.change) return "done";
  await makeChanges(fixture.api.services);
  const { rows } = await sql<{ message: string }>`
    select message from device_task_item order by task_id desc limit 1`.execute(system());
  const message = rows[0]?.message ?? "";
  return message === "" ? "done" : (reasons[message] ?? message);
}

/** What is stored of a thing, without its names. */
async function rowsOf(kind: Pair["kind"], id: number): Promise<unknown> {
  const tables = {
    device: sql`
      select d.gateway_id, d.report_period_update, d.warning_report_period, d.version, g.group_id,
        array(select user_id from device_user u where u.device_id = d.id order by 1) as users, i.object_id
      from device d left join poll_group_device g on g.device_id = d.id left join object_item i on i.device_id = d.id
      where d.id = ${id}`,
    accountingPoint: sql`select count(*) from accounting_point where id = ${id}`,
    user: sql`select array(select object_id from object_user where user_id = ${id} order by 1) as objects`,
  };
  const { rows } = await tables[kind].execute(system());
  return rows;
}

const subjects = { device: "device", accountingPoint: "point", user: "user" } as const;
/** Actions that the log names for a thing, but for the task itself, and a group, which is named when one joins it. */
async function logOf(kind: Pair["kind"], id: number): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from audit where subject = ${`${subjects[kind]} ${String(id)}`} and action not in ('device.changeMany', 'pollGroup.replace')
    order by id`.execute(system());
  return rows.map(({ action }) => action);
}

const cases = Object.entries(pairs).flatMap(([name, { kind }]) =>
  Object.keys(states).flatMap((state) =>
    kind !== "device" && /off|archive|trash|model|before/.test(state)
      ? []
      : [engineer, tied].map((who) => [name, state, who] as const),
  ),
);

describe("ACL-039 one and many", () => {
  test.each(cases)("%s of a thing that is %s, by %s", async (name, state, who) => {
    const [pair, make] = [pairs[name], states[state]];
    if (!pair || !make) throw new Error(name);
    const token = await fixture.api.token(who);
    const isInTrash = state === "in the trash";
    const [one, many] = [await make(pair.kind), await make(pair.kind)];

    const alone = await outcomeOf(pair.one(one, isInTrash), token);
    const listed = await outcomeOf(pair.many(many, isInTrash), token);

    expect([listed, await rowsOf(pair.kind, many), await logOf(pair.kind, many)]).toEqual([
      alone,
      await rowsOf(pair.kind, one),
      await logOf(pair.kind, one),
    ]);
  });
});

test("the examples of both calls of a pair are known", () => {
  for (const { one, many } of Object.values(pairs))
    expect([one(1, false), many(1, false)].filter(([{ id }]) => examples[id] === undefined)).toEqual([]);
});
