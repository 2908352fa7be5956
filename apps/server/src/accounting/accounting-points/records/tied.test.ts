import { users } from "@metrum/contract/access";
import { accountingPoints, objectTies, pointDevices, ties } from "@metrum/contract/accounting";
import type { Call, InputOf } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";

let tree: TreeApi;
let token: string;
let mine: string;
let other: string;
let userId: number;
beforeAll(async () => {
  tree = await openTree();
  const { api } = tree;
  await sql`update access_group set access_rules = jsonb_build_object('create', a, 'read', a, 'update', a, 'delete', a,
    'access_all', '[6]'::jsonb) from (select '[4, 6]'::jsonb as a) m where name = 'Operators'`.execute(
    api.services.database.system,
  );
  token = await api.token("operator@metrum.example");
  userId = (await api.ask(users.info, { token })).data.user.id;
  [mine, other] = [await tree.add("Mine"), await tree.add("Not mine")];
  await tree.ask(objectTies.tieUser, { user_id: userId }, { id: mine });
});
afterAll(() => tree.api.close());

const tied = <C extends Call>(call: C, body?: InputOf<C>["body"], params?: object) =>
  tree.api.ask(call, { token, input: { body: body ?? {}, ...(params ? { params } : {}) } as InputOf<C> });

async function aPoint(parent_id: string): Promise<number> {
  const { data } = await tree.ask(accountingPoints.create, {
    title: "Input",
    resource_type_id: 3,
    parent_id,
  });
  return data.accounting_point.id;
}

it("ACL-026 a user tied to a node gets the points of the branch and nothing else", async () => {
  const [own, foreign] = [await aPoint(mine), await aPoint(other)];

  const { data } = await tied(accountingPoints.companyList, {});
  const denied = [
    await tied(accountingPoints.get, undefined, { id: String(foreign) }),
    await tied(accountingPoints.update, { id: foreign, name: "Taken" }),
    await tied(accountingPoints.delete, { ids: [own, foreign] }),
    await tied(accountingPoints.tieObject, { accounting_point_id: own, object_id: other }),
    await tied(accountingPoints.list, { object_id: other }),
  ];

  expect(data.accounting_points.data.map(({ id }) => id)).toEqual([own]);
  expect(denied.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
});

it("ACL-026 a point of another branch that a device of the tied user measures is seen, but stays where it is", async () => {
  const point = await aPoint(other);
  const device = await tree.aDevice();
  const from = tree.api.services.clock.now() - 86_400;
  await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from });
  await tree.ask(ties.set, { device_id: device, user_ids: [userId] });

  const seen = await tied(accountingPoints.get, undefined, { id: String(point) });
  const denied = [
    await tied(accountingPoints.tieObject, { accounting_point_id: point, object_id: mine }),
    await tied(accountingPoints.update, { id: point, parent_id: mine }),
    await tied(accountingPoints.delete, { ids: [point] }),
  ];

  expect(seen.status).toBe(200);
  expect(denied.map(({ code }) => code)).toEqual(Array(3).fill("tied_devices_only"));
});

it("ACL-026 a tied user makes points only below their nodes, and takes none away from them", async () => {
  const point = await aPoint(mine);
  const make = (more: object) =>
    tied(accountingPoints.create, { title: "Own", resource_type_id: 3, ...more });

  expect([
    (await make({})).code,
    (await make({ parent_id: other })).code,
    (await make({ parent_id: mine })).status,
    (await tied(accountingPoints.untieObject, { accounting_point_id: point })).code,
  ]).toEqual(["tied_devices_only", "not_found", 200, "tied_devices_only"]);
});
