import { expect, it } from "vitest";
import { boxAround, labelsOf } from "./labels.ts";

const place = (text: string, x: number, y: number) => ({ key: text, text, at: { x, y } });

it("names of places stand clear of each other and of the marks; one without room is left out", () => {
  const marks = [boxAround({ x: 100, y: 76 }, 18)];
  const streets = [place("Sukhbaatar", 100, 100), place("Nogoon", 104, 100), place("Far", 600, 600)];

  const { places } = labelsOf({ places: streets, objects: [] }, marks);

  const [first, second, far] = places.map(({ text, at }) => [text, at.y]);
  // Above and on the place is a mark; below the first one the second finds room.
  expect([first, second, far]).toEqual([
    ["Sukhbaatar", 130],
    ["Nogoon", 150],
    ["Far", 576],
  ]);
  const crowd = Array.from({ length: 20 }, (_, nth) => place(`Street ${String(nth)}`, 300, 300));
  expect(labelsOf({ places: crowd, objects: [] }, []).places.length).toBeLessThan(6);
});

it("an object whose name would lie over another one has none", () => {
  const objects = [place("House 1", 100, 100), place("House 2", 120, 102), place("House 3", 100, 140)];
  const marks = objects.map(({ at }) => boxAround(at, 11));

  expect([...labelsOf({ places: [], objects }, marks).objects]).toEqual(["House 2", "House 3"]);
});
