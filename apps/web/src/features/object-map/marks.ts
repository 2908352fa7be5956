import type { PlanePoint } from "./plane.ts";

/** The nearest of several points in a direction of the screen; undefined if there is none on that side. */
export function besideOf<Point extends PlanePoint>(
  points: readonly Point[],
  from: PlanePoint,
  [right, down]: readonly [number, number],
): Point | undefined {
  let [best, least]: [Point | undefined, number] = [undefined, Infinity];
  for (const point of points) {
    const [x, y] = [point.x - from.x, point.y - from.y];
    const [ahead, aside] = [x * right + y * down, Math.abs(x * down) + Math.abs(y * right)];
    // What lies more to the side than ahead is reached by another key.
    if (ahead <= 0 || aside > ahead * 2) continue;
    const far = ahead + aside * 2;
    if (far < least) [best, least] = [point, far];
  }
  return best;
}

interface Mark extends PlanePoint {
  readonly element: SVGElement;
}

const marksOn = (area: Element): Mark[] =>
  [...area.querySelectorAll<SVGElement>("svg [role=button]")].map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { element, x: left + width / 2, y: top + height / 2 };
  });

/** Moves the focus to the mark nearest to the middle of the map. */
export function focusMiddle(area: Element): void {
  const { left, top, width, height } = area.getBoundingClientRect();
  const far = ({ x, y }: PlanePoint) => Math.hypot(x - left - width / 2, y - top - height / 2);
  const [first] = marksOn(area).sort((a, b) => far(a) - far(b));
  first?.element.focus();
}

/** Moves the focus from a mark to the next one in a direction. */
export function focusBeside(area: Element, mark: Element, direction: readonly [number, number]): void {
  const marks = marksOn(area);
  const from = marks.find(({ element }) => element === mark);
  if (from) besideOf(marks, from, direction)?.element.focus();
}
