/** `{1,NULL,2.5}` is JSON apart from the braces and the capitals. */
export function parseValues(text: string): (number | null)[] {
  const inside = text.slice(1, -1);
  return JSON.parse(`[${inside.includes("N") ? inside.replaceAll("NULL", "null") : inside}]`) as (
    | number
    | null
  )[];
}

/** A value that is no finite number was not measured. */
export const isNumber = (value: number | null | undefined): value is number =>
  typeof value === "number" && Number.isFinite(value);
