import { wrongTotals } from "../../apps/server/src/testing/series/whyCases.ts";
import { atMost, reported, type Bench } from "../report.ts";

/** `npm run bench -- why 10000`: histories of points by chance. */
const cases = Number(process.argv[3] ?? 10_000);
/** Differences that are printed; all are counted. */
const shown = 5;

export const bench: Bench = {
  title: `totals of ${cases.toLocaleString("en")} histories by chance, compared with the parts that explain them`,
  run() {
    const began = performance.now();
    const wrong = wrongTotals(cases);
    for (const each of wrong.slice(0, shown)) console.error(`  ${each.map(String).join(", ")}`);
    return Promise.resolve([
      reported("histories", cases, "items"),
      reported("histories a second", cases / ((performance.now() - began) / 1000), "items/s"),
      atMost("totals that are not the sum of their parts", wrong.length, "items", 0),
    ]);
  },
};
