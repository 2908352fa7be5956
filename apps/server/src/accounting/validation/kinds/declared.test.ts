import { validationKinds } from "@metrum/contract/accounting";
import type { Text } from "@metrum/vocabulary";
import { expect, test } from "vitest";
import { allKinds, kinds } from "./index.ts";
import type { Parameter } from "./kind.ts";

const resources = ["electricity", "heat", "water", "gas"] as const;

const lineOf = ({ name, unit, min, max, step, usual }: Parameter): string => {
  const own = resources.flatMap((of) => (usual[of] === undefined ? [] : [`${of} ${String(usual[of])}`]));
  return `${name}, ${unit}: ${String(min)} to ${String(max)} by ${String(step)}; ${[usual.other, ...own].join(", ")}`;
};

const isSaid = (said: Text, of: RegExp): boolean =>
  [said.ru, said.en, said.mn].every((each) => of.test(each));

test("TRUST-014 every kind, number and finding has its words in each language", () => {
  for (const { title, about, limit, parameters, says } of allKinds)
    for (const said of [title, about, limit, ...parameters.map((each) => each.title), ...Object.values(says)])
      expect(isSaid(said, /\p{L}/u), said.en).toBe(true);
});

test("TRUST-014 a decision between two values names the one that counts then, or is refused", () => {
  const decides = kinds.duplicate.decides ?? {};

  expect(Object.keys(decides)).toEqual(["of_types", "of_sources", "entered"]);
  for (const code of ["of_types", "of_sources"]) {
    expect(decides[code] && isSaid(decides[code].accept, /\{one#\}.*\p{L}|\p{L}.*\{one#\}/u)).toBe(true);
    expect(decides[code] && isSaid(decides[code].reject, /\{other#\}.*\p{L}|\p{L}.*\{other#\}/u)).toBe(true);
  }
  expect([decides["entered"]?.accept.en, decides["entered"]?.reject.en]).toEqual([
    "{other#} counts",
    "{other#} is refused",
  ]);
  expect(decides["entered"] && isSaid(decides["entered"].reject, /\{other#\}/)).toBe(true);
});

test("TRUST-014 every kind is under its name, on for its resources, with its numbers", () => {
  expect(Object.keys(kinds).toSorted()).toEqual([...validationKinds].toSorted());
  expect(Object.entries(kinds).map(([key, { name }]) => [key, name])).toEqual(
    Object.keys(kinds).map((key) => [key, key]),
  );
  expect(
    Object.fromEntries(
      allKinds.map((each) => [
        each.name,
        {
          on: resources.filter((of) => each.isOnFor(of)).join(" "),
          ...(each.judgesProfiles && { profiles: each.judgesProfiles }),
          ...(each.doubtsNoValues && { doubts: !each.doubtsNoValues }),
          numbers: each.parameters.map(lineOf),
          says: Object.keys(each.says).join(" "),
        },
      ]),
    ),
  ).toEqual({
    clock: {
      says: "clock",
      numbers: ["seconds, seconds: 5 to 86400 by 5; 300, electricity 60", "length, count: 1 to 100 by 1; 3"],
      on: "electricity heat water gas",
    },
    contract_power: {
      says: "over",
      doubts: false,
      numbers: ["share, percent: 0 to 100 by 1; 0", "length, count: 1 to 48 by 1; 1"],
      on: "electricity",
      profiles: true,
    },
    duplicate: {
      says: "contradiction of_types of_sources entered repeated",
      numbers: ["repeats, count: 1 to 100 by 1; 2"],
      on: "electricity heat water gas",
    },
    foreign_serial: {
      says: "foreign",
      doubts: false,
      numbers: ["digits, count: 4 to 20 by 1; 6"],
      on: "electricity heat water gas",
    },
    frozen: {
      says: "frozen",
      numbers: ["longer, days: 0.25 to 60 by 0.25; 14, electricity 3, heat 30, water 30, gas 30"],
      on: "electricity water gas",
    },
    gap: {
      says: "gap",
      numbers: ["hours, hours: 0.5 to 1488 by 0.5; 24, electricity 6, water 48, gas 48"],
      on: "electricity heat water gas",
      profiles: true,
    },
    high: {
      says: "high",
      numbers: [
        "factor, times: 1.1 to 50 by 0.1; 2, heat 3, water 3, gas 3",
        "least, amount: 0 to 1000000 by 0.001; 1, electricity 5, heat 0.1, water 1, gas 3",
        "days, days: 7 to 60 by 1; 30",
      ],
      on: "electricity heat water gas",
    },
    interval_sum: {
      says: "sum",
      numbers: ["tolerance, amount: 0.001 to 1000 by 0.001; 1", "share, percent: 0 to 50 by 0.1; 2"],
      on: "electricity",
    },
    low: {
      says: "low",
      numbers: [
        "share, percent: 1 to 95 by 1; 20, heat 10",
        "least, amount: 0 to 1000000 by 0.001; 1, electricity 2, heat 0.05, water 0.3, gas 1",
        "days, days: 7 to 60 by 1; 30",
      ],
      on: "electricity heat",
    },
    negative: {
      says: "below_zero leapt fallen entered suspect",
      numbers: [],
      on: "electricity heat water gas",
      profiles: true,
    },
    no_consumer: {
      says: "no_consumer",
      doubts: false,
      numbers: ["amount, amount: 0 to 100000 by 0.001; 1, electricity 1, heat 0.01, water 0.05, gas 0.2"],
      on: "electricity heat water gas",
    },
    prolonged_estimation: {
      says: "prolonged",
      numbers: ["longer, days: 1 to 60 by 1; 10"],
      on: "electricity heat water gas",
      profiles: true,
    },
    ratio: {
      says: "ratio",
      numbers: [
        "least, times: 2 to 1000 by 1; 5",
        "tolerance, percent: 1 to 40 by 1; 20",
        "length, days: 1 to 14 by 1; 2",
      ],
      on: "electricity",
    },
    reverse_flow: {
      says: "reverse",
      numbers: ["amount, amount: 0.01 to 100000 by 0.01; 0.5", "days, days: 7 to 60 by 1; 30"],
      on: "electricity",
    },
    sibling: {
      says: "sibling",
      numbers: [
        "factor, times: 1.5 to 50 by 0.1; 4",
        "count, count: 2 to 10 by 1; 3",
        "length, days: 1 to 14 by 1; 2",
        "least, amount: 0 to 1000000 by 0.001; 1, electricity 3, heat 0.05, water 0.5, gas 2",
        "days, days: 7 to 60 by 1; 30",
      ],
      on: "electricity heat",
    },
    spike: {
      says: "spike",
      numbers: [
        "factor, times: 1.2 to 50 by 0.1; 2.5, water 4, gas 4",
        "length, count: 1 to 48 by 1; 6",
        "least, amount: 0 to 1000000 by 0.001; 1, electricity 1, heat 0.05, water 0.5, gas 1",
        "days, days: 7 to 60 by 1; 30",
      ],
      on: "electricity heat water gas",
      profiles: true,
    },
    sum_of_tariffs: {
      says: "sum",
      numbers: [
        "tolerance, amount: 0.001 to 1000 by 0.001; 3, heat 0.05",
        "share, percent: 0 to 50 by 0.1; 2",
      ],
      on: "electricity",
    },
    unit: {
      says: "unit",
      numbers: [
        "tolerance, percent: 0.1 to 10 by 0.1; 1",
        "least, amount: 0 to 1000000 by 0.001; 1, electricity 10, heat 10, water 10, gas 10",
      ],
      on: "electricity heat water gas",
    },
    voltage: {
      says: "outside phase_missing current_without_voltage phase_order",
      doubts: false,
      numbers: [
        "nominal, volts: 40 to 500 by 1; 230",
        "percent, percent: 1 to 30 by 1; 10",
        "share, percent: 0 to 95 by 1; 5",
        "count, count: 1 to 144 by 1; 12",
        "absent, percent: 1 to 50 by 1; 10",
        "current, amperes: 0.01 to 100 by 0.01; 0.1",
        "length, count: 1 to 144 by 1; 3",
      ],
      on: "electricity",
    },
  });
});
