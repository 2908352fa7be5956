/** The values of a record; those that it lacks are as in a new one. */
export function filled<Values extends object>(
  fresh: Values,
  record: { readonly [Name in keyof Values]?: Values[Name] | null | undefined } | null,
): Values {
  const entries = Object.entries(fresh).map(([name, none]): [string, unknown] => [
    name,
    (record && Reflect.get(record, name)) ?? none,
  ]);
  return Object.fromEntries(entries) as Values;
}
