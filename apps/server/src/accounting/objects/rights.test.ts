import { accessGroups, users, type AccessRules } from "@metrum/contract/access";
import { objectTies } from "@metrum/contract/accounting";
import type { Call, InputOf } from "@metrum/contract/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";

/** A user whose group gets the rights of each row, by the call of its administrator. */
let tree: TreeApi;
let group: string;
let token: string;
let object: string;
beforeAll(async () => {
  tree = await openTree();
  token = await tree.api.token("operator@metrum.example");
  const { data } = await tree.api.ask(users.access, { token });
  group = String(data.access_group?.id);
  object = await tree.add("House");
});
afterAll(() => tree.api.close());

const none: AccessRules = { create: [], read: [], update: [], delete: [], access_all: [] };
const every = [1, 2, 4, 5, 6, 7, 8];
const all: AccessRules = { create: every, read: every, update: every, delete: every, access_all: every };
const without = (action: keyof AccessRules, ...modules: readonly number[]): Partial<AccessRules> => ({
  [action]: every.filter((each) => !modules.includes(each)),
});

/** Gives the group these rights and no others. */
async function hold(rules: Partial<AccessRules>): Promise<void> {
  const access_rules = { ...none, ...rules };
  const { status } = await tree.ask(accessGroups.update, { access_rules }, { id: group });
  if (status !== 200) throw new Error(`rights were not set: ${String(status)}`);
}

const asUser = async <C extends Call>(call: C, body: InputOf<C>["body"], params?: object) =>
  (
    await tree.api.ask(call, {
      token,
      input: { body, ...(params ? { params } : {}) } as InputOf<C>,
    })
  ).status;

/** Answers of the calls that place things at a node and take them away, in this order. */
async function placing(): Promise<number[]> {
  const { device, gateway, baseStation } = tree.fixture.ours;
  const things = { device_ids: [device], gateway_ids: [gateway], base_station_ids: [baseStation] };
  return [
    await asUser(objectTies.tieDevices, { object_id: object, device_ids: [device] }),
    await asUser(objectTies.tieGateways, { object_id: object, gateway_ids: [gateway] }),
    await asUser(objectTies.tieBaseStations, { object_id: object, base_station_ids: [baseStation] }),
    await asUser(objectTies.massTieDevices, { object_ids: [object], device_ids: [device] }),
    await asUser(objectTies.untie, things),
  ];
}

/** Answers of the calls that tie users to a node and untie them. */
async function tying(): Promise<number[]> {
  const { user } = tree.fixture.ours;
  return [
    await asUser(objectTies.tieUsers, { object_id: object, user_ids: [user] }),
    await asUser(objectTies.tieUser, { user_id: user }, { id: object }),
    await asUser(objectTies.untieUser, { user_id: user }, { id: object }),
  ];
}

/** Things at the node, and users tied to it, as its administrator sees them. */
async function present(): Promise<number[]> {
  const { devices_info } = (await tree.get(object)).object;
  const { data } = await tree.ask(objectTies.users, { object_id: object });
  return [devices_info.devices, devices_info.gateways, devices_info.base_stations, data.users.length];
}

describe("tying devices, gateways or base stations to an object", () => {
  it.each([
    ["update on 6 and read on 4", { update: [6], read: [4] }],
    ["update on 6 and access_all on 4", { update: [6], access_all: [4] }],
  ] satisfies [string, Partial<AccessRules>][])("ACL-027 is allowed with %s", async (_, rules) => {
    await hold(rules);

    expect(await placing()).toEqual([200, 200, 200, 200, 200]);
  });

  it.each([
    ["update on 6", { update: [6] }],
    ["update on 6 and read on 6", { update: [6], read: [6] }],
    ["read on 4", { read: [4] }],
    ["everything on 4", { create: [4], read: [4], update: [4], delete: [4], access_all: [4] }],
    ["access_all on 6 and read on 4", { access_all: [6], read: [4] }],
    ["update on 6, and update and delete on 4", { update: [6, 4], delete: [4] }],
    ["every right but update on 6", { ...all, ...without("update", 6) }],
    [
      "every right but read and access_all on 4",
      { ...all, ...without("read", 4), ...without("access_all", 4) },
    ],
    ["no right", {}],
  ] satisfies [string, Partial<AccessRules>][])("ACL-027 is refused with %s", async (_, rules) => {
    await hold(rules);
    const before = await present();

    expect(await placing()).toEqual([403, 403, 403, 403, 403]);
    expect(await present()).toEqual(before);
  });

  it("ACL-027 places what it names, so a refusal above is one of rights", async () => {
    const { device, gateway, baseStation } = tree.fixture.ours;
    await hold({ update: [6], read: [4] });
    await asUser(objectTies.tieDevices, { object_id: object, device_ids: [device] });
    await asUser(objectTies.tieGateways, { object_id: object, gateway_ids: [gateway] });
    await asUser(objectTies.tieBaseStations, { object_id: object, base_station_ids: [baseStation] });
    const placed = await present();

    await hold({ update: [6] });

    expect(placed).toEqual([1, 1, 1, 0]);
    expect(await asUser(objectTies.untie, { device_ids: [device] })).toBe(403);
    expect(await present()).toEqual(placed);
  });
});

describe("tying users to an object", () => {
  it.each([
    ["update on 6 and read on 1", { update: [6], read: [1] }],
    ["update on 6 and read on 6", { update: [6], read: [6] }],
    ["access_all on 6 and read on 1", { access_all: [6], read: [1] }],
    ["access_all on 6 and read on 6", { access_all: [6], read: [6] }],
  ] satisfies [string, Partial<AccessRules>][])("ACL-028 is allowed with %s", async (_, rules) => {
    await hold(rules);

    expect(await tying()).toEqual([200, 200, 200]);
  });

  it.each([
    ["update on 6", { update: [6] }],
    ["access_all on 6", { access_all: [6] }],
    ["update on 6 and read on 4", { update: [6], read: [4] }],
    ["update on 6 and access_all on 1", { update: [6], access_all: [1] }],
    ["read on 1 and 6", { read: [1, 6] }],
    ["everything on 1", { create: [1], read: [1], update: [1], delete: [1], access_all: [1] }],
    [
      "every right but update and access_all on 6",
      {
        ...all,
        ...without("update", 6),
        ...without("access_all", 6),
      },
    ],
    ["every right but read on 1 and 6", { ...all, ...without("read", 1, 6) }],
    ["no right", {}],
  ] satisfies [string, Partial<AccessRules>][])("ACL-028 is refused with %s", async (_, rules) => {
    await hold(rules);
    const before = await present();

    expect(await tying()).toEqual([403, 403, 403]);
    expect(await present()).toEqual(before);
  });
});
