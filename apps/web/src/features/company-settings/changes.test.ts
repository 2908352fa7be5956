import { describe, expect, it } from "vitest";
import { changesOf } from "./changes.ts";

describe("what an entry of the log changed", () => {
  it("SERV-027 is listed field by field, without unchanged fields", () => {
    const before = { name: "A", options: { only_api: false, zone: "x" }, list: [1, 2] };
    const after = { name: "B", options: { only_api: true, zone: "x" }, list: [1, 3] };

    expect(changesOf(before, after)).toEqual([
      { field: "name", before: "A", after: "B" },
      { field: "options.only_api", before: "false", after: "true" },
      { field: "list", before: "[1,2]", after: "[1,3]" },
    ]);
  });

  it("has one side for a creation or deletion, none without details", () => {
    expect(changesOf(null, { name: "A", inn: null })).toEqual([
      { field: "name", before: undefined, after: "A" },
      { field: "inn", before: undefined, after: "—" },
    ]);
    expect(changesOf({ name: "A" }, null)).toEqual([{ field: "name", before: "A", after: undefined }]);
    expect(changesOf(null, null)).toEqual([]);
  });
});
