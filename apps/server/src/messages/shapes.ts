import { isFieldName } from "@metrum/vocabulary";
import type { FieldSets } from "./fieldSets.ts";
import type { FieldSet, Incoming, Values } from "./types.ts";

/** Field sets of a reading: all its fields, and those that hold a number. */
export interface Shape {
  readonly set: FieldSet;
  readonly daySet: FieldSet;
}

/** The shape of each reading; undefined where a name is no field. Names that repeat from reading to reading cost little. */
export async function shapesOf(
  batch: readonly Incoming[],
  sets: FieldSets,
): Promise<readonly (Shape | undefined)[]> {
  const keys = new Array<string>(batch.length);
  const dayKeys = new Array<string>(batch.length);
  const unknown = new Set<string>();
  let names: string[] = [];
  let key = "";
  batch.forEach(({ values }, at) => {
    const holes = look(values, names);
    if (holes === undefined) {
      names = Object.keys(values);
      key = names.join(",");
    }
    const dayKey =
      (holes ?? look(values, names))
        ? names.filter((name) => isNumber(values[name as never])).join(",")
        : key;
    keys[at] = key;
    dayKeys[at] = dayKey;
    if (!sets.known(key)) unknown.add(key);
    if (!sets.known(dayKey)) unknown.add(dayKey);
  });
  if (unknown.size > 0) await sets.learn([...unknown].filter(isKnownKey));
  return shapes(keys, dayKeys, sets);
}

/** Whether some value is no number; undefined when the names are not these. */
function look(values: Values, names: readonly string[]): boolean | undefined {
  let at = 0;
  let holes = false;
  for (const name in values) {
    if (name !== names[at]) return undefined;
    at += 1;
    if (!isNumber(values[name as keyof Values])) holes = true;
  }
  return at === names.length && at > 0 ? holes : undefined;
}

function shapes(keys: readonly string[], dayKeys: readonly string[], sets: FieldSets): (Shape | undefined)[] {
  let last: Shape | undefined;
  return keys.map((key, at) => {
    const set = sets.known(key);
    const daySet = sets.known(dayKeys[at] ?? "");
    if (!set || !daySet) return undefined;
    if (last?.set !== set || last.daySet !== daySet) last = { set, daySet };
    return last;
  });
}

/** What is no finite number was not measured. */
export const isNumber = (value: number | null | undefined): value is number =>
  typeof value === "number" && Number.isFinite(value);

const isKnownKey = (key: string): boolean => key === "" || key.split(",").every(isFieldName);
