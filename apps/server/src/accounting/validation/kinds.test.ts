import { validationKinds, type ValidationKind } from "@metrum/contract/accounting";
import { sources, statuses, type FieldName, type ResourceKey, type Status } from "@metrum/vocabulary";
import { expect, test } from "vitest";
import { startOfDay, dayOf } from "#core";
import { judge } from "./run/findings.ts";
import type { Terms, Value } from "./judged/judged.ts";
import { allKinds, kinds } from "./kinds/index.ts";
import { rulesFor, type StoredRule } from "./rules/rules.ts";
import type { Given } from "./judged/series.ts";
import { clockText, filled, limitOf, summaryOf } from "./inbox/words.ts";

const hour = 3600;
const zone = "Asia/Ulaanbaatar";
const start = startOfDay(zone, dayOf(zone, 1_790_000_000));
const days = 45;

interface Odd {
  readonly resource?: ResourceKey;
  readonly field?: FieldName;
  /** The value at an hour instead of the clean one; null: none. */
  readonly value?: (level: number, n: number) => number | null;
  readonly load?: (clean: number, n: number) => number;
  readonly status?: (n: number) => Status;
  readonly meterAt?: (n: number) => number;
  readonly others?: readonly {
    readonly field: FieldName;
    readonly value: (level: number, n: number) => number;
  }[];
  /** Power by half-hour that the meter keeps as well. */
  readonly profile?: (clean: number, n: number) => number;
  /** Voltages and currents of an hour. */
  readonly states?: readonly { readonly field: FieldName; readonly value: (n: number) => number }[];
  readonly given?: Partial<Given>;
}

const cleanLoad = (n: number): number => 2 + Math.sin((n / 24) * 2 * Math.PI) + (n % 7) / 20;

function values(odd: Odd, field: FieldName, change: (level: number, n: number) => number | null): Value[] {
  let level = 5000;
  return Array.from({ length: days * 24 }, (_, n) => {
    const clean = cleanLoad(n);
    level = Math.round((level + (odd.load?.(clean, n) ?? clean)) * 1000) / 1000;
    return { n, value: change(level, n) };
  }).flatMap(({ n, value }) => {
    const ts = start + n * hour;
    if (value === null) return [];
    const status = statuses[odd.status?.(n) ?? "measured"].id;
    const meterAt = odd.meterAt?.(n) ?? ts + (n % 5);
    return [{ ts, msgType: 100, field, value, status, source: sources.polled, receivedAt: ts + 5, meterAt }];
  });
}

const aValue = { status: statuses.measured.id, source: sources.polled, receivedAt: 0, meterAt: null };

/** The hour that ends with the reading of its number, as two half-hours. */
const powers = (power: (clean: number, n: number) => number): Value[] =>
  Array.from({ length: (days * 24 - 1) * 2 }, (_, half) => {
    const n = Math.floor(half / 2) + 1;
    const ts = start + half * 1800;
    return { ...aValue, ts, msgType: 5, field: "power_a_plus", value: power(cleanLoad(n), n) };
  });

const statesOf = ({ field, value }: NonNullable<Odd["states"]>[number]): Value[] =>
  Array.from({ length: days * 24 }, (_, n) => ({
    ...{ ...aValue, ts: start + n * hour, msgType: 2 },
    ...{ field, value: value(n) },
  }));

/** A point that is measured all the time. */
const point: Terms = {
  measured: [{ from: start - hour, to: null }],
  contractPower: [],
  parties: [{ from: start - hour, to: null }],
  hasParties: true,
  ratioOver: () => 1,
};

function given(odd: Odd = {}): Given {
  const field = odd.field ?? "tariff0";
  const main = values(odd, field, odd.value ?? ((level) => level));
  const levels = new Map<FieldName, readonly Value[]>([[field, main]]);
  for (const other of odd.others ?? []) levels.set(other.field, values(odd, other.field, other.value));
  if (odd.profile) levels.set("power_a_plus", powers(odd.profile));
  for (const state of odd.states ?? []) levels.set(state.field, statesOf(state));
  return {
    resource: odd.resource ?? "electricity",
    zone,
    now: start + days * 24 * hour,
    field,
    span: { from: start + 31 * 24 * hour, to: start + days * 24 * hour },
    ratio: 1,
    siblings: [],
    known: [],
    rangeOf: () => ({ capacity: undefined, start: 0 }),
    levels,
    clock: main.map(({ ts, meterAt }) => ({ ts, offset: (meterAt ?? ts) - ts })),
    ...odd.given,
  };
}

const found = (odd: Odd = {}, own: readonly StoredRule[] = []) => {
  const all = given(odd);
  return judge(all, rulesFor(own, { resource: all.resource, modelId: 1, pointIds: [7] }));
};
/** An hour in the judged span, noon. */
const n = 36 * 24 + 12;
const day = (at: number): number => Math.floor(at / 24);
const daily = new Map(Array.from({ length: days + 2 }, (_, at) => [dayOf(zone, start) + at - 1, 48]));

/** One planted case of each rule. */
const planted: Readonly<Record<ValidationKind, Odd>> = {
  spike: { load: (clean, at) => (at === n ? 40 : clean) },
  gap: { value: (level, at) => (at > n && at < n + 10 ? null : level) },
  high: { load: (clean, at) => (day(at) === 37 || day(at) === 38 ? clean * 2.3 : clean) },
  low: { load: (clean, at) => (day(at) === 37 ? clean / 10 : clean) },
  negative: {
    value: (level, at) => (at === n ? level - 300 : level),
    status: (at) => (at === n ? "suspect" : "measured"),
  },
  frozen: { load: (clean, at) => (at > n && at < n + 80 ? 0 : clean) },
  reverse_flow: { others: [{ field: "tariff_negative0", value: (_, at) => 10 + Math.max(0, at - n) * 0.4 }] },
  sum_of_tariffs: {
    others: [
      {
        field: "tariff1",
        value: (level, at) => Math.round((level - Math.max(0, Math.min(30, at - n))) * 0.6 * 1000) / 1000,
      },
      { field: "tariff2", value: (level) => Math.round(level * 0.4 * 1000) / 1000 },
    ],
  },
  duplicate: {
    meterAt: (at) => start + (at > n && at <= n + 4 ? n : at) * hour,
    value: (level, at) => (at > n && at <= n + 4 ? 7000 : level),
  },
  unit: { value: (level, at) => (at >= n ? level * 1000 : level) },
  ratio: { load: (clean, at) => (day(at) >= 37 && day(at) < 40 ? clean / 40 : clean), given: { ratio: 40 } },
  sibling: {
    load: (clean, at) => (day(at) >= 37 && day(at) < 40 ? clean / 4.6 : clean),
    given: { siblings: [daily, daily, daily] },
  },
  clock: { meterAt: (at) => start + at * hour + (at > n ? 400 : 2) },
  interval_sum: { profile: (clean, at) => (day(at) === 37 ? clean * 0.8 : clean) },
  contract_power: {
    load: (clean, at) => (at === n ? 6 : clean),
    given: { terms: { ...point, contractPower: [{ from: start - hour, to: null, kw: 4 }] } },
  },
  voltage: {
    states: [
      { field: "voltage1", value: (at) => (day(at) === 37 ? 260 : 230) },
      { field: "voltage2", value: () => 231 },
    ],
  },
  no_consumer: {
    given: { terms: { ...point, parties: [{ from: start - hour, to: start + 35 * 24 * hour }] } },
  },
  foreign_serial: {
    given: {
      serial: {
        ...{ named: "99887766", registered: "41200045" },
        ...{ since: start + 36 * 24 * hour, lastAt: start + 40 * 24 * hour },
      },
    },
  },
  prolonged_estimation: { status: (at) => (at > n - 24 * 5 && at < n + 24 * 7 ? "estimated" : "measured") },
};

test("TRUST-014 a clean month has no finding, and each rule finds its planted case", () => {
  expect(found()).toEqual([]);
  for (const kind of validationKinds) {
    const kindsFound = found(planted[kind]).map((each) => each.kind);
    expect(kindsFound, kind).toContain(kind);
  }
});

test("TRUST-014 a scale that changes and changes back is one finding: neither its fall nor its jump is another", () => {
  for (const factor of [1000, 1 / 1000]) {
    const back: Odd = { value: (level, at) => (at >= n && at < n + 9 ? level * factor : level) };
    expect(found(back).map(({ kind }) => kind)).toEqual(["unit"]);
  }
});

test("TRUST-014 every kind has bounded parameters, a default for every resource, and words in three languages", () => {
  expect(allKinds.map(({ name }) => name).sort()).toEqual([...validationKinds].sort());
  for (const kind of allKinds) {
    expect(kinds[kind.name]).toBe(kind);
    for (const { name, min, max, usual, title } of kind.parameters) {
      for (const value of Object.values(usual))
        expect([name, value >= min && value <= max]).toEqual([name, true]);
      expect([title.ru, title.en, title.mn].every((words) => words.length > 0)).toBe(true);
    }
    for (const words of [kind.title, kind.about, kind.limit, ...Object.values(kind.says)])
      expect(new Set(Object.keys(words))).toEqual(new Set(["ru", "en", "mn"]));
  }
});

test("TRUST-014 each finding says what it saw: no placeholder is left in any language", () => {
  for (const kind of validationKinds)
    for (const each of found(planted[kind])) {
      const words = kinds[each.kind].says[each.code];
      const numbers =
        rulesFor([], { resource: "electricity", modelId: 1, pointIds: [] }).get(each.kind) ?? {};
      expect(words, `${each.kind} ${each.code}`).toBeDefined();
      for (const language of ["ru", "en", "mn"] as const) {
        if (words)
          expect(filled(words, language, { values: { ...numbers, ...each.evidence } })).not.toMatch(/[{}]/);
        expect(
          filled(kinds[each.kind].limit, language, { values: { ...each.evidence, ...numbers } }),
        ).not.toMatch(/[{}]/);
      }
    }
});

test("TRUST-031 words name the value and its bound with the unit, as the language of the user writes them", () => {
  const unitOf = { ru: /\d\u00a0(кВт|В)/, en: /\d\u00a0(kW|V)/, mn: /\d\u00a0(кВт|В)/ } as const;
  const isWithUnit = ({ name, says, limit }: (typeof allKinds)[number]): boolean =>
    [limit, ...Object.values(says)].some(({ en }) => en.includes("#")) && name !== "duplicate";
  const kindsWithUnit = allKinds.filter(isWithUnit).map(({ name }) => name);
  expect(kindsWithUnit).toContain("spike");
  for (const kind of kindsWithUnit) {
    const numbers = rulesFor([], { resource: "electricity", modelId: 1, pointIds: [] }).get(kind) ?? {};
    const [one] = found(planted[kind]).filter((each) => each.kind === kind);
    if (!one) throw new Error(`nothing found by ${kind}`);
    const said = { ...one, numbers, zone, device_group_id: 4 };
    for (const language of ["ru", "en", "mn"] as const) {
      const words = `${summaryOf(said, language)}; ${limitOf(said, language)}`;
      expect(words, kind).toMatch(unitOf[language]);
      expect(words, kind).not.toMatch({ ru: /\d\.\d/, en: /\d,\d/, mn: /\d \d/ }[language]);
    }
  }
});

test("TRUST-014 the most specific own rule holds: point before model before resource before company", () => {
  const rule = (id: number, of: Partial<StoredRule>): StoredRule => ({
    id,
    kind: "spike",
    resource: null,
    model_id: null,
    point_id: null,
    is_on: true,
    parameters: {},
    ...of,
  });
  const factorOf = (...own: StoredRule[]) =>
    rulesFor(own, { resource: "electricity", modelId: 1, pointIds: [7] }).get("spike")?.["factor"];
  const company = rule(1, { parameters: { factor: 3 } });
  const resource = rule(2, { resource: "electricity", parameters: { factor: 4 } });
  const model = rule(3, { model_id: 1, parameters: { factor: 5 } });
  const point = rule(4, { point_id: 7, is_on: false });

  expect(factorOf()).toBe(2.5);
  expect(factorOf(company)).toBe(3);
  expect(factorOf(resource, company)).toBe(4);
  expect(factorOf(model, resource, company)).toBe(5);
  expect(factorOf(point, model, resource, company)).toBeUndefined();
  expect(factorOf(rule(5, { resource: "water", parameters: { factor: 9 } }))).toBe(2.5);
});

test("TRUST-014 what people have confirmed or estimated is not doubted again; a wrong clock moves no sum", () => {
  const confirmed = {
    ...planted.spike,
    status: (at: number) => (at === n ? "corrected" : "measured"),
  } as const;

  expect(found(confirmed)).toEqual([]);
  expect(found(planted.clock).map(({ kind }) => kind)).toEqual(["clock"]);
  // A reset that is known is no fall.
  const reset: Odd = {
    value: (level, at) => (at >= n ? level - 5000 : level),
    given: { known: [start + n * hour] },
  };
  expect(found(reset).map(({ kind }) => kind)).toEqual([]);
});

test("TRUST-014 a clock that is off is told as a time with its direction", () => {
  expect(clockText(-101, "ru")).toBe("отстают на 1 мин 41 с");
  expect(clockText(-101, "en")).toBe("1 min 41 s behind");
  expect(clockText(7203, "en")).toBe("2 h 3 s ahead");
  expect(clockText(400, "mn")).toBe("6 мин 40 с түрүүлсэн");
  expect(clockText(0.2, "ru")).toBe("идут верно");
  const said = { ru: "Часы {offset}", en: "Clock {offset}", mn: "Цаг {offset}" };
  expect(filled(said, "en", { values: { offset: 118 } })).toBe("Clock 1 min 58 s ahead");
});

test("TRUST-025 TRUST-014 a growth that nobody can have used is named as such, with what leapt", () => {
  const odd: Odd = {
    value: (level, at) => (at >= n ? level + 9_000_000 : level),
    given: { rangeOf: () => ({ capacity: 10_000_000, start: 0, holdsHours: 4_000 }) },
  };
  const [only, ...others] = found(odd);

  expect(others).toEqual([]);
  expect(only).toMatchObject({ kind: "negative", code: "leapt", from: start + n * hour, values: 1 });
  expect(only?.evidence["grown"]).toBeGreaterThan(9_000_000);
  for (const language of ["ru", "en", "mn"] as const)
    expect(kinds.negative.says["leapt"]?.[language]).toContain("{grown#}");
});
