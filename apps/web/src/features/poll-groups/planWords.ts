import type { PlanLine, PollPlan } from "@metrum/contract/headend";
import { formatShort, formatTime, toLocal } from "#lib/format";
import type { Words } from "#ui/list";
import type { StatusKind } from "#ui/status";

export type PlanWords = Pick<Words, "t" | "number" | "age" | "zone">;

/** "16:40", or with the day if it is another one. */
export function timeText(at: number, now: number, zone: string): string {
  const dayOf = (each: number) => Math.floor(toLocal(each, zone) / 86_400);
  return dayOf(at) === dayOf(now) ? formatTime(at, zone) : formatShort(at, zone);
}

/** How long an exchange takes: "0.1 s", "40 s", "12 min". */
function lastingText(seconds: number, { t, number, age }: PlanWords): string {
  if (seconds >= 60) return age(seconds);
  const shown = seconds < 10 ? number(Math.max(0.1, seconds), 1) : number(seconds, 0);
  return t("seconds", { seconds: shown });
}

/** Shape of a line: a stopped one needs attention only if devices would be polled. */
export function kindOf({ state, left_count, load }: PlanLine): StatusKind {
  switch (state) {
    case "running":
      return "pending";
    case "waiting":
      return load !== null && load > 1 ? "warn" : "silent";
    case "planned":
      return load !== null && load > 1 ? "warn" : "ok";
    case "stopped":
      return left_count > 0 ? "alarm" : "off";
  }
}

/** What a line does, and what it waits for, in one sentence. */
export function lineText(line: PlanLine, now: number, words: PlanWords): string {
  const { t, number, zone } = words;
  const { state, reason, starts_at, ends_at, running } = line;
  const ends = ends_at === null ? "" : timeText(ends_at, now, zone);
  if (reason === "not_measured") return t("plan.reason.not_measured");
  switch (state) {
    case "running":
      return running
        ? t("plan.asks", { name: running.device_name, time: ends })
        : t("plan.runs", { time: ends });
    case "waiting":
    case "planned": {
      const starts = starts_at === null ? "" : timeText(starts_at, now, zone);
      const isNext = reason === "queue" && line.ahead_count === 0;
      return t(`plan.reason.${isNext ? "turn" : (reason ?? "queue")}`, {
        count: line.ahead_count,
        ahead: number(line.ahead_count, 0),
        starts,
        ends,
      });
    }
    case "stopped":
      return t(`plan.reason.${reason ?? "nothing_due"}`);
  }
}

/** Facts of a line that explain its pace. */
export function paceText(
  { exchange_sec, silent_count, off_count, load }: PlanLine,
  words: PlanWords,
): string {
  const { t, number } = words;
  return [
    ...(exchange_sec === null ? [] : [t("plan.pace", { time: lastingText(exchange_sec, words) })]),
    ...(silent_count === 0
      ? []
      : [t("plan.silent", { count: silent_count, shown: number(silent_count, 0) })]),
    ...(off_count === 0 ? [] : [t("plan.off", { count: off_count, shown: number(off_count, 0) })]),
    ...(load !== null && load > 1 ? [t("plan.overload", { percent: number(Math.ceil(load * 100), 0) })] : []),
  ].join(" · ");
}

/**
 * How many devices over how many lines, and when all will have been polled; unknown ends and stopped lines
 * are named.
 */
export function campaignText(plan: PollPlan, words: PlanWords): string {
  const { t, number, zone } = words;
  const asked = plan.left_count - plan.stopped_count;
  const lines = plan.lines.total - plan.states.stopped;
  const counted = (key: string, count: number) =>
    count === 0 ? [] : [t(`pollGroups:${key}`, { count, shown: number(count, 0) })];
  return [
    t("pollGroups:campaign.lines", { count: lines, devices: number(asked, 0), lines: number(lines, 0) }),
    ...(plan.ends_at === null
      ? []
      : [t("pollGroups:campaign.ends", { time: timeText(plan.ends_at, plan.at, zone) })]),
    ...counted("campaign.unknown", plan.unknown_count),
    ...counted("campaign.stopped", plan.stopped_count),
  ].join(" ");
}

/** The time that the picture of a plan spans, and its ticks at full steps. */
export function scaleOf({ at, lines }: Pick<PollPlan, "at" | "lines">) {
  const last = Math.max(at + leastSec, ...lines.data.flatMap(({ ends_at }) => ends_at ?? []));
  const until = at + Math.ceil((last - at) * 1.04);
  const step = steps.find((each) => (until - at) / each <= mostTicks) ?? 86_400;
  const first = Math.ceil((at + (until - at) * 0.1) / step) * step;
  const share = (time: number) => (100 * Math.max(0, time - at)) / (until - at);
  const ticks = Array.from({ length: mostTicks + 1 }, (_, n) => first + n * step);
  return { ticks: ticks.filter((tick) => share(tick) <= lastTick), at: share };
}

const leastSec = 120;
const mostTicks = 6;
/** A tick further to the right would have no room for its time, in percent. */
const lastTick = 94;
const steps = [60, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400] as const;

export type Scale = ReturnType<typeof scaleOf>;
