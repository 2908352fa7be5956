import { statuses } from "@metrum/vocabulary";
import { rounded } from "#core";
import {
  exceeds,
  isConfirmed,
  isEstimated,
  isTrusted,
  type Finding,
  type Judged,
  type Value,
} from "../judged/index.ts";
import { always, least, parameter, text, type Kind } from "./kind.ts";

/** Wh and kWh, litres and cubic metres, GJ and Gcal, MJ and kWh, kWh and Gcal; and back. */
const factors = [1000, 4.1868, 3.6, 1163, 100, 1000 / 3.6].flatMap((each) => [each, 1 / each]);

/** The conversion by which the second value differs from the first, if it is one. */
function factorOf(before: number, now: number, percent: number): number | undefined {
  const times = now / before;
  return factors.find((each) => !exceeds(Math.abs(times / each - 1) * 100, percent));
}

/** From the value at which the scale changes to the last one before it changes back. */
function lastOfScale(values: readonly Value[], start: number, percent: number): number {
  let end = start;
  while (end + 1 < values.length) {
    const [one, next] = [values[end], values[end + 1]];
    if (!one || !next || factorOf(one.value, next.value, percent) !== undefined) break;
    end += 1;
  }
  return end;
}

export const unit: Kind = {
  name: "unit",
  title: text("Единица", "Unit", "Нэгж"),
  about: text(
    "Показания сменили масштаб: киловатт-часы и ватт-часы, гигаджоули и гигакалории, литры и кубометры",
    "Readings have changed their scale: kWh and Wh, GJ and Gcal, litres and cubic metres",
    "Заалтын хэмжээс өөрчлөгдсөн: кВт·ц ба Вт·ц, ГЖ ба Гкал, литр ба куб метр",
  ),
  parameters: [
    parameter("tolerance", "percent", [0.1, 10, 0.1], {
      usual: 1,
      title: text("Точность множителя", "Tolerance of the factor", "Үржүүлэгчийн нарийвчлал"),
    }),
    least(text("Показание не меньше", "The reading is at least", "Заалт үүнээс багагүй"), {
      water: 10,
      gas: 10,
      heat: 10,
      electricity: 10,
    }),
  ],
  isOnFor: always,
  says: {
    unit: text(
      "{value#} после {before#}: масштаб ×{factor}, значений: {values}",
      "{value#} after {before#}: scale ×{factor}, {values|value|values}",
      "{before#}-ийн дараа {value#}: хэмжээс ×{factor}, утга: {values}",
    ),
  },
  limit: text(
    "множитель с точностью {tolerance} %",
    "factor within {tolerance} %",
    "үржүүлэгч {tolerance} %",
  ),
  judge({ levels, field, span }: Judged, { tolerance = 0, least: floor = 0 }) {
    const values = (levels.get(field) ?? []).filter(
      ({ status, value }) => value > 0 && status !== statuses.rejected.id,
    );
    const found: Finding[] = [];
    for (let at = 1; at < values.length; at++) {
      const factor = changeAt(values, at, { tolerance, floor });
      if (factor === undefined) continue;
      const end = lastOfScale(values, at, tolerance);
      const finding = findingOf(values, { at, end, factor });
      at = end + 1;
      if (finding && finding.to >= span.from && finding.from <= span.to) found.push(finding);
    }
    return found;
  },
};

/** The conversion by which a value differs from the one before, unless a person has confirmed it. */
function changeAt(
  values: readonly Value[],
  at: number,
  { tolerance, floor }: { readonly tolerance: number; readonly floor: number },
): number | undefined {
  const [before, now] = [values[at - 1], values[at]];
  if (!before || !now || before.value < floor || !isTrusted(before.status)) return undefined;
  if (isConfirmed(now.status) || isEstimated(now.status)) return undefined;
  return factorOf(before.value, now.value, tolerance);
}

function findingOf(
  values: readonly Value[],
  { at, end, factor }: { readonly at: number; readonly end: number; readonly factor: number },
): Finding | undefined {
  const [before, now, last] = [values[at - 1], values[at], values[end]];
  // One odd value is a spike.
  if (!before || !now || !last || last === now) return undefined;
  return {
    field: now.field,
    msgType: now.msgType,
    from: now.ts,
    to: last.ts,
    values: end - at + 1,
    code: "unit",
    evidence: {
      before: rounded(before.value),
      value: rounded(now.value),
      factor: Math.round(factor * 10_000) / 10_000,
      values: end - at + 1,
    },
  };
}
