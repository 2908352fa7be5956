/** The given fields that differ from a stored row, with both values. */
export function differing(stored: object, fields: object) {
  const changed = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && Reflect.get(stored, name) !== value,
  );
  return {
    isNone: changed.length === 0,
    before: Object.fromEntries(changed.map(([name]) => [name, Reflect.get(stored, name) as unknown])),
    after: Object.fromEntries(changed),
  };
}
