import { expect, it } from "vitest";
import { progressOn } from "./recountProgress.ts";

const totals = [
  { of: "devices", total: 100 },
  { of: "points", total: 50 },
];

/** What is written when a device takes two seconds. */
function written(isTTY: boolean): string[] {
  let ms = 0;
  const texts: string[] = [];
  const progress = progressOn({ isTTY, write: (text) => texts.push(text) }, { monotonicMs: () => ms });
  for (let done = 0; done <= 60; done++, ms += 2_000)
    progress.note({ of: "devices", done, totals, rows: done * 1_000 });
  return texts;
}

it("TRUST-029 progress is a line a minute where nobody watches, with the time left for all", () => {
  expect(written(false)).toEqual([
    "devices: 30 of 100, 30,000 rows, 4 min left in all\n",
    "devices: 60 of 100, 60,000 rows, 3 min left in all\n",
  ]);
});

it("TRUST-029 on a terminal progress is one line that is written over", () => {
  const texts = written(true);

  expect(texts.length).toBeGreaterThan(50);
  expect(texts.every((text) => text.startsWith("\r\u001B[K") && !text.includes("\n"))).toBe(true);
});
