import { contract } from "@metrum/contract/calls";
import type { Call } from "@metrum/contract/core";
import type { Answer } from "../api.ts";
import { examples } from "./examples.ts";
import { idKindOf, isPlatformCall } from "./idKinds.ts";
import type { Fixture, Records } from "../records.ts";
import { anyItem, fieldsOf, isIdField, refusedFieldsOf, withField, type Field } from "./schemaFields.ts";

/** An id that does not exist: the largest the contract accepts. */
export const unknownId = 2_147_483_647;

/** Every field of every call that names a record, by its name. */
export const idFields = [...contract.values()].flatMap((call) => {
  const refused = refusedFieldsOf(call);
  return fieldsOf(call)
    .filter((field) => isIdField(field) && !refused.has(field.path.join(".")))
    .map((field): [string, Call, Field] => [`${call.id} ${field.path.join(".")}`, call, field]);
});
export const walkedFields = idFields.filter(
  ([, call]) => !isPlatformCall(call) && examples[call.id]?.build === undefined,
);

/** A request that names a record in one of its fields. */
export interface IdAttack {
  readonly call: Call;
  readonly field: Field;
  readonly kind: keyof Records;
  /** It narrows a list: an unknown id is no mistake. */
  readonly isFilter: boolean;
  /** Kinds of the records in the request. */
  readonly kinds: ReadonlySet<keyof Records>;
  /** The request as its owner sends it, with the id of a fresh record. */
  readonly inputFor: (records: Records, id: number) => Promise<object>;
}

/** Undefined for a field whose records are common to all companies. */
export async function idAttackOf(fixture: Fixture, call: Call, field: Field): Promise<IdAttack | undefined> {
  const named = idKindOf(call, field);
  if (named === undefined || named === "everybody's") return undefined;
  const kind = named.replace("filter:", "") as keyof Records;
  const kinds = (await kindsReadBy(fixture, call)).add(kind);
  const inputFor = async (records: Records, id: number) => {
    const input = (await examples[call.id]?.input?.({ ...fixture, ours: records })) ?? {};
    return withField(input, field.path, valueOf(field, id)) as object;
  };
  return { call, field, kind, isFilter: named.startsWith("filter:"), kinds, inputFor };
}

const valueOf = ({ path }: Field, id: number): number | string => (path[0] === "body" ? id : String(id));

/** Kinds of records that the example of a call reads: only those are made. */
export async function kindsReadBy(fixture: Fixture, { id }: Call): Promise<Set<keyof Records>> {
  const read = new Set<keyof Records>();
  const ours = new Proxy(fixture.ours, {
    get: (records, kind: keyof Records) => {
      read.add(kind);
      return records[kind];
    },
  });
  await examples[id]?.input?.({ ...fixture, ours });
  return read;
}

/** The request with the id alone, and if the field is a list also next to an own one. */
export function variantsOf(
  field: Field,
  { input, id: own }: { readonly input: object; readonly id: number },
  id: number,
): object[] {
  if (field.path.at(-1) !== anyItem) return [withField(input, field.path, valueOf(field, id)) as object];
  const list = field.path.slice(0, -1);
  return [[id], [own, id], [id, own]].map((ids) => withField(input, list, ids) as object);
}

/** Headers without those that differ at every request. */
export const headersOf = ({ headers }: Answer<unknown>): object => ({
  ...headers,
  "x-request-id": "",
  date: "",
});
