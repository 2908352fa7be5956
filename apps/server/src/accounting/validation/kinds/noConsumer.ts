import { product, rounded, sum } from "#core";
import { exceeds, runsOf, termAt, type Judged, type Span } from "../judged/index.ts";
import { always, parameter, text, type Kind } from "./kind.ts";

const daySec = 86_400;

/** Consumption of a day, or of a longer time between two readings. */
interface Use extends Span {
  readonly amount: number;
}

/** Days, and times between readings that are more than a day apart. */
function usesOf({ days, steps }: Judged): Use[] {
  const long = steps.filter(({ from, to }) => to - from > daySec * 1.1);
  return [...days, ...long]
    .map(({ from, to, amount }) => ({ from, to, amount }))
    .toSorted((a, b) => a.from - b.from);
}

/** Points and their parties in the time of a use: a point is measured in all of it, and no party tied in any. */
function isWithoutParty({ terms }: Judged, use: Use): boolean {
  if (!terms || !terms.hasParties || !termAt(terms.measured, use)) return false;
  return !terms.parties.some(({ from, to }) => from < use.to && (to ?? Infinity) > use.from);
}

export const noConsumer: Kind = {
  name: "no_consumer",
  title: text("Расход без потребителя", "Consumption without a consumer", "Хэрэглэгчгүй хэрэглээ"),
  about: text(
    "Точка учёта расходует, а в это время к ней не привязан ни потребитель, ни поставщик",
    "An accounting point consumes while neither a consumer nor a supplier is tied to it",
    "Тоолох цэг хэрэглэж байгаа ч хэрэглэгч, нийлүүлэгчтэй холбогдоогүй",
  ),
  parameters: [
    parameter("amount", "amount", [0, 100_000, 0.001], {
      usual: 1,
      by: { electricity: 1, water: 0.05, gas: 0.2, heat: 0.01 },
      title: text("Больше, за сутки", "More than, a day", "Өдөрт үүнээс их"),
    }),
  ],
  isOnFor: always,
  doubtsNoValues: true,
  says: {
    no_consumer: text(
      "{used#} за {days} сут., до {highest#} в сутки, потребителя нет",
      "{used#} in {days|day|days}, up to {highest#} a day, with no consumer",
      "{days} өдөрт {used#}, өдөрт {highest#} хүртэл, хэрэглэгчгүй",
    ),
  },
  limit: text("до {amount#} в сутки", "up to {amount#} a day", "өдөрт {amount#} хүртэл"),
  judge(judged, { amount: limit = 0 }) {
    const { terms, span, levels, field } = judged;
    if (!terms) return [];
    // What was used over a change of the ratio is not known, so it exceeds nothing.
    const usedIn = (use: Use): number => product(use.amount, terms.ratioOver(use) ?? 0);
    const aDay = (use: Use): number => (usedIn(use) * daySec) / Math.max(daySec * 0.9, use.to - use.from);
    return runsOf(usesOf(judged), (use) => isWithoutParty(judged, use) && exceeds(aDay(use), limit)).flatMap(
      (run) => {
        const [first, last] = [run[0], run.at(-1)];
        const own = (levels.get(field) ?? []).filter(
          ({ ts }) => first && last && ts > first.from && ts <= last.to,
        );
        const [one, end] = [own[0], own.at(-1)];
        if (!first || !last || !one || !end || end.ts < span.from || one.ts > span.to) return [];
        return [
          {
            field,
            msgType: one.msgType,
            from: one.ts,
            to: end.ts,
            values: own.length,
            code: "no_consumer",
            evidence: {
              used: sum(run.map(usedIn)),
              highest: rounded(Math.max(...run.map(aDay))),
              days: Math.round((last.to - first.from) / daySec),
            },
          },
        ];
      },
    );
  },
};
