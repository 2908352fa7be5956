/** `settings` of a control: bounds of the arguments of its command. */
export type Bounds = Readonly<Record<string, unknown>>;

/** A bound of an argument, if the model has one. */
function boundOf(bounds: Bounds, name: string, which: "minimum" | "maximum"): number | undefined {
  const own = bounds[name];
  if (typeof own !== "object" || own === null) return undefined;
  const value: unknown = Reflect.get(own, which);
  return typeof value === "number" ? value : undefined;
}

export const taskParameters = [
  "param1",
  "param2",
  "param3",
  "param4",
  "param5",
  "param6",
  "param7",
  "param8",
] as const;
/** Numbers of a task of the scheduler beside its id. */
export const taskNumbers = ["delay", ...taskParameters, "profile", "refresh"] as const;
export type TaskNumber = (typeof taskNumbers)[number];

export type TaskValues = { readonly task_id: number | null } & {
  readonly [Name in TaskNumber]: number | null;
};

/** Maximum of a number whose model gives none. */
const usualMaximum = 255;

export const maximumOf = (bounds: Bounds, name: TaskNumber): number =>
  boundOf(bounds, name, "maximum") ?? usualMaximum;

/** Task ids of a model; undefined if its settings do not have them. */
export function taskIdsOf(bounds: Bounds): readonly number[] | undefined {
  if (bounds["task_id"] === undefined) return undefined;
  const minimum = boundOf(bounds, "task_id", "minimum") ?? 0;
  const maximum = boundOf(bounds, "task_id", "maximum") ?? usualMaximum;
  return Array.from({ length: Math.max(0, maximum - minimum + 1) }, (_, at) => minimum + at);
}

/** The known values of a task; unknown ones are null. */
export function taskOf(
  id: number | null,
  stored: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>,
): TaskValues {
  const known = stored[String(id)] ?? {};
  const numberAt = (name: TaskNumber) => {
    const value = known[name];
    return typeof value === "number" ? value : null;
  };
  const none = {
    ...{ delay: null, profile: null, refresh: null },
    ...{ param1: null, param2: null, param3: null, param4: null },
    ...{ param5: null, param6: null, param7: null, param8: null },
  };
  return { ...none, ...Object.fromEntries(taskNumbers.map((name) => [name, numberAt(name)])), task_id: id };
}

/** A task without missing numbers. */
export type WholeTask = Readonly<Record<TaskNumber | "task_id", number>>;

/** Whether no number is missing. */
export const isWhole = (values: TaskValues): values is WholeTask =>
  Object.values(values).every((value) => value !== null);
