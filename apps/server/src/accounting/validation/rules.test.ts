import { validationKinds, type ValidationKind } from "@metrum/contract";
import { expect, test } from "vitest";
import { kinds } from "./kinds/index.ts";
import { rulesFor, usualNumbers, type StoredRule } from "./rules.ts";

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

test("TRUST-031 a kind that was added is switched off as any other, for a point before its company", () => {
  const rule = (more: Partial<StoredRule>): StoredRule => ({
    ...{
      id: 1,
      kind: "voltage",
      resource: null,
      model_id: null,
      point_id: null,
      is_on: true,
      parameters: {},
    },
    ...more,
  });

  expect(rulesFor([rule({ is_on: false })], subject).has("voltage")).toBe(false);
  const both = [rule({ is_on: false }), rule({ id: 2, point_id: 7, parameters: { percent: 5 } })];
  expect(rulesFor(both, subject).get("voltage")).toMatchObject({ percent: 5 });
});
