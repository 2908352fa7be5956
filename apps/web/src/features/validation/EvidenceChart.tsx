import type { OpenedException } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { formatDate, formatDateTime, formatTime, useFormat } from "#lib/format";

type Chart = OpenedException["chart"];
type Point = Chart["measured"][number];

const size = { width: 760, height: 380, left: 56, right: 12, top: 34, bottom: 34 };
const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };

/** Ticks at 1, 2 or 5 times a power of ten. */
export function ticksUpTo(most: number): number[] {
  if (most <= 0) return [0];
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, at) =>
    Number((at * step).toPrecision(12)),
  );
}

interface Scale {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

function scaleOf({ startDate, stopDate }: Chart, top: number): Scale {
  const length = Math.max(1, stopDate - startDate);
  return {
    x: (at) => size.left + ((Math.min(Math.max(at, startDate), stopDate) - startDate) / length) * inner.width,
    y: (value) => size.top + inner.height * (1 - value / top),
  };
}

/** A line of steps; it breaks where a value is missing. */
export function stepPath(points: readonly Point[], stepSec: number, { x, y }: Scale): string {
  let isOpen = false;
  return points
    .map(({ at, value }, index) => {
      if (value === null) {
        isOpen = false;
        return "";
      }
      const next = points[index + 1]?.at ?? at + stepSec;
      const [left, right, level] = [
        x(at).toFixed(1),
        x(Math.min(next, at + stepSec * 2)).toFixed(1),
        y(value).toFixed(1),
      ];
      const start = isOpen ? `L${left} ${level}` : `M${left} ${level}`;
      isOpen = true;
      return `${start}L${right} ${level}`;
    })
    .join("");
}

function TimeAxis({ chart, zone, x }: { readonly chart: Chart; readonly zone: string } & Pick<Scale, "x">) {
  const length = chart.stopDate - chart.startDate;
  const steps = [1, 2, 3, 6, 12, 24, 48, 96, 168].map((hours) => hours * 3600);
  const step = steps.find((each) => length / each <= 8) ?? Math.ceil(length / 8);
  const first = Math.ceil(chart.startDate / step) * step;
  const count = Math.max(0, Math.floor((chart.stopDate - first) / step) + 1);
  return Array.from({ length: count }, (_, at) => first + at * step).map((at) => (
    <text key={at} className="evidence-tick" x={x(at)} y={size.height - 12} textAnchor={anchorOf(x(at))}>
      {length > 3 * 86_400 ? formatDate(at, zone).slice(0, 5) : formatTime(at, zone)}
    </text>
  ));
}

/** A label at the right edge ends there, so that none of it is cut off. */
const anchorOf = (at: number) => (at > size.width - size.right - 20 ? "end" : "middle");

interface Props {
  readonly opened: OpenedException;
}

/** Measured, suspect and estimated consumption by step, with the limit of the rule. */
export function EvidenceChart({ opened }: Props) {
  const { t } = useTranslation("validation");
  const { number } = useFormat();
  const { chart, zone, unit, decimals, exception } = opened;
  const shown = [...chart.measured, ...chart.suspect, ...chart.estimate];
  const highest = Math.max(chart.limit ?? 0, ...shown.map(({ value }) => value ?? 0));
  const top = highest > 0 ? highest * 1.08 : 1;
  const scale = scaleOf(chart, top);
  const { x, y } = scale;
  const values = (points: readonly Point[]) =>
    points
      .slice(0, 3)
      .flatMap(({ value }) => (value === null ? [] : [number(value, decimals)]))
      .join(", ");
  const described = [
    t("chart.suspect", { count: chart.suspect.length }),
    values(chart.suspect),
    t("chart.proposed", { values: values(chart.estimate) }),
  ].join(". ");
  return (
    <figure className="evidence-chart">
      <figcaption className="evidence-legend">
        <strong>{formatDate(exception.startDate, zone)}</strong>
        <span data-of="measured">{t("chart.measured")}</span>
        {chart.suspect.length > 0 ? <span data-of="suspect">{t("chart.suspectShort")}</span> : null}
        {chart.estimate.length > 0 ? <span data-of="estimate">{t("chart.estimate")}</span> : null}
      </figcaption>
      {shown.length === 0 ? (
        <p className="evidence-none">{t("chart.none")}</p>
      ) : (
        <svg viewBox={`0 0 ${String(size.width)} ${String(size.height)}`} role="img" aria-label={described}>
          <rect
            className="evidence-span"
            x={x(exception.startDate)}
            y={size.top}
            width={Math.max(
              2,
              x(exception.stopDate + (exception.kind === "gap" ? 0 : chart.stepSec)) - x(exception.startDate),
            )}
            height={inner.height}
          />
          <text className="evidence-tick" x={size.left - 8} y={size.top - 14} textAnchor="end">
            {unit}
          </text>
          {ticksUpTo(top).map((value) => (
            <g key={value}>
              <line
                className="evidence-line"
                x1={size.left}
                x2={size.width - size.right}
                y1={y(value)}
                y2={y(value)}
              />
              <text className="evidence-tick" x={size.left - 8} y={y(value) + 4} textAnchor="end">
                {number(value)}
              </text>
            </g>
          ))}
          <TimeAxis chart={chart} zone={zone} x={x} />
          <path className="evidence-measured" d={stepPath(chart.measured, chart.stepSec, scale)} />
          <path className="evidence-suspect" d={stepPath(chart.suspect, chart.stepSec, scale)} />
          {chart.suspect.map(({ at, value }) =>
            value === null ? null : (
              <path
                key={at}
                className="evidence-mark"
                d={`M${String(x(at + chart.stepSec / 2))} ${String(y(value) - 5)}l5 5-5 5-5-5z`}
              />
            ),
          )}
          <path className="evidence-estimate" d={stepPath(chart.estimate, chart.stepSec, scale)} />
          {chart.limit === null ? null : (
            <>
              <line
                className="evidence-limit"
                x1={size.left}
                x2={size.width - size.right}
                y1={y(chart.limit)}
                y2={y(chart.limit)}
              />
              <text className="evidence-tick" x={size.left + 8} y={y(chart.limit) - 6}>
                {t("chart.limit", { value: number(chart.limit, decimals), unit })}
              </text>
            </>
          )}
          {chart.marks.map(({ at }, index) => (
            <path
              key={`${String(at)} ${String(index)}`}
              className="evidence-event"
              d={`M${String(x(at))} ${String(size.height - size.bottom - 8)}l5 8h-10z`}
            >
              <title>{t("chart.event", { at: formatDateTime(at, zone) })}</title>
            </path>
          ))}
        </svg>
      )}
    </figure>
  );
}
