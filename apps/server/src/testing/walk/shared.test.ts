import { contract } from "@metrum/contract/calls";
import type { Call } from "@metrum/contract/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi } from "../api.ts";
import { engineer, tied } from "./branch.ts";
import { watchChanges, type Changes } from "./changes.ts";
import { impatientClock } from "../clock.ts";
import { examples } from "./examples.ts";
import { kindsReadBy } from "./idAttack.ts";
import { makeFixture, type Fixture, type Records } from "../records.ts";
import { rowFieldsOf, withEachChoice, withoutEach } from "./schemaFields.ts";
import {
  addForeign,
  addOthers,
  hiddenFrom,
  isReading,
  makeSharedWorld,
  openTask,
  recordsToActOn,
  untiedUsers,
  type SharedWorld,
} from "./sharedWorld.ts";

/**
 * The answers of a tied user, before and after others get what he has, beside it and in the same tasks, gateways and
 * directories; those of a user of the whole company, before and after companies below, beside and above get it.
 */
let fixture: Fixture;
let world: SharedWorld;
let changes: Changes;
/** Answers by call, in the order of their requests. */
const before = { tied: new Map<string, string[]>(), whole: new Map<string, string[]>() };
const requests = new Map<string, object[]>();
/** Of the user of the whole company, once there are other companies. */
const besides = new Map<string, string[]>();
const tokens = { tied: "", whole: "" };

const calls = [...contract.values()].filter(
  ({ auth, right, id }) => auth !== "none" && right !== "platform" && examples[id]?.as === undefined,
);
const named = (list: readonly Call[]): [string, Call][] => list.map((call) => [call.id, call]);
/** Without those of one's own account, and the call that answers something new each time. */
const reads = calls.filter((call) => isReading(call) && call.reach !== "own" && call.id !== "uuid.generate");
const branch = ({ reach }: Call): boolean => reach === "branch";
const acts = named(calls.filter((call) => branch(call) && !isReading(call)));

/** So long that every age is the same in all answers. */
const atMs = Date.now();
const still = { nowMs: () => atMs, now: () => Math.floor(atMs / 1000) };

beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: Object.assign(impatientClock(), still) }));
  world = await makeSharedWorld(fixture);
  tokens.tied = await fixture.api.token(tied);
  tokens.whole = await fixture.api.token(engineer);
  for (const call of reads) {
    const input: object = (await examples[call.id]?.input?.({ ...fixture, ours: world.inside })) ?? {};
    const [usual = input, ...others] = withoutEach(input);
    const last = others.splice(-1);
    requests.set(call.id, [...fileOf(call), usual, ...last, ...others, ...withEachChoice(call, input)]);
  }
});
afterAll(async () => {
  await changes.close();
  await fixture.api.close();
});

/** Requests of the user of the whole company: enough to see that there is something to be hidden. */
const few = 3;

/** A list as a file of all its fields. */
function fileOf(call: Call): object[] {
  if (call.rows === undefined) return [];
  const columns = rowFieldsOf(call)
    .slice(0, 100)
    .map((path) => ({ title: path, of: [path] }));
  return [{ body: { file: { format: "csv", title: "All", zone: "UTC", columns } } }];
}

const refusedBy = (code: string, ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, code]));

async function answersTo(call: Call, token: string, most = Infinity): Promise<string[]> {
  const answers: string[] = [];
  for (const input of (requests.get(call.id) ?? []).slice(0, most))
    answers.push(await answerTo(call, token, input));
  return answers;
}

/** What differs with time alone: how long work has waited, and that a consumer was exported before. */
const passing = /"oldest_sec":\d+|\{"at":\d+,"action":"consumer.export"\},?/g;

async function answerTo(call: Call, token: string, input: object): Promise<string> {
  const { status, text } = await fixture.api.askText(call, { token, input });
  return `${String(status)} ${text}`.replaceAll(passing, "");
}

test("the walk asks what lists show by every choice, and as files", () => {
  const asked = [...requests.values()].reduce((sum, { length }) => sum + length, 0);
  expect(asked).toBeGreaterThan(500);
});

describe("before there is anything else, no call fails", () => {
  test.each(named(reads))("%s", async (id, call) => {
    if (branch(call)) before.tied.set(id, await answersTo(call, tokens.tied));
    before.whole.set(id, await answersTo(call, tokens.whole, few));

    for (const answer of [...(before.tied.get(id) ?? []), ...(before.whole.get(id) ?? [])])
      expect(answer).not.toMatch(/^5/);
  });
});

describe("ACL-037 what companies below, beside and above have changes no answer", () => {
  beforeAll(() => addForeign(fixture, world));

  test.each(named(reads))("%s", async (id, call) => {
    besides.set(id, await answersTo(call, tokens.whole, few));

    expect(besides.get(id)).toEqual(before.whole.get(id));
  });
});

describe("ACL-039 a tied user is answered as if others had nothing", () => {
  beforeAll(async () => {
    await addOthers(fixture, world);
    changes = await watchChanges(fixture.api);
  });

  /** Calls that name nothing of the company and whose answer others change for nobody. */
  const alike = [
    // Directories outside of the company, texts, and one freeze for all of it.
    ...["sheetImport.template", "object.dadata", "proxy.garHints", "geo.search", "control.state"],
    // Copies are of the same models.
    "model.companyDevices",
  ];
  let shown = 0;

  test.each(named(reads.filter(branch)))("%s", async (id, call) => {
    const now = await answersTo(call, tokens.tied);

    for (const [at, answer] of now.entries())
      expect([requests.get(id)?.[at], answer]).toEqual([requests.get(id)?.[at], before.tied.get(id)?.[at]]);
    const whole = await answersTo(call, tokens.whole, few);
    const isShown = whole.some((answer, at) => answer !== besides.get(id)?.[at]);
    if (isShown) shown += 1;
    // What is asked of one thing need not change with others.
    const isOfOne = (await kindsReadBy(fixture, call)).size > 0;
    expect([id, isShown || isOfOne]).toEqual([id, !alike.includes(id)]);
  });

  test("who sees the whole company is answered otherwise by many of them", () => {
    expect(shown).toBeGreaterThan(40);
  });
});

describe("ACL-039 an act of a tied user has the effect that it has on what he has alone", () => {
  /** Acts that change a thing as a whole: while others have a part of it they are refused by this code. */
  const whole: Readonly<Record<string, string>> = {
    ...refusedBy("tied_devices_only", [
      ...["gateway.edit", "gateway.toTrash", "gateway.restore", "gateway.archive", "gateway.remove"],
      ...["line.save", "line.remove", "line.test"],
      ...["baseStation.edit", "baseStation.toTrash", "baseStation.restore", "baseStation.archive"],
      "baseStation.remove",
    ]),
    // A group is seen while everything in it is.
    ...refusedBy("not_found", [
      ...["balance.update", "balance.delete"],
      ...["pollGroup.update", "pollGroup.switch", "pollGroup.replace", "pollGroup.delete"],
    ]),
    // They name how many were left as they are, and why.
    "gateway.changeMany": "",
    "baseStation.changeMany": "",
  };
  /** Tables in which an act differs: rows that belong to the thing, whoever has a part in it. */
  const ofTheThing: Readonly<Record<string, readonly string[]>> = {
    // What measured a point before is the history of the point; a closed period is marked by the first of two points.
    "point.delete": ["device_dependent", "point_device", "settlement_period"],
    // It goes on for the devices of others.
    "task.cancel": ["device_task"],
  };
  /** A session is used, a poll is due; what a heading meant in the last file is suggested for the next one. */
  const unrelated = ["session", "device_state", "sheet_mapping"];
  /** Kinds of things that an act concerns and its example does not name. */
  const unnamed: Readonly<Record<string, keyof Records>> = { "device.clearTrash": "trashedDevice" };
  let done = 0;

  test.each(acts)("%s", async (id, call) => {
    const kinds = await kindsReadBy(fixture, call);
    const { foreign } = examples[id] ?? {};
    for (const kind of [foreign?.kind, unnamed[id]]) if (kind) kinds.add(kind);
    const alone = await actOn(call, kinds, false);
    const shared = await actOn(call, kinds, true);

    const code = whole[id];
    if (code === undefined) expect(shared).toEqual(alone);
    else expect([shared.status < 300 ? "" : shared.code, shared.changed]).toEqual([code, []]);
    if (alone.status < 300) done += 1;
  });

  test("most of them succeed on what he has alone", () => {
    expect(done).toBeGreaterThan(65);
  });

  /** The act as in its example, then without each part of it, which often means all devices. */
  async function actOn(call: Call, kinds: ReadonlySet<keyof Records>, areShared: boolean) {
    const records = await recordsToActOn(fixture, world.branch, { kinds, areShared });
    if (call.id === "task.cancel") await openTask(fixture, records.task);
    const { input, foreign } = examples[call.id] ?? {};
    const of = { ...fixture, ours: records };
    const usual: object = (foreign ? foreign.input(records[foreign.kind], of) : await input?.(of)) ?? {};
    const hidden = await hiddenFrom(fixture, world.branch);
    const untied = await untiedUsers(fixture, world.branch);
    await changes.take();

    const { status, code } = await fixture.api.ask(call, { token: tokens.tied, input: usual });
    const first = await changes.take();
    for (const more of withoutEach(usual).slice(1))
      await fixture.api.ask(call, { token: tokens.tied, input: more });

    for (const { table, devices, points } of [...first, ...(await changes.take())]) {
      if (ofTheThing[call.id]?.includes(table)) continue;
      expect([
        table,
        devices.filter((each) => hidden.devices.includes(each)),
        points.filter((each) => hidden.points.includes(each)),
      ]).toEqual([table, [], []]);
    }
    const left = new Set(await untiedUsers(fixture, world.branch));
    expect(untied.filter((each) => !left.has(each))).toEqual([]);
    const changed = first
      .filter(({ company }) => company === world.branch.own.company)
      .map(({ table }) => table);
    const apart = [...unrelated, ...(ofTheThing[call.id] ?? [])];
    return { status, code, changed: changed.filter((table) => !apart.includes(table)) };
  }
});
