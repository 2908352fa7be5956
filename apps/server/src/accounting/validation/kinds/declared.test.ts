import { validationKinds } from "@metrum/contract";
import { expect, test } from "vitest";
import { allKinds, kinds } from "./index.ts";
import type { Parameter } from "./kind.ts";

const resources = ["electricity", "heat", "water", "gas"] as const;

const lineOf = ({ name, unit, min, max, step, usual }: Parameter): string => {
  const own = resources.flatMap((of) => (usual[of] === undefined ? [] : [`${of} ${String(usual[of])}`]));
  return `${name}, ${unit}: ${String(min)} to ${String(max)} by ${String(step)}; ${[usual.other, ...own].join(", ")}`;
};

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
        },
      ]),
    ),
  ).toEqual({
    clock: {
      numbers: ["seconds, seconds: 5 to 86400 by 5; 300, electricity 60", "length, count: 1 to 100 by 1; 3"],
      on: "electricity heat water gas",
    },
    contract_power: {
      doubts: false,
      numbers: ["share, percent: 0 to 100 by 1; 0", "length, count: 1 to 48 by 1; 1"],
      on: "electricity",
      profiles: true,
    },
    duplicate: {
      numbers: ["repeats, count: 1 to 100 by 1; 2"],
      on: "electricity heat water gas",
    },
    foreign_serial: {
      doubts: false,
      numbers: ["digits, count: 4 to 20 by 1; 6"],
      on: "electricity heat water gas",
    },
    frozen: {
      numbers: ["longer, days: 0.25 to 60 by 0.25; 14, electricity 3, heat 30, water 30, gas 30"],
      on: "electricity water gas",
    },
    gap: {
      numbers: ["hours, hours: 0.5 to 1488 by 0.5; 24, electricity 6, water 48, gas 48"],
      on: "electricity heat water gas",
      profiles: true,
    },
    high: {
      numbers: [
        "factor, times: 1.1 to 50 by 0.1; 2, heat 3, water 3, gas 3",
        "least, amount: 0 to 1000000 by 0.001; 1, electricity 5, heat 0.1, water 1, gas 3",
        "days, days: 7 to 60 by 1; 30",
      ],
      on: "electricity heat water gas",
    },
    interval_sum: {
      numbers: ["tolerance, amount: 0.001 to 1000 by 0.001; 1", "share, percent: 0 to 50 by 0.1; 2"],
      on: "electricity",
    },
    low: {
      numbers: [
        "share, percent: 1 to 95 by 1; 20, heat 10",
        "least, amount: 0 to 1000000 by 0.001; 1, electricity 2, heat 0.05, water 0.3, gas 1",
        "days, days: 7 to 60 by 1; 30",
      ],
      on: "electricity heat",
    },
    negative: {
      numbers: [],
      on: "electricity heat water gas",
      profiles: true,
    },
    no_consumer: {
      doubts: false,
      numbers: ["amount, amount: 0 to 100000 by 0.001; 1, electricity 1, heat 0.01, water 0.05, gas 0.2"],
      on: "electricity heat water gas",
    },
    prolonged_estimation: {
      numbers: ["longer, days: 1 to 60 by 1; 10"],
      on: "electricity heat water gas",
      profiles: true,
    },
    ratio: {
      numbers: [
        "least, times: 2 to 1000 by 1; 5",
        "tolerance, percent: 1 to 40 by 1; 20",
        "length, days: 1 to 14 by 1; 2",
      ],
      on: "electricity",
    },
    reverse_flow: {
      numbers: ["amount, amount: 0.01 to 100000 by 0.01; 0.5", "days, days: 7 to 60 by 1; 30"],
      on: "electricity",
    },
    sibling: {
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
      numbers: [
        "tolerance, amount: 0.001 to 1000 by 0.001; 3, heat 0.05",
        "share, percent: 0 to 50 by 0.1; 2",
      ],
      on: "electricity",
    },
    unit: {
      numbers: [
        "tolerance, percent: 0.1 to 10 by 0.1; 1",
        "least, amount: 0 to 1000000 by 0.001; 1, electricity 10, heat 10, water 10, gas 10",
      ],
      on: "electricity heat water gas",
    },
    voltage: {
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
