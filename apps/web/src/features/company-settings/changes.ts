/** A value changed by an action; undefined if absent before or after. */
export interface Change {
  /** Path of the field: "options.only_api". */
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Differences between two states, field by field; lists are compared as wholes. */
export function changesOf(before: unknown, after: unknown): readonly Change[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const fields = [...new Set([...old.keys(), ...now.keys()])];
  return fields
    .map((field) => ({ field, before: old.get(field), after: now.get(field) }))
    .filter((each) => each.before !== each.after);
}

function leavesOf(value: unknown, path = ""): ReadonlyMap<string, string> {
  if (value === null || value === undefined) return path === "" ? new Map() : new Map([[path, "—"]]);
  if (typeof value !== "object" || Array.isArray(value)) return new Map([[path, textOf(value)]]);
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [
      ...leavesOf(inner, path === "" ? key : `${path}.${key}`),
    ]),
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
