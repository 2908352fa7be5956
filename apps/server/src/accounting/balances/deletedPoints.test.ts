import { accessGroups, users } from "@metrum/contract/access";
import { accountingPoints, balances, objects, objectTies } from "@metrum/contract/accounting";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openBalances, type BalanceApi } from "#testing/series/balance";

let bench: BalanceApi;
let input: number;
beforeAll(async () => {
  bench = await openBalances();
  input = await bench.aPoint("Input");
});
afterAll(() => bench.api.close());
beforeEach(async () => {
  await bench.query("delete from balance_group");
});

const ask: BalanceApi["ask"] = (...given) => bench.ask(...given);
/** A formula from the common input to some points. */
const from = (name: string, ...output_point_ids: number[]) => ({
  name,
  input_point_ids: [input],
  output_point_ids,
});
const remove = (...ids: number[]) => ask(accountingPoints.delete, { body: { ids } });
const isThere = async (id: number) =>
  (await ask(accountingPoints.get, { params: { id: String(id) } })).status === 200;
const membersOf = async (id: number) =>
  (await ask(balances.get, { params: { id: String(id) } })).data.balance_group.points
    .map(({ point_id }) => point_id)
    .toSorted((a, b) => a - b);

describe("AP-028 a point of a balance is not deleted, so no formula loses it silently:", () => {
  it("the refusal names the groups, also of past days, and the whole list stays", async () => {
    const [out, free] = [await bench.aPoint("Feeder"), await bench.aPoint("Free")];
    const group = await bench.aGroup(from("TP-14", out));
    await bench.aGroup({
      ...from("House 9", await bench.aPoint("Flat")),
      points: [{ point_id: out, role: "loss", to_day: "2020-01-31" }],
    });

    const refused = await remove(free, out);

    expect([refused.status, refused.code, refused.msg]).toEqual([
      409,
      "point_in_balance",
      "What would be deleted is in balance groups (2): House 9, TP-14. Take it out of their formulas first",
    ]);
    expect([await isThere(free), await isThere(out), await membersOf(group)]).toEqual([
      true,
      true,
      [input, out],
    ]);
    expect((await remove(free)).status).toBe(200);
  });

  it("out of the formula it can be deleted", async () => {
    const [out, other] = [await bench.aPoint("Feeder 1"), await bench.aPoint("Feeder 2")];
    const group = await bench.aGroup(from("TP-15", out, other));

    await ask(balances.update, { params: { id: String(group) }, body: { output_point_ids: [other] } });

    expect([(await remove(out)).status, await isThere(out)]).toEqual([200, false]);
    expect(await membersOf(group)).toEqual([input, other]);
  });

  it("of many groups five are named", async () => {
    const out = await bench.aPoint("Feeder");
    for (const number of [1, 2, 3, 4, 5, 6]) await bench.aGroup(from(`TP-${String(number)}`, out));

    expect((await remove(out)).msg).toContain("(6): TP-1, TP-2, TP-3, TP-4, TP-5, ….");
  });

  it("TREE-011 a branch is not removed with such a point; without its points it is", async () => {
    const node = await bench.aNode();
    const out = await bench.aPoint("Feeder", { object: node });
    const group = await bench.aGroup(from("TP-16", out));
    const removed = async (body: object) => {
      const answer = await ask(objects.remove, { body: { object_id: String(node), ...body } });
      return [answer.status, answer.code];
    };

    const refused = [
      await removed({ remove_tied_points: true }),
      await removed({ deleteMeteringPoints: true }),
    ];
    const { status } = await ask(objects.get, { body: { object_id: String(node) } });

    expect(refused).toEqual([
      [409, "point_in_balance"],
      [409, "point_in_balance"],
    ]);
    expect([status, (await removed({}))[0], await membersOf(group)]).toEqual([200, 200, [input, out]]);
  });

  it("who does not see a group learns that there is one, not its name", async () => {
    const token = await bench.api.token("operator@metrum.example");
    const { data } = await bench.api.ask(users.access, { token });
    const access_rules = { create: [], read: [6], update: [], delete: [6], access_all: [] };
    await ask(accessGroups.update, {
      params: { id: String(data.access_group?.id) },
      body: { access_rules },
    });
    const node = await bench.aNode();
    const [own, another] = [
      await bench.aPoint("Own", { object: node }),
      await bench.aPoint("Another", { object: node }),
    ];
    const user_id = (await bench.api.ask(users.info, { token })).data.user.id;
    await ask(objectTies.tieUser, { params: { id: String(node) }, body: { user_id } });
    await bench.aGroup({ name: "Own balance", input_point_ids: [another], output_point_ids: [own] });
    await bench.aGroup(from("Zamyn-Secret", own));

    const { code, msg } = await ask(accountingPoints.delete, { body: { id: own } }, token);

    expect([code, msg.split(".")[0]]).toEqual([
      "point_in_balance",
      "What would be deleted is in balance groups (2): Own balance, …",
    ]);
  });

  it("a formula that is stored at the same moment keeps it, or is refused", async () => {
    for (let round = 0; round < 8; round += 1) {
      const out = await bench.aPoint("Feeder");
      const body = from(`At once ${String(round)}`, out);

      const [made, gone] = await Promise.all([ask(balances.create, { body }), remove(out)]);

      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([made.status, gone.status]);
    }
  });
});
