import type { Example, Examples } from "./example.ts";

/** Of November 2026. */
const week = { start_date: 1_793_491_200, stop_date: 1_794_095_999 };

const ofDevice = (device_id: number) => ({ body: { device_id, ...week } });

const collection: Example = {
  input: ({ ours }) => ofDevice(ours.device),
  foreign: { kind: "device", input: (id) => ofDevice(id) },
};

/** Examples of the completeness of data. */
export const insightExamples: Examples = {
  "collection.card": collection,
  "collection.indications": collection,
  "collection.power": collection,
  "collection.archive": collection,
  "collection.totals": {
    input: () => ({ body: { msg_type: 1, ...week, filter: { search_string: "meter" } } }),
  },
  "collection.time": collection,
};
