import type { PlanePoint } from "./plane.ts";

/** A rectangle of the screen, pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Height of a line, and mean width of a character, of labels. */
const line = 15;
const character = 6.8;
/** Where a name may stand: pixels below its place. */
const offsets = [-24, 4, 30, -44, 50] as const;

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export const boxAround = ({ x, y }: PlanePoint, radius: number): Box => ({
  left: x - radius,
  top: y - radius,
  right: x + radius,
  bottom: y + radius,
});

/** The box of a text whose baseline begins at a point, or has its middle there. */
function boxOf(text: string, { x, y }: PlanePoint, anchor: "start" | "middle"): Box {
  const width = text.length * character;
  const left = anchor === "start" ? x : x - width / 2;
  return { left, top: y - line + 3, right: left + width, bottom: y + 3 };
}

export interface Named<Key> {
  readonly key: Key;
  readonly text: string;
  readonly at: PlanePoint;
}

/**
 * Texts that find room beside the marks and beside each other, with the place of each; the first ones win. Names of
 * places stand around their middle, names of objects to the right of their mark.
 */
export function labelsOf<Key>(
  { places, objects }: { readonly places: readonly Named<string>[]; readonly objects: readonly Named<Key>[] },
  marks: readonly Box[],
): { readonly places: readonly Named<string>[]; readonly objects: ReadonlySet<Key> } {
  const taken = [...marks];
  const isFree = (box: Box) => taken.every((other) => !overlap(box, other));
  const named = new Set<Key>();
  for (const { key, text, at } of objects) {
    const box = boxOf(text, { x: at.x + 14, y: at.y + 4 }, "start");
    if (!isFree(box)) continue;
    taken.push(box);
    named.add(key);
  }
  const placed = places.flatMap((place): Named<string>[] => {
    for (const offset of offsets) {
      const at = { x: place.at.x, y: place.at.y + offset };
      const box = boxOf(place.text, at, "middle");
      if (!isFree(box)) continue;
      taken.push(box);
      return [{ ...place, at }];
    }
    return [];
  });
  return { places: placed, objects: named };
}
