import { isFieldName, type FieldName } from "@metrum/vocabulary";
import type { DeviceMetadata, FieldSet, FieldSets, Incoming, Values, WantedSet } from "../rows/index.ts";
import type { Latest } from "../latest/index.ts";

/**
 * Names of the values of each reading; undefined if one is no field. Consecutive readings with the same names
 * share one array, so that repeated names cost little.
 */
export function namesOf(batch: readonly Incoming[]): readonly (readonly FieldName[] | undefined)[] {
  let names: readonly string[] = [];
  let fields: readonly FieldName[] | undefined = [];
  return batch.map(({ values }) => {
    if (!hasNames(values, names)) {
      names = Object.keys(values);
      const known = names.filter(isFieldName);
      fields = known.length === names.length ? known : undefined;
    }
    return fields;
  });
}

function hasNames(values: Values, names: readonly string[]): boolean {
  let at = 0;
  for (const name in values) {
    if (name !== names[at]) return false;
    at += 1;
  }
  return at === names.length;
}

/** Readings of one device and message type, ordered by time. */
export interface Group<Each> {
  readonly device: DeviceMetadata;
  readonly msgType: number;
  readonly readings: readonly Each[];
}

/**
 * The set of each group: that of its latest values, or the union if a reading has new fields. So a device and
 * message type has one set, which only grows.
 */
export async function setsOf(
  groups: readonly Group<{ readonly names: readonly FieldName[] }>[],
  deps: {
    readonly sets: FieldSets;
    readonly latestOf: (deviceId: number, msgType: number) => Latest | undefined;
  },
): Promise<readonly FieldSet[]> {
  const wanted: WantedSet[] = [];
  const places: number[] = [];
  const found = groups.map((group, at) => {
    const set = deps.latestOf(group.device.id, group.msgType)?.set;
    const names = missing(group, set);
    if (set && names.size === 0) return set;
    wanted.push({ names: [...(set?.fields ?? []), ...names], companyId: group.device.companyId });
    places.push(at);
    return undefined;
  });
  const made = wanted.length > 0 ? await deps.sets.find(wanted) : [];
  made.forEach((set, at) => (found[places[at] ?? -1] = set));
  return found.map((set) => {
    if (!set) throw new Error("a group of readings has no field set");
    return set;
  });
}

function missing(
  { readings }: Group<{ readonly names: readonly FieldName[] }>,
  set: FieldSet | undefined,
): ReadonlySet<FieldName> {
  let names: Set<FieldName> | undefined;
  let last: readonly FieldName[] | undefined;
  for (const reading of readings) {
    if (reading.names === last) continue;
    last = reading.names;
    for (const name of last) if (!set?.at.has(name)) (names ??= new Set()).add(name);
  }
  return names ?? nothing;
}

const nothing: ReadonlySet<FieldName> = new Set();
