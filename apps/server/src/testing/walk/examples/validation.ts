import { sql } from "kysely";
import type { Fixture } from "../../records.ts";
import type { Example, Examples } from "./example.ts";

/** An open exception that other tests do not use, of a device of the company; closed with this outcome. */
async function anException({ api, ours }: Fixture, outcome: string | null = null): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into validation_exception (company_id, device_id, kind, field, msg_type, from_ts, to_ts, values_n, code, evidence,
      numbers, found_at, outcome, closed_at)
    select ${ours.company}, ${ours.device}, 'spike', 'tariff0', 1, n, n, 1, 'spike', '{"values": 1, "times": 4}', '{}', 1793491200,
      ${outcome}, ${outcome === null ? null : 1793491200}
    from (select coalesce(max(from_ts), 1793491200) + 1800 as n from validation_exception) s returning id`.execute(
    api.services.database.system,
  );
  const [row] = rows;
  if (!row) throw new Error("no exception was created");
  return row.id;
}

/** A decision about one exception. */
const decision: Example = {
  input: async (fixture) => ({ body: { exception_ids: [await anException(fixture)] } }),
  foreign: {
    kind: "exception",
    input: (id, { ours }) => ({ body: { exception_ids: [ours.exception, id] } }),
  },
};

const rule = { kind: "spike" } as const;

/** Examples of validation. */
export const validationExamples: Examples = {
  "validation.list": { input: () => ({ body: { per_page: 10 } }) },
  "validation.summary": { input: () => ({ body: {} }) },
  "validation.get": {
    input: ({ ours }) => ({ body: { exception_id: ours.exception } }),
    foreign: { kind: "exception", input: (id) => ({ body: { exception_id: id } }) },
  },
  "validation.accept": decision,
  "validation.reject": decision,
  "validation.estimate": {
    ...decision,
    input: () => ({ body: { filter: { kind: "unit" } } }),
  },
  "validation.ask": decision,
  "validation.comment": {
    input: ({ ours }) => ({ body: { exception_id: ours.exception, text: "Seen" } }),
    foreign: { kind: "exception", input: (id) => ({ body: { exception_id: id, text: "Theirs" } }) },
  },
  "validation.undo": {
    input: async (fixture) => ({ body: { exception_id: await anException(fixture, "accepted") } }),
    foreign: { kind: "exception", input: (id) => ({ body: { exception_id: id } }) },
  },
  "validation.rules": {
    input: ({ ours }) => ({ body: { point_id: ours.accountingPoint } }),
    foreign: { kind: "accountingPoint", input: (id) => ({ body: { point_id: id } }) },
  },
  "validation.saveRule": {
    input: ({ ours }) => ({
      body: { ...rule, point_id: ours.accountingPoint, is_on: true, parameters: { factor: 3 } },
    }),
    foreign: {
      kind: "accountingPoint",
      input: (id) => ({ body: { ...rule, point_id: id, is_on: true, parameters: {} } }),
    },
  },
  "validation.resetRule": {
    input: ({ ours }) => ({ body: { ...rule, point_id: ours.accountingPoint } }),
    foreign: { kind: "accountingPoint", input: (id) => ({ body: { ...rule, point_id: id } }) },
  },
};
