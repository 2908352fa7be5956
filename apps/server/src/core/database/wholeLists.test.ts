import { describe, expect, it } from "vitest";
import { WholeLists } from "./wholeLists.ts";

describe("the lists of a file", () => {
  const ids = Array.from({ length: 2_500 }, (_, n) => 3 * n);

  it("are each found once for all their pages, also for pages asked at the same time", async () => {
    const lists = new WholeLists();
    const asked: string[] = [];
    const page = (key: string, offset: number) =>
      lists.page(key, { limit: 1_000, offset }, ({ limit, offset: from }) => {
        asked.push(`${key} ${String(limit)} ${String(from)}`);
        return Promise.resolve({ total: ids.length, ids });
      });

    const pages = await Promise.all([page("a", 0), page("a", 1_000), page("b", 0)]);
    const [last, behind] = [await page("a", 2_000), await page("a", 3_000)];

    expect(asked).toEqual(["a 1000000 0", "b 1000000 0"]);
    expect(pages.map((each) => each.ids)).toEqual([
      ids.slice(0, 1_000),
      ids.slice(1_000, 2_000),
      ids.slice(0, 1_000),
    ]);
    expect(last).toEqual({ total: 2_500, ids: ids.slice(2_000) });
    expect(behind.ids).toEqual([]);
  });
});
