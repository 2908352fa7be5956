import { describe, expect, it } from "vitest";
import { holdRows } from "./heldRows.ts";

const row = (id: number, value: number) => ({ id, value });
const key = (each: { readonly id: number }) => String(each.id);

describe("rows under the pointer", () => {
  const held = [row(1, 10), row(2, 20)];

  it("keep their positions with new values, and new rows wait", () => {
    const { rows, waiting } = holdRows([row(3, 30), row(2, 21), row(1, 10)], held, key);

    expect(rows).toEqual([row(1, 10), row(2, 21)]);
    expect(waiting).toBe(1);
  });

  it("stay even after removal", () => {
    expect(holdRows([row(2, 20)], held, key).rows).toEqual(held);
  });

  it("are drawn as they arrive without a pointer", () => {
    const fresh = [row(3, 30)];

    expect(holdRows(fresh, null, key)).toEqual({ rows: fresh, waiting: 0 });
  });
});
