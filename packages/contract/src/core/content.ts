/** JSON with the keys of every object in one order: PostgreSQL keeps those of `jsonb` in an order of its own. */
export const contentText = (value: unknown): string => JSON.stringify(value, inOrder);

/** Whether two values have the same content as JSON, whatever the order of their keys. */
export const isSameContent = (one: unknown, other: unknown): boolean =>
  contentText(one) === contentText(other);

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
