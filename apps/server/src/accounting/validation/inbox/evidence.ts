import type { OpenedException } from "@metrum/contract/accounting";
import { dayOf, difference, roundedTo, startOfDay, sum, type Ctx } from "#core";
import { readEvents } from "#metering/messages";
import { neighboursWith } from "../judged/index.ts";
import { registerBetween, stepsWith, type Proposal } from "../estimate/index.ts";
import { kinds, text } from "../kinds/index.ts";
import type { Opened } from "./sources.ts";
import { explainedKinds } from "../run/index.ts";
import { filled, unitOfField, type Filling } from "./words.ts";

type Line = OpenedException["evidence"][number];

const words = {
  agrees: text(
    "Показание суток {register#}, с оценкой сходится до {difference#}",
    "Register of the day {register#}, agrees with the estimate to {difference#}",
    "Өдрийн заалт {register#}, үнэлгээтэй {difference#} хүртэл таарч байна",
  ),
  differs: text(
    "Показание суток {register#}, с оценкой расходится на {difference#}",
    "Register of the day {register#}, differs from the estimate by {difference#}",
    "Өдрийн заалт {register#}, үнэлгээнээс зөрүү {difference#}",
  ),
  unknown: text(
    "Показания на начало и конец суток неизвестны",
    "The register at the start and end of the day is not known",
    "Өдрийн эхэн төгсгөлийн заалт тодорхойгүй",
  ),
  event: text(
    "Событие прибора {event_at}",
    "Event of the meter {event_at}",
    "Төхөөрөмжийн үйл явдал {event_at}",
  ),
  noEvent: text("Событий прибора рядом нет", "No event of the meter near", "Ойролцоо үйл явдал алга"),
  explains: text(
    "Этим же объясняется: {rules}",
    "This explains as well: {rules}",
    "Мөн үүгээр тайлбарлагдана: {rules}",
  ),
  clock: text("Часы {offset}", "Clock {offset}", "Цаг {offset}"),
  neighbours: text("То же у соседей: {count}", "The same at neighbours: {count}", "Хөршүүдэд ижил: {count}"),
  noNeighbours: text(
    "У соседей ничего подобного",
    "Nothing like it at the neighbours",
    "Хөршид ийм зүйл алга",
  ),
};

const nearSec = 3600;
const clockLimitSec = 60;
const agreeingShare = 0.02;

/** What else speaks for or against the values. */
export async function otherEvidence(
  ctx: Ctx,
  opened: Opened,
  proposal: Proposal | undefined,
): Promise<Line[]> {
  const { row, register } = opened;
  const { language } = ctx;
  const say = (state: Line["state"], which: keyof typeof words, values: Filling["values"] = {}): Line => ({
    state,
    text: filled(words[which], language, {
      values,
      zone: row.zone,
      unit: unitOfField(row.field, row.device_group_id),
    }),
  });
  const events = await readEvents(ctx.db, {
    deviceId: row.device_id,
    from: row.from_ts - nearSec,
    to: row.to_ts + nearSec,
    limit: 1,
  });
  const same = await neighboursWith(ctx.db, row);
  const [event] = events;
  const offset = register?.clock.at(-1)?.offset;
  const explained = explainedKinds(row.evidence).map((kind) => kinds[kind].title[language]);
  return [
    ...(explained.length === 0 ? [] : [say("info", "explains", { rules: explained.join(", ") })]),
    ...registerLine(opened, proposal, say),
    event ? say("warn", "event", { event_at: event.ts }) : say("info", "noEvent"),
    ...(offset === undefined
      ? []
      : [say(Math.abs(offset) > clockLimitSec ? "warn" : "ok", "clock", { offset })]),
    same > 0 ? say("warn", "neighbours", { count: same }) : say("info", "noNeighbours"),
  ];
}

/** Whether the register of the day agrees with the estimate. */
function registerLine(
  { judged, register, row }: Opened,
  proposal: Proposal | undefined,
  say: (state: Line["state"], which: keyof typeof words, values?: Record<string, number>) => Line,
): Line[] {
  if (!judged || !register || !proposal) return [];
  const day = dayOf(row.zone, row.from_ts);
  const [from, to] = [startOfDay(row.zone, day), startOfDay(row.zone, day + 1)];
  const whole = registerBetween(register, from, to);
  if (whole === undefined) return [say("info", "unknown")];
  const own = stepsWith(judged, proposal).filter((step) => step.from >= from && step.to <= to);
  const estimated = sum(own.map(({ amount }) => amount));
  const apart = roundedTo(Math.abs(difference(whole, estimated)), 3);
  const agrees = apart <= Math.max(0.5, whole * agreeingShare);
  return [say(agrees ? "ok" : "warn", agrees ? "agrees" : "differs", { register: whole, difference: apart })];
}
