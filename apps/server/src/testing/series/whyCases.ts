import { dayOf, dayText, decimal, isEqual, ofMicro, plus, textOf, times, zero, type Decimal } from "#core";
import { daysOf, type DayRow, type Sources } from "../../accounting/accounting-points/days/days.ts";
import { partsOfPeriod } from "../../accounting/accounting-points/days/parts.ts";
import { ratioAt, ratioSteps } from "../../accounting/accounting-points/days/ratios.ts";
import { chance, historyCapacity, registerHistory } from "./registerHistory.ts";

const zone = "Europe/Berlin";
/** Before both changes of the clock, an end of a year and a leap day. */
const starts = ["2026-03-20", "2026-10-16", "2027-12-20", "2028-02-20"].map(
  (name) => Date.parse(`${name}T00:00:00Z`) / 1000,
);

function sourcesOf(seed: number): Sources & { readonly end: number } {
  const history = registerHistory(seed, starts[seed % starts.length] ?? 0);
  const terms = history.ratios.map(({ from, factor }, n) => ({
    kind: "ratio" as const,
    from,
    to: history.ratios[n + 1]?.from ?? null,
    factor: decimal(factor),
    reading: {},
  }));
  return {
    zone,
    ties: history.ties,
    ratios: ratioSteps(terms),
    added: history.added.map((each) => ({ ...each, amount: decimal(each.amount), note: "" })),
    readings: history.readings,
    rangeOf: () => ({ capacity: BigInt(historyCapacity) * 1_000_000n, start: 0n }),
    read: [{ from: history.start - 86_400, to: history.end + 86_400 }],
    // Half of the companies divide gaps.
    dividesFrom: seed % 2 === 0 ? dayOf(zone, history.start) + (seed % 5) * 10 : null,
    end: history.end,
  };
}

const sum = (amounts: readonly (string | null)[]): string | undefined => {
  const known = amounts.flatMap((each) => (each === null ? [] : [decimal(each)]));
  return known.length === 0 ? undefined : textOf(known.reduce(plus, zero));
};
const monthOf = (day: number): string => dayText(day).slice(0, 7);

/** The total of a period as the sums over stored days count it. */
const totalOf = (rows: readonly DayRow[], from: string, carried: ReadonlySet<number>) =>
  sum(
    rows.flatMap(({ amount, gap_amount, gap_day, day }) => [
      amount,
      gap_day !== null && (gap_day >= from || carried.has(Date.parse(day) / 86_400_000)) ? gap_amount : null,
    ]),
  );

/** A total whose parts do not add up to it: where, and the three numbers. */
type Wrong = readonly unknown[];

function wrongOf(seed: number): Wrong[] {
  const wrong: Wrong[] = [];
  const sources = sourcesOf(seed);
  const pick = chance(seed + 1);
  const [first, last] = [dayOf(zone, starts[seed % starts.length] ?? 0) - 1, dayOf(zone, sources.end) + 1];
  for (const field of ["main", "tariff1"]) {
    const days = Array.from({ length: last - first + 1 }, (_, n) => first + n);
    const { rows } = daysOf(sources, field, days);
    const day = (text: string) => Date.parse(text) / 86_400_000;
    const names = [...new Set(days.map(monthOf))];
    const months = names.map((name) => days.filter((each) => monthOf(each) === name));
    const one = first + pick(days.length);
    // Every month of a few histories, one of the others: a history has up to a year.
    const some = seed % 8 === 0 ? months : [months[pick(months.length)] ?? days];
    for (const period of [[one], ...some, days]) {
      const [from, to] = [period[0] ?? first, period.at(-1) ?? last];
      const own = rows.filter((row) => day(row.day) >= from && day(row.day) <= to);
      const before = own.filter(({ gap_day }) => gap_day !== null && gap_day < dayText(from));
      const carried = new Set(before.flatMap((row) => (pick(2) === 0 ? [day(row.day)] : [])));
      const { parts, added, total } = partsOfPeriod(sources, { field, first: from, last: to, carried });
      const amounts = [
        ...parts.flatMap(({ kind, amount }) => (kind === "uncounted" ? [] : [textOf(amount)])),
        ...added.map(({ amount }) => textOf(amount)),
      ];
      const expected = totalOf(own, dayText(from), carried);
      const isWrong = parts.some(
        ({ kind, amount, grown, ratio, from: a, to: b }) =>
          a.ts >= b.ts ||
          !isEqual(amount, kind === "uncounted" ? zero : times(ofMicro(grown ?? 0n), ratio ?? zero)),
      );
      const found = [expected, sum(amounts), total && textOf(total)] as const;
      if (isWrong || found.some((each) => each !== expected)) wrong.push([seed, field, from, to, ...found]);
    }
    if (seed % 8 > 0) continue;
    const { total = zero } = partsOfPeriod(sources, { field, first, last, carried: new Set() });
    const whole = wholeOfMonths(sources, field, months);
    if (whole !== textOf(total)) wrong.push([seed, field, whole, textOf(total)]);
  }
  return wrong;
}

/** Months and the gaps over their edges. */
function wholeOfMonths(sources: Sources, field: string, months: readonly (readonly number[])[]): string {
  const gaps = new Map<string, Decimal>();
  let whole = zero;
  for (const month of months) {
    const [from, to] = [month[0] ?? 0, month.at(-1) ?? 0];
    const { parts, total } = partsOfPeriod(sources, { field, first: from, last: to, carried: new Set() });
    whole = plus(whole, total ?? zero);
    for (const { reason, from: a, to: b, grown } of parts)
      if (reason === "edge")
        gaps.set([a.ts, b.ts].join(), times(ofMicro(grown ?? 0n), ratioAt(sources.ratios, a.ts)));
  }
  return textOf([...gaps.values()].reduce(plus, whole));
}

/** Totals of days, months and whole histories by chance, one history a case, of every register. */
export const wrongTotals = (cases: number): Wrong[] =>
  Array.from({ length: cases }, (_, seed) => wrongOf(seed)).flat();
