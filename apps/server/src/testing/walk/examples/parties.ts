import type { Example, Examples } from "./example.ts";
import type { Records } from "../../records.ts";
import { aParty } from "../spares.ts";

type Kind = "consumer" | "supplier" | "transformer";

/** Calls that every directory has, for entries that other tests do not use. */
function ofKind(kind: Kind, id: "_id" | "id"): Examples {
  const inPath: Example = {
    input: ({ ours }) => ({ params: { id: ours[kind] } }),
    foreign: foreign(kind, (given) => ({ params: { id: given } })),
  };
  const name = kind === "transformer" ? "title" : "name";
  return {
    [`${kind}.list`]: { input: () => ({ body: { search_string: "", per_page: 10 } }) },
    [`${kind}.get`]: inPath,
    [`${kind}.points`]: {
      input: ({ ours }) => ({ body: { [`${kind}_id`]: ours[kind] } }),
      foreign: foreign(kind, (given) => ({ body: { [`${kind}_id`]: given } })),
    },
    [`${kind}.update`]: {
      input: async (fixture) => ({ body: { [id]: await aParty(fixture, kind), [name]: "Renamed" } }),
      foreign: foreign(kind, (given) => ({ body: { [id]: given, [name]: "Theirs" } })),
    },
    [`${kind}.delete`]: {
      ...inPath,
      input: async (fixture) => ({ params: { id: await aParty(fixture, kind) } }),
    },
  };
}

const foreign = (
  kind: keyof Records,
  input: NonNullable<Example["foreign"]>["input"],
): NonNullable<Example["foreign"]> => ({ kind, input });

/** Examples of consumers, suppliers and transformers. */
export const partyExamples: Examples = {
  ...ofKind("consumer", "_id"),
  ...ofKind("supplier", "_id"),
  ...ofKind("transformer", "id"),
  "subject.types": {},
  "consumer.create": {
    input: () => ({ body: { name: "Water utility", subject_type_id: 2, registration_number: "77" } }),
  },
  "consumer.export": {
    input: ({ ours }) => ({ body: { consumer_id: ours.consumer } }),
    foreign: foreign("consumer", (id) => ({ body: { consumer_id: id } })),
  },
  "consumer.erase": {
    input: async (fixture) => ({ body: { consumer_id: await aParty(fixture, "consumer") } }),
    foreign: foreign("consumer", (id) => ({ body: { consumer_id: id } })),
  },
  "supplier.create": { input: () => ({ body: { name: "Power plant", inn: "7701234567" } }) },
  "transformer.create": {
    input: () => ({
      body: { title: "TT-100", kind: "current", primary_value: 100, secondary_value: 5 },
    }),
  },
};
