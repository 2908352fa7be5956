import { thingKinds } from "@metrum/contract";
import { describe, expect, test } from "vitest";
import { valueOf } from "./cells.ts";
import { fieldsOfThings } from "./fields.ts";

describe("XLS-016 the example of a template", () => {
  test.each(thingKinds)("of %s has only values that an import takes", (kind) => {
    const wrong = fieldsOfThings[kind].flatMap((field) => {
      const value = valueOf(field, field.example, { kind, stations: new Map() });
      return value && "fault" in value ? [field.field] : [];
    });

    expect(wrong).toEqual([]);
  });
});

describe("XLS-016 a model in a cell", () => {
  const field = fieldsOfThings.devices.find(({ as }) => as === "model");
  const read = (cell: string) => field && valueOf(field, cell, { kind: "devices", stations: new Map() });

  test("is found by its whole name, with or without its brand", () => {
    expect(read("mercury 230 art")).toEqual({ value: 120 });
    expect(read("Incotex Mercury 230 ART")).toEqual({ value: 120 });
  });

  test("is not guessed from a part of a name; those that have the part are named", () => {
    const found = read("Mercury 23");

    expect(found).toMatchObject({ fault: { fault: "model_like" } });
    expect(JSON.stringify(found)).toContain("Incotex Mercury 230 ART");
    expect(read("Mercury 23x")).toEqual({ fault: { fault: "unknown_model", params: {} } });
    expect(read("X")).toEqual({ fault: { fault: "unknown_model", params: {} } });
  });
});
