import { fieldNames, fields, isFieldName, type FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import {
  addFieldSets,
  fieldSetsById,
  fieldSetsByKey,
  setsMadeBy,
  type FieldSetRow,
} from "./fieldSetStore.ts";
import type { FieldSet } from "./types.ts";

/** The field sets of the database, cached: they are only ever added. */
export interface FieldSets {
  byId(id: number): FieldSet | undefined;
  /** Reads the sets with these ids that are not cached yet. */
  load(ids: Iterable<number>): Promise<void>;
  /**
   * Finds or creates these sets, in their order. A company that has created too many gets the set of all
   * fields.
   */
  find(wanted: readonly WantedSet[]): Promise<readonly FieldSet[]>;
  /** The set of the fields of both. */
  union(a: FieldSet, b: FieldSet, companyId: number): Promise<FieldSet>;
}

export interface WantedSet {
  readonly names: Iterable<FieldName>;
  /** The company whose device needs the set. */
  readonly companyId: number;
}

/** Sets that the devices of one company may add. A normal model needs a dozen. */
export const setQuota = 2_000;
/** Maximum number of cached sets; beyond it the cache is cleared. */
const mostKnown = 10_000;

export function createFieldSets(pool: pg.Pool): FieldSets {
  const byKey = new Map<string, FieldSet>();
  const byId = new Map<number, FieldSet>();

  const remember = ({ id, fields: names }: FieldSetRow): FieldSet => {
    const known = byId.get(id);
    if (known) return known;
    const set = makeSet(id, names.filter(isFieldName));
    byId.set(id, set);
    byKey.set(names.join(","), set);
    return set;
  };
  const bound = (): void => {
    if (byId.size <= mostKnown) return;
    byId.clear();
    byKey.clear();
  };
  const read = async (keys: readonly string[]): Promise<void> => {
    (await fieldSetsByKey(pool, keys)).forEach(remember);
  };
  const learn = async (missing: ReadonlyMap<string, number>): Promise<void> => {
    await read([...missing.keys()]);
    const unmade = [...missing].filter(([key]) => !byKey.has(key)).sort(([a], [b]) => (a < b ? -1 : 1));
    if (unmade.length === 0) return;
    const allowed = await withinQuota(pool, unmade);
    if (allowed.length < unmade.length) allowed.push([widestKey, null]);
    await addFieldSets(pool, allowed);
    await read(allowed.map(([key]) => key));
  };
  const find = async (wanted: readonly WantedSet[]): Promise<readonly FieldSet[]> => {
    bound();
    const keys = wanted.map(({ names }) => [...new Set(names)].sort().join(","));
    const missing = new Map<string, number>();
    keys.forEach((key, at) => {
      const companyId = wanted[at]?.companyId;
      if (companyId !== undefined && !byKey.has(key)) missing.set(key, companyId);
    });
    if (missing.size > 0) await learn(missing);
    return keys.map((key) => {
      const set = byKey.get(key) ?? byKey.get(widestKey);
      if (!set) throw new Error("a field set could be neither found nor created");
      return set;
    });
  };

  return {
    byId: (id) => byId.get(id),
    find,
    async load(ids) {
      bound();
      const missing = [...new Set(ids)].filter((id) => !byId.has(id));
      if (missing.length === 0) return;
      (await fieldSetsById(pool, missing)).forEach(remember);
    },
    async union(a, b, companyId) {
      if (holdsAll(a, b)) return a;
      if (holdsAll(b, a)) return b;
      const [set] = await find([{ names: [...a.fields, ...b.fields], companyId }]);
      return set ?? a;
    },
  };
}

/** All fields of the vocabulary: the upper bound of any set. */
const widestKey = [...fieldNames].sort().join(",");

/** The sets that their companies may still create. */
async function withinQuota(
  pool: pg.Pool,
  unmade: readonly (readonly [string, number])[],
): Promise<(readonly [string, number | null])[]> {
  const made = await setsMadeBy(pool, new Set(unmade.map(([, companyId]) => companyId)));
  return unmade.filter(([, companyId]) => {
    const n = (made.get(companyId) ?? 0) + 1;
    made.set(companyId, n);
    return n <= setQuota;
  });
}

/** Whether the first set has every field of the second. */
export function holdsAll(set: FieldSet, other: FieldSet): boolean {
  return set.id === other.id || other.fields.every((name) => set.at.has(name));
}

/** Values reordered from one set to another; fields missing in the other are lost. */
export function inOrderOf<Value>(
  set: FieldSet,
  from: FieldSet,
  v: readonly (Value | null)[],
): readonly (Value | null)[] {
  if (set.id === from.id) return v;
  return set.fields.map((name) => v[from.at.get(name) ?? -1] ?? null);
}

/** A set of these names, which are sorted. */
export function makeSet(id: number, names: readonly FieldName[]): FieldSet {
  const positions = names.map((_, at) => at);
  const isCounter = (at: number): boolean => {
    const name = names[at];
    return name !== undefined && fields[name].kind === "counter";
  };
  return {
    id,
    fields: names,
    counters: positions.filter(isCounter),
    moving: positions.filter((at) => !isCounter(at)),
    at: new Map(names.map((name, at) => [name, at])),
  };
}
