import { validationKinds, type ValidationKind } from "@metrum/contract/accounting";
import { expect, test } from "vitest";
import { allKinds, kinds } from "../kinds/index.ts";
import { faultsOf, holdingRules, levelOf, rulesFor, usualNumbers, type StoredRule } from "./rules.ts";

const added = ["contract_power", "interval_sum", "voltage", "no_consumer", "foreign_serial"] as const;
const subject = { resource: "electricity", modelId: 1, pointIds: [7] } as const;

/** Own rules of a company from before these kinds were added: each of the others changed for all devices. */
const stored = (is_on: boolean): StoredRule[] =>
  validationKinds
    .filter((kind) => !(added as readonly ValidationKind[]).includes(kind))
    .map((kind, at) => ({
      ...{ id: at + 1, kind, resource: null, model_id: null, point_id: null, is_on },
      parameters: { of_an_earlier_release: 5 },
    }));

test("TRUST-031 a company whose own rules lack the kinds that were added is judged by them with the usual numbers", () => {
  const before = rulesFor(stored(false), subject);
  const after = rulesFor(stored(true), subject);

  expect([...before.keys()].toSorted()).toEqual([...added].toSorted());
  for (const kind of added) expect(before.get(kind)).toEqual(usualNumbers(kinds[kind], "electricity"));
  expect([...after.keys()].toSorted()).toEqual([...validationKinds].toSorted());
  for (const [kind, numbers] of after) expect(numbers).toEqual(usualNumbers(kinds[kind], "electricity"));
});

const rule = (more: Partial<StoredRule>): StoredRule => ({
  ...{ id: 1, kind: "voltage", resource: null, model_id: null, point_id: null, is_on: true, parameters: {} },
  ...more,
});

test("TRUST-031 a kind that was added is switched off as any other, for a point before its company", () => {
  expect(rulesFor([rule({ is_on: false })], subject).has("voltage")).toBe(false);
  const both = [rule({ is_on: false }), rule({ id: 2, point_id: 7, parameters: { percent: 5 } })];
  expect(rulesFor(both, subject).get("voltage")).toMatchObject({ percent: 5 });
});

test("TRUST-014 a rule holds for what it names and nothing else, the most specific first", () => {
  const all = [
    rule({ id: 1 }),
    rule({ id: 2, resource: "water" }),
    rule({ id: 3, resource: "electricity" }),
    rule({ id: 4, model_id: 1 }),
    rule({ id: 5, model_id: 2 }),
    rule({ id: 6, point_id: 7 }),
    rule({ id: 7, point_id: 8 }),
    rule({ id: 8, resource: "electricity", model_id: 2 }),
    rule({ id: 9, resource: "electricity", model_id: 1, point_id: 8 }),
    rule({ id: 10, resource: "electricity", model_id: 1, point_id: 7 }),
  ];
  const idsFor = (of: Parameters<typeof holdingRules>[1]) => holdingRules(all, of).map(({ id }) => id);

  expect(all.map(levelOf)).toEqual([
    ...["company", "resource", "resource", "model", "model", "point", "point", "model", "point", "point"],
  ]);
  expect(idsFor(subject)).toEqual([6, 10, 4, 3, 1]);
  expect(idsFor({ ...subject, modelId: null, pointIds: [] })).toEqual([3, 1]);
  expect(idsFor({ resource: "water", modelId: 2, pointIds: [8, 9] })).toEqual([7, 5, 2, 1]);
});

test("TRUST-014 a number of a rule is right from its least to its greatest, and one that the kind lacks is named", () => {
  for (const { name, parameters } of allKinds) {
    for (const { name: number, min, max, step } of parameters) {
      const faults = (value: number) => faultsOf(name, { [number]: value });
      expect([faults(min), faults(max), faults((min + max) / 2)]).toEqual([{}, {}, {}]);
      const wrong = { [number]: [min, max] };
      expect([faults(min - step), faults(max + step)], `${name} ${number}`).toEqual([wrong, wrong]);
    }
    expect(faultsOf(name, { of_an_earlier_release: 5 })).toEqual({ of_an_earlier_release: null });
    expect(faultsOf(name, {})).toEqual({});
  }
});
