import { rounded } from "#core";
import { daysBefore, exceeds, judgedDays, runsOf, type DayUse } from "../judged/index.ts";
import { findingOfDays } from "./high.ts";
import { historyDays, least, parameter, text, type Kind } from "./kind.ts";

export const low: Kind = {
  name: "low",
  title: text("Низкий расход", "Low consumption", "Бага хэрэглээ"),
  about: text(
    "Сутки с расходом намного ниже обычных; без расхода вовсе — правило «Застыл»",
    "Days with consumption far below the usual ones; none at all is for the rule Frozen",
    "Ердийнхөөс хэт бага хэрэглээтэй өдрүүд; огт байхгүй бол «Царцсан» дүрэм",
  ),
  parameters: [
    parameter("share", "percent", [1, 95, 1], {
      usual: 20,
      by: { heat: 10 },
      title: text(
        "Меньше такой доли обычных суток",
        "Below this share of the lowest usual day",
        "Ердийн хамгийн бага өдрийн энэ хувиас бага",
      ),
    }),
    least(
      text("Обычные сутки не меньше", "The lowest usual day is at least", "Ердийн бага өдөр үүнээс багагүй"),
      { water: 0.3, gas: 1, heat: 0.05, electricity: 2 },
    ),
    historyDays,
  ],
  // Homes and taps may rest: for water and gas a low day says little.
  isOnFor: (resource) => resource === "electricity" || resource === "heat",
  says: {
    low: text(
      "Суток: {days}, до {lowest#}, {percent} % обычных",
      "{days|day|days}, down to {lowest#}, {percent} % of the lowest usual one",
      "{days} өдөр, {lowest#} хүртэл, ердийнхийн {percent} %",
    ),
  },
  limit: text(
    "меньше {limit#} за сутки: {share} % от обычных {usual#}",
    "under {limit#} a day: {share} % of the lowest usual {usual#}",
    "өдөрт {limit#}-аас бага: ердийн {usual#}-ийн {share} %",
  ),
  judge(judged, { share = 0, least: floor = 0, days: back = 0 }) {
    const known = new Map<number, number | undefined>();
    const at = new Map(judged.days.map(({ day }, index) => [day, index]));
    const usualOf = ({ day }: DayUse): number | undefined => {
      if (known.has(day)) return known.get(day);
      const before = daysBefore(judged.days, at.get(day) ?? 0, back);
      const lowest =
        before.length < Math.min(14, back) ? undefined : Math.min(...before.map(({ amount }) => amount));
      known.set(day, lowest);
      return lowest;
    };
    const isLow = (each: DayUse): boolean => {
      const lowest = usualOf(each);
      if (lowest === undefined || exceeds(floor, lowest) || each.amount <= 0) return false;
      return exceeds((lowest * share) / 100, each.amount);
    };
    return runsOf(judgedDays(judged), isLow).flatMap((run) => {
      const usual = (run[0] && usualOf(run[0])) ?? 0;
      const lowest = Math.min(...run.map(({ amount }) => amount));
      return findingOfDays(judged, run, {
        code: "low",
        evidence: {
          days: run.length,
          percent: Math.round((lowest / usual) * 100),
          lowest: rounded(lowest),
          usual: rounded(usual),
          limit: rounded((usual * share) / 100),
        },
      });
    });
  },
};
