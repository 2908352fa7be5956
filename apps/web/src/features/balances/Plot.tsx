import { memo, type PointerEvent } from "react";
import { areaOf, columnBars, gapsOf, labelsOf, placeOf, zeroOf, type Bar, type Scale } from "./bars.ts";

interface Props {
  readonly bars: readonly Bar[];
  readonly scale: Scale;
  /** The bar that is read out. */
  readonly at: number | null;
  readonly onAt: (at: number) => void;
}

const percent = (value: number): string => `${String(value)}%`;

/** The bars with their labels, each as an element, or one area when there is no room for gaps between them. */
export function Plot({ bars, scale, at, onAt }: Props) {
  const onPointer = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const nth = Math.floor(((clientX - left) / Math.max(1, width)) * bars.length);
    onAt(Math.max(0, Math.min(bars.length - 1, nth)));
  };
  return (
    <div className="balance-plot" onPointerMove={onPointer} onPointerDown={onPointer}>
      {at === null ? null : (
        <span
          className="balance-cursor"
          style={{
            insetInlineStart: percent((at / bars.length) * 100),
            inlineSize: percent(100 / bars.length),
          }}
        />
      )}
      {bars.length > columnBars ? <Area bars={bars} scale={scale} /> : <Columns bars={bars} scale={scale} />}
      <Labels bars={bars} />
    </div>
  );
}

type Drawn = Pick<Props, "bars" | "scale">;

const Columns = memo(function Columns({ bars, scale }: Drawn) {
  return (
    <ol className="balance-bars" style={{ ["--bars" as string]: bars.length }}>
      {bars.map((bar) => (
        <li
          key={bar.key}
          data-empty={bar.value === null ? "" : undefined}
          data-beyond={bar.isBeyond ? "" : undefined}
        >
          {bar.value === null ? null : (
            <i
              style={{
                insetBlockStart: percent(placeOf(Math.max(bar.value, 0), scale)),
                insetBlockEnd: percent(100 - placeOf(Math.min(bar.value, 0), scale)),
              }}
            />
          )}
        </li>
      ))}
    </ol>
  );
});

/** A stepped area, in which each bar beyond the limit is at least as wide as its outline. */
const Area = memo(function Area({ bars, scale }: Drawn) {
  return (
    <>
      {gapsOf(bars).map(({ from, count }) => (
        <span
          key={from}
          className="balance-gap"
          style={{
            insetInlineStart: percent((from / bars.length) * 100),
            inlineSize: percent((count / bars.length) * 100),
          }}
        />
      ))}
      <svg
        className="balance-area"
        viewBox={`0 0 ${String(bars.length)} 100`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={areaOf(bars, scale, false)} vectorEffect="non-scaling-stroke" />
        <path data-beyond="" d={areaOf(bars, scale, true)} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className="balance-zero" style={{ insetBlockStart: percent(zeroOf(scale)) }} />
    </>
  );
});

const Labels = memo(function Labels({ bars }: Pick<Props, "bars">) {
  return (
    <div className="balance-labels" aria-hidden="true">
      {labelsOf(bars).map(({ at, label, isMinor }) => (
        <small
          key={at}
          data-minor={isMinor ? "" : undefined}
          style={{ insetInlineStart: percent(((at + 0.5) / bars.length) * 100) }}
        >
          {label}
        </small>
      ))}
    </div>
  );
});
