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
