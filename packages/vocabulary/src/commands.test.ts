import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argumentsSchema, narrowedFields, type Command, type CommandField } from "./commandArguments.ts";
import { changesDevice, commands } from "./commands.ts";
import { languages } from "./text.ts";

const title = { ru: "Т", en: "T", mn: "Т" };
const limit = {
  key: "limit",
  title,
  kind: "number",
  unit: "kW",
  minimum: 0.5,
  maximum: 100,
  step: 0.1,
  isRequired: true,
} as const satisfies CommandField;
const mode = {
  key: "mode",
  title,
  kind: "choice",
  choices: [
    { value: "off", title },
    { value: "on", title },
    { value: 7, title },
  ],
  isRequired: true,
} as const satisfies CommandField;
const saved = {
  key: "is_saved",
  title,
  kind: "switch",
  isRequired: false,
} as const satisfies CommandField;
const commandWith = (fields: readonly CommandField[]): Command => ({
  key: "test",
  title,
  changesDevice: true,
  actuates: true,
  confirmation: title,
  readsBack: [2],
  arguments: fields,
});
const isTaken = (command: Command, given: unknown, by = {}) =>
  argumentsSchema(command, by).safeParse(given).success;

describe("arguments of a command", () => {
  const command = commandWith([limit, mode, saved]);

  it("are accepted on every step between the limits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 995 }), fc.constantFrom("off", "on", 7), (steps, chosen) => {
        expect(isTaken(command, { limit: 0.5 + steps * 0.1, mode: chosen })).toBe(true);
        expect(isTaken(command, { limit: 0.5 + (steps + 0.5) * 0.1, mode: chosen })).toBe(false);
      }),
    );
  });

  it("are accepted if and only if each matches its field", () => {
    const some = fc.oneof(
      fc.integer({ min: -5, max: 130 }),
      fc.constantFrom("off", "on", 7, true, null),
      fc.string(),
    );
    fc.assert(
      fc.property(some, some, fc.option(some, { nil: undefined }), (first, second, third) => {
        const given = { limit: first, mode: second, ...(third === undefined ? {} : { is_saved: third }) };
        const isNumber = typeof first === "number" && first >= 0.5 && first <= 100;
        const isChoice = second === "off" || second === "on" || second === 7;
        const isSwitch = third === undefined || typeof third === "boolean";

        expect(isTaken(command, given)).toBe(isNumber && isChoice && isSwitch);
      }),
    );
  });

  it("are complete with the required ones, without others", () => {
    expect(isTaken(command, { limit: 5 })).toBe(false);
    expect(isTaken(command, { limit: 5, mode: "on", colour: "red" })).toBe(false);
    expect(isTaken(command, 1)).toBe(false);
  });

  it("that depend on another are present with it and not without", () => {
    const dependent = commandWith([mode, { ...limit, dependsOn: { key: "mode", values: ["on", 7] } }]);

    expect(isTaken(dependent, { mode: "on", limit: 5 })).toBe(true);
    expect(isTaken(dependent, { mode: "on" })).toBe(false);
    expect(isTaken(dependent, { mode: "off" })).toBe(true);
    expect(isTaken(dependent, { mode: "off", limit: 5 })).toBe(false);
  });
});

describe("a model", () => {
  const command = commandWith([limit, mode]);

  it("narrows a command, and never widens it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10, max: 150 }),
        fc.integer({ min: -10, max: 150 }),
        fc.integer({ min: 0, max: 995 }),
        (min, max, steps) => {
          const value = Number((0.5 + steps * 0.1).toFixed(1));
          const isInside = value >= min && value <= max;

          expect(isTaken(command, { limit: value, mode: "on" }, { limit: { min, max } })).toBe(isInside);
        },
      ),
    );
    const by = { limit: { min: 0, max: 60 }, mode: { choices: ["on", "sideways"] } };
    expect(isTaken(command, { limit: 60, mode: "on" }, by)).toBe(true);
    expect(isTaken(command, { limit: 60.1, mode: "on" }, by)).toBe(false);
    expect(isTaken(command, { limit: 60, mode: "off" }, by)).toBe(false);
    expect(isTaken(command, { limit: 60, mode: "sideways" }, by)).toBe(false);
    expect(narrowedFields([limit], by)).toMatchObject([{ minimum: 0.5, maximum: 60 }]);
  });
});

describe("the commands of this release", () => {
  it("have a title in three languages, and a confirmation before anything is actuated", () => {
    for (const { title: own, ...command } of commands as readonly Command[]) {
      expect(languages.every((language) => own[language] !== "")).toBe(true);
      if (command.actuates) expect(command.confirmation).toBeDefined();
    }
  });

  it("without arguments accept their value alone", () => {
    for (const command of commands) {
      expect(isTaken(command, command.arguments.value)).toBe(true);
      for (const other of [0, 2, false, "1", {}, null]) expect(isTaken(command, other)).toBe(false);
    }
  });

  it("that are unlisted count as changing the device", () => {
    expect(changesDevice("power")).toBe(true);
    expect(changesDevice("now_value")).toBe(false);
  });
});
