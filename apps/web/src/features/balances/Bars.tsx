import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { IntervalTable } from "./IntervalTable.tsx";
import { placeOf, scaleOf, type Bar, type Scale } from "./bars.ts";
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

/** Labels under the bars that find room. */
const mostLabels = 16;
/** Characters of a label of which a phone has room for every other one. */
const narrowLabel = 3;

/** Bars of the imbalance with the limit; what is not computed is hatched. Arrow keys walk them. */
export function Bars({ title, bars, limit, hasLine = false, lineTitle, isLow = false, unit }: Props) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const [at, setAt] = useState<number | null>(null);
  const scale = scaleOf(bars, limit);
  const isWide = bars.some(({ label }) => label.length > narrowLabel);
  const named = bars.filter(({ label }) => label !== "").length;
  const every = named < bars.length ? 1 : Math.max(1, Math.ceil(named / mostLabels));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setAt((before) => Math.max(0, Math.min(bars.length - 1, (before ?? -1) + by)));
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
        <ol className="balance-bars" data-wide={isWide ? "" : undefined}>
          {bars.map((bar, nth) => (
            <li
              key={bar.key}
              data-empty={bar.value === null ? "" : undefined}
              data-beyond={bar.isBeyond ? "" : undefined}
              data-current={nth === at ? "" : undefined}
              onPointerEnter={() => setAt(nth)}
            >
              {bar.value === null ? null : (
                <i
                  style={{
                    insetBlockStart: `${String(placeOf(Math.max(bar.value, 0), scale))}%`,
                    insetBlockEnd: `${String(100 - placeOf(Math.min(bar.value, 0), scale))}%`,
                  }}
                />
              )}
              {nth % every === 0 ? <small>{bar.label}</small> : null}
            </li>
          ))}
        </ol>
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

/** The cumulative imbalance; days that are not computed break it. */
function Line({ bars, scale }: { readonly bars: readonly Bar[]; readonly scale: Scale }) {
  let isOpen = false;
  const path = bars
    .map(({ line }, at) => {
      const command = isOpen ? "L" : "M";
      isOpen = line !== null;
      return line === null ? "" : `${command}${String(at + 0.5)} ${String(placeOf(line, scale))}`;
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
}
