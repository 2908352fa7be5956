import { amountDecimals } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { formatDate, useFormat } from "#lib/format";
import { dayText } from "#ui/dateField";

/** Consumption of a day of the point around the swap, as the server has said it. */
export interface SwapDay {
  /** YYYY-MM-DD in the zone of the point. */
  readonly day: string;
  /** Null: not known. */
  readonly amount: number | null;
  readonly is_new: boolean;
}

interface Props {
  readonly days: readonly SwapDay[];
  readonly swapAt: number;
  readonly unit: string;
  readonly zone: string;
  readonly resource: string;
}

const box = { top: 24, height: 180, foot: 34, left: 44 };

/** A round number at or above the highest bar. */
export function roundAbove(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 3, 4, 5, 6, 8].find((each) => each * power >= value) ?? 10) * power;
}

/** Days before the swap in grey, after it in the colour of the resource; an unknown day is hatched. */
export function SwapChart({ days, swapAt, unit, zone, resource }: Props) {
  const { t } = useTranslation("pointReplacement");
  const { number } = useFormat();
  if (days.length === 0) return <p className="points-chart-none">{t("chart.none")}</p>;
  const top = roundAbove(Math.max(...days.map(({ amount }) => amount ?? 0)));
  const swap = days.findIndex(({ is_new }) => is_new);
  const percent = (value: number) => `${String(value)}%`;
  const step = 100 / days.length;
  const yOf = (value: number) => box.top + box.height * (1 - value / top);
  const shortDay = (day: string) => dayText(day).slice(0, 5);
  return (
    <figure className="points-chart" data-resource={resource}>
      <svg
        width="100%"
        height={box.top + box.height + box.foot}
        role="img"
        aria-label={t("chart.label", { unit })}
      >
        <defs>
          <pattern
            id="points-hatch"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line className="points-chart-hatch" x1="0" x2="0" y1="0" y2="6" />
          </pattern>
        </defs>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line
              className="points-lane-grid"
              x1={box.left}
              x2="100%"
              y1={yOf(top * share)}
              y2={yOf(top * share)}
            />
            <text className="points-chart-scale" x={box.left - 8} y={yOf(top * share) + 4}>
              {number(top * share)}
            </text>
          </g>
        ))}
        <text className="points-chart-scale" x={box.left - 8} y="12">
          {unit}
        </text>
        <svg x={box.left} width={`calc(100% - ${String(box.left)}px)`} overflow="visible">
          {days.map(({ day, amount, is_new }, index) => (
            <rect
              key={day}
              className="points-chart-bar"
              data-side={amount === null ? "unknown" : is_new ? "new" : "old"}
              x={percent(index * step + step * 0.12)}
              width={percent(step * 0.76)}
              y={amount === null ? box.top : yOf(Math.max(0, amount))}
              height={amount === null ? box.height : box.top + box.height - yOf(Math.max(0, amount))}
            >
              <title>{`${dayText(day)}: ${amount === null ? t("chart.unknown") : `${number(amount, amountDecimals)} ${unit}`}`}</title>
            </rect>
          ))}
          {swap < 0 ? null : <SwapLine place={swap * step} text={formatDate(swapAt, zone).slice(0, 5)} />}
          {[days[0], days.at(-1)].map((each, end) =>
            each === undefined ? null : (
              <text
                key={end}
                className="points-lane-tick"
                data-end={end === 0 ? "start" : "end"}
                x={end === 0 ? "0%" : "100%"}
                y={box.top + box.height + 16}
              >
                {shortDay(each.day)}
              </text>
            ),
          )}
        </svg>
      </svg>
    </figure>
  );
}

function SwapLine({ place, text }: { readonly place: number; readonly text: string }) {
  const { t } = useTranslation("pointReplacement");
  const at = `${String(place)}%`;
  return (
    <>
      <line className="points-lane-swap" x1={at} x2={at} y1="0" y2={box.top + box.height + 4} />
      <svg x={at} overflow="visible">
        <text className="points-chart-old" x="-8" y="12">
          {t("chart.old")}
        </text>
        <text className="points-chart-new" x="8" y="12">
          {t("chart.new")}
        </text>
        <text className="points-chart-swap" x="0" y={box.top + box.height + 16}>
          {text}
        </text>
      </svg>
    </>
  );
}
