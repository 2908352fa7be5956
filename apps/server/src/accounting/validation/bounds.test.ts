import type { ValidationKind } from "@metrum/contract/accounting";
import { statuses, type FieldName } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { aValue, counterOf, givenOf, valueAt } from "#testing/series/judgedSeries";
import type { Numbers, Terms, Value } from "./judged/judged.ts";
import { allKinds, kinds } from "./kinds/index.ts";
import type { Parameter } from "./kinds/kind.ts";
import { usualNumbers } from "./rules/rules.ts";
import { judgedProfile, judgedRegister, type Given } from "./judged/series.ts";

const hour = 3600;
const day = 86_400;
const start = 1_790_035_200;
/** Days of history before the day that is judged. */
const history = 70;
const odd = start + history * day;

/**
 * Which side of a bound is found: beyond or below it, but not at it; or from it on ("at least"), or up to it
 * ("at most"), but not a step away.
 */
type Side = "beyond" | "below" | "from" | "upTo";

interface Case {
  readonly side: Side;
  /** What a device shows whose number is exactly this, for the bound of a rule. */
  readonly at: (number: number, bound: number) => Given;
  /** Other numbers of the rule, so that this one decides. */
  readonly numbers?: Numbers;
  /** Bounds that are tried; else the minimum, the usual and the maximum of the declaration. */
  readonly tried?: (parameter: Parameter) => readonly number[];
  readonly code?: string;
  readonly isProfile?: true;
  /** The days before are odd as well: only what is found on the odd day counts. */
  readonly isOfOddDay?: true;
}

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);

/** A counter read every hour or half-hour, by its power at an instant. */
function register(
  powerAt: (ts: number) => number,
  {
    everySec = hour,
    until = odd + 20 * day,
    more = {},
  }: { everySec?: number; until?: number; more?: Partial<Given> } = {},
): Given {
  const times = range(start, until, everySec);
  return givenOf(
    counterOf(times, (from, to) => (powerAt(from) * (to - from)) / hour),
    more,
  );
}
const isIn = (ts: number, from: number, sec: number): boolean => ts >= from && ts < from + sec;
const dayBack = (ts: number, back: number): boolean => isIn(ts, odd - back * day, day);

/** Power of 1 kW, of some days another one. */
const daily = (other: (ts: number) => number | undefined, more: Partial<Given> = {}): Given =>
  register((ts) => other(ts) ?? 1, { more });

const tiny = 0.00001;
const aboveMin = ({ min, step, usual, max }: Parameter) => [min + step, usual.other, max];

const point: Terms = {
  measured: [{ from: start, to: null }],
  contractPower: [{ from: start, to: null, kw: 10 }],
  parties: [{ from: start, to: null }],
  hasParties: true,
  ratioOver: () => 1,
};

const siblingsOf = (others: readonly number[], share: (back: number) => number | undefined) =>
  others.map(
    () =>
      new Map(
        range(0, history + 20, 1).flatMap((at): [number, number][] => {
          const of = share(history - at);
          return of === undefined ? [] : [[start / day + at, of]];
        }),
      ),
  );

/** Counters of a total and two tariffs; on the odd day the total grows by this much more than they do. */
function tariffs(difference: number, whole = 48): Given {
  const times = range(start, odd + 2 * day, day);
  const of = (field: FieldName, amount: number) => counterOf(times, () => amount, field);
  const small = whole / 100;
  const rest = whole - small;
  return givenOf(
    counterOf(times, () => whole),
    {
      levels: new Map([
        ["tariff1", of("tariff1", small)],
        ["tariff2", counterOf(times, (from) => (from === odd ? rest - difference : rest), "tariff2")],
      ]),
    },
  );
}

/** A register read at midnight, and half-hours; those of the odd day add up to less. */
function intervals(difference: number, whole = 48): Given {
  const times = range(start, odd + 2 * day, day);
  const powers = range(start, odd + 2 * day - 1800, 1800).map((ts) =>
    valueAt("power_a_plus", ts, (whole - (isIn(ts, odd, day) ? difference : 0)) / 24),
  );
  return givenOf(
    counterOf(times, () => whole),
    { levels: new Map([["power_a_plus", powers]]) },
  );
}

/** Voltage of a phase every ten minutes: 230 V, on the odd day another one; of two phases or of one. */
function volts(
  value: (slot: number, ts: number) => number | undefined,
  {
    current = 0,
    isSingle = false,
    usual = 230,
  }: { current?: number; isSingle?: boolean; usual?: number } = {},
): Given {
  const times = range(odd - 3 * day, odd + day, 600);
  const of = (field: FieldName, each: (slot: number, ts: number) => number | undefined): Value[] =>
    times.flatMap((ts) => {
      const found = each((ts - odd) / 600, ts);
      return found === undefined ? [] : [{ ...valueAt(field, ts, found), msgType: 2 }];
    });
  return givenOf(
    counterOf(range(odd - 3 * day, odd + day, hour), () => 1),
    {
      levels: new Map([
        ["voltage1", of("voltage1", (slot, ts) => (slot < 0 ? usual : value(slot, ts)))],
        ["current1", of("current1", (slot) => (slot < 0 ? 1 : current))],
        ...(isSingle ? [] : [["voltage2", of("voltage2", () => 230)] as const]),
      ]),
    },
  );
}

const clockOff = (offset: number, count: number): Given =>
  register(() => 1, {
    more: {
      clock: range(start, odd, hour).map((ts, at) => ({
        ts,
        offset: at >= 100 && at < 100 + count ? offset : 0,
      })),
    },
  });

/** A reading on another scale from the odd day on. */
const scaled = (before: number, factor: number): Given =>
  givenOf(
    range(odd - 20 * hour, odd + 5 * hour, hour).map((ts) =>
      valueAt("tariff0", ts, ts < odd ? before : before * factor),
    ),
  );

const cases: Readonly<Partial<Record<ValidationKind, Readonly<Record<string, Case>>>>> = {
  spike: {
    factor: { side: "beyond", at: (q) => register((ts) => (ts === odd ? q : 1)), numbers: { least: 0 } },
    length: {
      side: "upTo",
      at: (q) => register((ts) => (isIn(ts, odd, q * 1800) ? 3 : 1), { everySec: 1800 }),
      numbers: { factor: 1.5, least: 0, days: 60 },
    },
    least: {
      side: "beyond",
      at: (q) => register((ts) => (ts === odd ? tiny + q : tiny)),
      numbers: { factor: 1.2 },
    },
    days: {
      isOfOddDay: true,
      side: "beyond",
      at: (q) => register((ts) => (ts === odd ? 6 : dayBack(ts, q) ? 5 : 1)),
      numbers: { factor: 2.5, least: 0 },
    },
  },
  gap: {
    hours: {
      side: "beyond",
      at: (q) => {
        const times = range(start, odd, 1800).filter(
          (ts) => ts <= start + day || ts >= start + day + q * hour,
        );
        return givenOf(counterOf(times, () => 1));
      },
    },
  },
  high: {
    factor: {
      side: "beyond",
      at: (q) => daily((ts) => (dayBack(ts, 0) ? q : undefined)),
      numbers: { least: 0 },
    },
    least: {
      side: "beyond",
      at: (q) => register((ts) => (ts === odd ? tiny + q : tiny)),
      numbers: { factor: 1.1 },
    },
    days: {
      isOfOddDay: true,
      side: "beyond",
      at: (q) => daily((ts) => (dayBack(ts, 0) ? 6 : dayBack(ts, q) || dayBack(ts, q - 1) ? 5 : undefined)),
      numbers: { factor: 2, least: 0 },
    },
  },
  low: {
    share: {
      side: "below",
      at: (q) => daily((ts) => (dayBack(ts, 0) ? q / 100 : undefined)),
      numbers: { least: 0 },
      // Below 1 % is nothing at all, which is for another rule.
      tried: aboveMin,
    },
    least: {
      side: "from",
      at: (q) => register((ts) => (ts % day > 0 ? 0 : dayBack(ts, 0) ? q / 10 : q)),
      numbers: { share: 50 },
      tried: ({ usual, max }) => [0.002, usual.other, max],
    },
    days: {
      isOfOddDay: true,
      side: "beyond",
      at: (q) => daily((ts) => (dayBack(ts, 0) ? 0.1 : dayBack(ts, q) ? 0.15 : undefined)),
      numbers: { share: 20, least: 0 },
    },
  },
  frozen: {
    longer: {
      side: "beyond",
      at: (q) => register((ts) => (isIn(ts, start + day, q * day) ? 0 : 1), { until: start + 70 * day }),
    },
  },
  reverse_flow: {
    amount: { side: "beyond", at: (q) => exported((back) => (back === 0 ? q : 0)) },
    days: {
      isOfOddDay: true,
      side: "beyond",
      at: (q) => exported((back) => (back === 0 ? 15 : back === q ? 10 : 0)),
    },
  },
  sum_of_tariffs: {
    tolerance: { side: "beyond", at: (q) => tariffs(q, 4_000), numbers: { share: 0 } },
    share: { side: "beyond", at: (q) => tariffs(q * 0.48), numbers: { tolerance: 0.001 } },
  },
  duplicate: {
    repeats: {
      side: "beyond",
      at: (q) =>
        givenOf(
          range(0, 200, 1).map((n) => ({
            ...valueAt("tariff0", start + n * hour, n < q ? 0 : n),
            meterAt: start + (n < q ? 0 : n) * hour,
          })),
        ),
    },
  },
  unit: {
    tolerance: { side: "upTo", at: (q) => scaled(1000, 100 * (1 + q / 100)), numbers: { least: 0 } },
    least: { side: "from", at: (q) => scaled(q, 1000), tried: ({ usual, max }) => [0.002, usual.other, max] },
  },
  ratio: {
    least: {
      side: "from",
      at: (q) => daily((ts) => (isIn(ts, odd, 3 * day) ? 1 / q : undefined), { ratio: q }),
    },
    tolerance: {
      side: "upTo",
      at: (q) => daily((ts) => (isIn(ts, odd, 3 * day) ? (1 + q / 100) / 10 : undefined), { ratio: 10 }),
    },
    length: {
      side: "from",
      at: (q) => daily((ts) => (isIn(ts, odd, q * day) ? 1 / 10 : undefined), { ratio: 10 }),
    },
  },
  sibling: {
    factor: {
      side: "beyond",
      at: (q) =>
        daily((ts) => (dayBack(ts, 0) ? q : undefined), { siblings: siblingsOf([1, 2, 3], () => 24) }),
      numbers: { length: 1, least: 0 },
    },
    count: {
      side: "from",
      at: (q) =>
        daily((ts) => (dayBack(ts, 0) ? 9 : undefined), { siblings: siblingsOf(range(1, q, 1), () => 24) }),
      numbers: { length: 1, least: 0 },
    },
    length: {
      side: "from",
      at: (q) =>
        daily((ts) => (isIn(ts, odd, q * day) ? 9 : undefined), {
          siblings: siblingsOf([1, 2, 3], () => 24),
        }),
      numbers: { least: 0 },
    },
    least: {
      side: "beyond",
      at: (q) =>
        register((ts) => (ts === odd ? tiny + q : tiny), {
          more: { siblings: siblingsOf([1, 2, 3], () => 24 * tiny) },
        }),
      numbers: { factor: 1.5, length: 1 },
    },
    days: {
      isOfOddDay: true,
      side: "upTo",
      // As many days before this one have a tenth as have the usual share: the first of the history decides.
      at: (q, bound) =>
        daily((ts) => (dayBack(ts, 0) ? 12 : undefined), {
          siblings: siblingsOf([1, 2, 3], (back) => {
            const pairs = Math.floor((bound - 1) / 2);
            if (back === q || back <= 0) return 24;
            return back <= pairs ? 24 : back <= 2 * pairs ? 2.4 : undefined;
          }),
        }),
      numbers: { factor: 4, length: 1, least: 0 },
    },
  },
  clock: {
    seconds: { side: "beyond", at: (q) => clockOff(q, 5) },
    length: { side: "from", at: (q) => clockOff(90_000, q) },
  },
  prolonged_estimation: {
    longer: {
      side: "beyond",
      at: (q) => {
        const given = register(() => 1);
        const levels = (given.levels.get("tariff0") ?? []).map((value) =>
          isIn(value.ts, start + day, q * day) ? { ...value, status: statuses.estimated.id } : value,
        );
        return { ...given, levels: new Map([["tariff0", levels]]) };
      },
    },
  },
  interval_sum: {
    tolerance: { side: "beyond", at: (q) => intervals(q, 4_000), numbers: { share: 0 } },
    share: { side: "beyond", at: (q) => intervals(q * 0.48), numbers: { tolerance: 0.001 } },
  },
  contract_power: {
    share: {
      side: "beyond",
      at: (q) => daily((ts) => (ts === odd ? 10 * (1 + q / 100) : undefined), { terms: point }),
    },
    length: { side: "from", at: (q) => halfHours(q), isProfile: true },
  },
  voltage: {
    nominal: {
      side: "beyond",
      at: (q, bound) => volts(() => q * 1.1, { isSingle: true, usual: bound }),
      numbers: { absent: 1 },
    },
    percent: { side: "beyond", at: (q) => volts(() => 230 * (1 + q / 100)), numbers: { share: 0 } },
    share: { side: "beyond", at: (q) => volts((slot) => (slot >= 100 ? undefined : slot < q ? 260 : 230)) },
    count: { side: "from", at: (q) => volts((slot) => (slot >= q ? undefined : 260)) },
    absent: {
      side: "below",
      at: (q) => volts((slot) => (slot < 5 ? (230 * q) / 100 : 230)),
      code: "phase_missing",
    },
    current: {
      side: "beyond",
      at: (q) => volts((slot) => (slot < 5 ? 0 : 230), { current: q, isSingle: true }),
      code: "current_without_voltage",
    },
    length: { side: "from", at: (q) => volts((slot) => (slot < q ? 0 : 230)), code: "phase_missing" },
  },
  no_consumer: {
    amount: {
      side: "beyond",
      at: (q) =>
        register((ts) => (ts === odd ? q : 0), {
          more: { terms: { ...point, parties: [{ from: start, to: odd - day }] } },
        }),
    },
  },
  foreign_serial: {
    digits: {
      side: "below",
      at: (q) => {
        const registered = "123456789123456789123456";
        const serial = {
          named: registered.slice(registered.length - q),
          registered,
          since: odd,
          lastAt: odd + day,
        };
        return register(() => 1, { more: { serial } });
      },
    },
  },
};

/** Energy that a meter gives back each day, by days before the odd one. */
function exported(amountOf: (back: number) => number): Given {
  const times = range(start, odd + 2 * day, day);
  const levels = counterOf(times, (from) => amountOf((odd - from) / day), "tariff_negative0");
  return givenOf(
    counterOf(times, () => 24),
    { levels: new Map([["tariff_negative0", levels]]) },
  );
}

/** So many half-hours of a profile above the contract. */
const halfHours = (count: number): Given =>
  register(() => 1, {
    more: {
      terms: point,
      levels: new Map([
        [
          "power_a_plus",
          range(odd - day, odd + 2 * day, 1800).map((ts) => ({
            ...{ ...aValue, field: "power_a_plus" as const, ts, msgType: 5 },
            value: isIn(ts, odd, count * 1800) ? 11 : 1,
          })),
        ],
      ]),
    },
  });

/** Whether the rule finds something on the odd day or after it. */
function isFound(kind: ValidationKind, given: Given, of: { numbers: Numbers; case: Case }): boolean {
  const judged = of.case.isProfile ? judgedProfile(given) : judgedRegister(given);
  if (!judged) throw new Error("no profile");
  const { code } = of.case;
  return kinds[kind]
    .judge(judged, of.numbers)
    .filter(({ from, to }) => !of.case.isOfOddDay || (to > odd && from <= odd + day))
    .some((each) => code === undefined || each.code === code);
}

const stepBeyond: Readonly<Record<Side, 1 | -1>> = { beyond: 1, below: -1, from: -1, upTo: 1 };
const isFoundAtBound: Readonly<Record<Side, boolean>> = {
  beyond: false,
  below: false,
  from: true,
  upTo: true,
};

const clean = (value: number): number => Number(value.toFixed(6));

describe.each(allKinds)("$name", ({ name, parameters }) => {
  test("TRUST-031 every parameter has its case at the bound", () => {
    expect(Object.keys(cases[name] ?? {}).toSorted()).toEqual(parameters.map((each) => each.name).toSorted());
  });

  for (const parameter of parameters) {
    const one = cases[name]?.[parameter.name];
    if (!one) continue;
    const tried = one.tried?.(parameter) ?? [parameter.min, parameter.usual.other, parameter.max];
    test.each([...new Set(tried)])(
      `TRUST-031 ${parameter.name} of %d parts what is found exactly there`,
      (bound) => {
        const numbers = { ...usualNumbers(kinds[name], "other"), ...one.numbers, [parameter.name]: bound };
        const next = clean(bound + stepBeyond[one.side] * parameter.step);
        const atBound = isFound(name, one.at(bound, bound), { numbers, case: one });
        const atNext = isFound(name, one.at(next, bound), { numbers, case: one });
        expect({ atBound, atNext }).toEqual({
          atBound: isFoundAtBound[one.side],
          atNext: !isFoundAtBound[one.side],
        });
      },
    );
  }
});
