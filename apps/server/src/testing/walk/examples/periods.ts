import { aClosedPeriod, aClosing, aMonth, noTotals } from "../../series/periods.ts";
import type { Examples } from "./example.ts";

/** Examples of settlement periods. */
export const periodExamples: Examples = {
  "period.list": {},
  "period.preview": { input: async (fixture) => ({ body: { month: await aMonth(fixture) } }) },
  "period.close": { input: async (fixture) => ({ body: await aClosing(fixture) }) },
  "period.get": {
    input: ({ ours }) => ({ body: { id: ours.settlementPeriod } }),
    foreign: { kind: "settlementPeriod", input: (id) => ({ body: { id } }) },
  },
  "period.correct": {
    input: async ({ api, ours }) => ({
      body: {
        id: await aClosedPeriod(api.services.database.system, ours.company),
        digest: noTotals,
        reason: "Late data",
      },
    }),
    foreign: {
      kind: "settlementPeriod",
      input: (id) => ({ body: { id, digest: noTotals, reason: "Late data" } }),
    },
  },
  "period.reopen": {
    input: async ({ api, ours }) => ({
      body: { id: await aClosedPeriod(api.services.database.system, ours.company), reason: "Wrong ratio" },
    }),
    foreign: { kind: "settlementPeriod", input: (id) => ({ body: { id, reason: "Wrong ratio" } }) },
  },
};
