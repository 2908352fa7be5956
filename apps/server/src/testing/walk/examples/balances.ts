import { sql } from "kysely";
import type { Fixture } from "../../records.ts";
import type { Example, Examples } from "./example.ts";

/** The last month of the tests' data. */
const period = { startDate: 1_790_697_600, stopDate: 1_793_376_000 };

const ofGroup = (body?: object): Example => ({
  input: ({ ours }) => ({ params: { id: ours.balanceGroup }, ...(body ? { body } : {}) }),
  foreign: { kind: "balanceGroup", input: (id) => ({ params: { id }, ...(body ? { body } : {}) }) },
});

let made = 0;

/** A point of the company that fits the input of the example. */
async function aPoint({ api, ours }: Fixture): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into accounting_point (company_id, name, resource_type_id, timezone)
    values (${ours.company}, 'Feeder', 3, 'Asia/Ulaanbaatar') returning id`.execute(
    api.services.database.system,
  );
  return rows[0]?.id ?? 0;
}

/** A group that a call may delete. */
async function aGroup({ api, ours }: Fixture): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into balance_group (company_id, name, resource_type_id, allowed_imbalance, loss_rule)
    values (${ours.company}, ${`Spare ${String(++made)}`}, 3, 5, 'none') returning id`.execute(
    api.services.database.system,
  );
  return rows[0]?.id ?? 0;
}

/** Examples of balance groups. */
export const balanceExamples: Examples = {
  "balance.list": {},
  "balance.get": ofGroup(),
  "balance.create": {
    input: async (fixture) => ({
      body: {
        name: `Group ${String(++made)}`,
        input_point_ids: [fixture.ours.accountingPoint],
        output_point_ids: [await aPoint(fixture)],
      },
    }),
    foreign: {
      kind: "accountingPoint",
      input: (id, { ours }) => ({
        body: {
          name: `Group ${String(++made)}`,
          input_point_ids: [ours.accountingPoint],
          output_point_ids: [id],
        },
      }),
    },
  },
  "balance.update": {
    input: ({ ours }) => ({
      params: { id: ours.balanceGroup },
      body: { allowed_imbalance: 4, input_point_ids: [ours.accountingPoint] },
    }),
    foreign: {
      kind: "balanceGroup",
      input: (id, { ours }) => ({
        params: { id },
        body: { allowed_imbalance: 4, input_point_ids: [ours.accountingPoint] },
      }),
    },
  },
  "balance.delete": {
    input: async (fixture) => ({ params: { id: await aGroup(fixture) } }),
    foreign: { kind: "balanceGroup", input: (id) => ({ params: { id } }) },
  },
  "balance.noBalance": ofGroup(),
  "balance.compute": ofGroup(period),
  "balance.halfHours": ofGroup(period),
  "balance.report": ofGroup({ ...period, format: "json" }),
};
