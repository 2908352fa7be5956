import { memo, useMemo, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { IntervalTable } from "./IntervalTable.tsx";
import { Plot } from "./Plot.tsx";
import { labelsOf, placeOf, scaleOf, type Bar, type Scale } from "./bars.ts";
import "./bars.css";

interface Props {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly limit: number;
  readonly hasLine?: boolean;
  readonly lineTitle?: string;
  readonly isLow?: boolean;
  /** Of the amounts; with it the numbers stand in a table below. */
  readonly unit?: string;
}

/** The bar that a key leads to, undefined for other keys: arrows a bar, Page keys a label, Home and End the ends. */
function targetOf(key: string, at: number | null, bars: readonly Bar[]): number | undefined {
  const last = bars.length - 1;
  const from = at ?? -1;
  const named = labelsOf(bars).map((each) => each.at);
  const found = {
    ArrowRight: from + 1,
    ArrowLeft: from - 1,
    PageDown: named.find((each) => each > from) ?? last,
    PageUp: named.findLast((each) => each < from) ?? 0,
    Home: 0,
    End: last,
  }[key];
  return found === undefined ? undefined : Math.max(0, Math.min(last, found));
}

/** Bars of the imbalance with the limit; what is not computed is hatched. Keys walk them. */
export function Bars({ title, bars, limit, hasLine = false, lineTitle, isLow = false, unit }: Props) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const [at, setAt] = useState<number | null>(null);
  const scale = useMemo(() => scaleOf(bars, limit), [bars, limit]);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = (from: number | null) => targetOf(event.key, from, bars);
    if (target(at) === undefined) return;
    event.preventDefault();
    setAt((before) => target(before) ?? before);
  };
  const beyond = bars.filter(({ isBeyond }) => isBeyond).length;
  const empty = bars.filter(({ value }) => value === null).length;
  return (
    <section className="balance-panel">
      <h2 className="balance-panel-head">
        {title}
        {hasLine && lineTitle !== undefined ? <span className="balance-key is-line">{lineTitle}</span> : null}
        {empty > 0 ? (
          <span className="balance-key is-empty">{t("notComputed", { count: empty })}</span>
        ) : null}
      </h2>
      <p className="balance-readout" role="status">
        {bars[at ?? -1]?.text ?? t("readout")}
      </p>
      <div
        className="balance-chart"
        data-low={isLow ? "" : undefined}
        role="application"
        aria-label={t("chartSummary", { title, count: bars.length, beyond, empty })}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setAt(null)}
      >
        <Axis scale={scale} limit={limit} />
        <Plot bars={bars} scale={scale} at={at} onAt={setAt} />
        {hasLine ? <Line bars={bars} scale={scale} /> : null}
        <span
          className="balance-limit"
          style={{ insetBlockStart: `${String(placeOf(limit, scale))}%` }}
          aria-hidden="true"
        >
          <small>{t("limit", { percent: number(limit) })}</small>
        </span>
      </div>
      {unit === undefined ? null : <IntervalTable title={title} unit={unit} bars={bars} />}
    </section>
  );
}

function Axis({ scale, limit }: { readonly scale: Scale; readonly limit: number }) {
  const { number } = useFormat();
  return (
    <div className="balance-axis" aria-hidden="true" data-limit={limit}>
      {scale.ticks.map((tick) => (
        <span key={tick} style={{ insetBlockStart: `${String(placeOf(tick, scale))}%` }}>
          {number(tick)}
        </span>
      ))}
    </div>
  );
}

/** The cumulative imbalance; days that are not computed break it, and one day alone is a dot. */
const Line = memo(function Line({ bars, scale }: { readonly bars: readonly Bar[]; readonly scale: Scale }) {
  let isOpen = false;
  const path = bars
    .map(({ line }, at) => {
      const [command, dot] = isOpen ? ["L", ""] : ["M", "h0"];
      isOpen = line !== null;
      return line === null ? "" : `${command}${String(at + 0.5)} ${String(placeOf(line, scale))}${dot}`;
    })
    .join("");
  return (
    <svg
      className="balance-line"
      viewBox={`0 0 ${String(Math.max(1, bars.length))} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});
