import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./chart.css";
import { tooltipSide, type Band, type ChartData, type Gap, type MarkLine, type Span } from "./data.ts";
import { useHover, type Hover } from "./hover.ts";
import { Overview } from "./Overview.tsx";
import { alignedOf, middleOf } from "./plot.ts";
import { zoomAround } from "./plugins.ts";
import { useThemeVersion } from "#lib/theme";
import { Legend } from "./Legend.tsx";
import { Readout } from "./Tooltip.tsx";
import { resizeQuietMs, usePlot } from "./usePlot.ts";

export interface ChartProps {
  readonly title: string;
  readonly data: ChartData;
  readonly period: Span;
  readonly zone: string;
  readonly gaps: readonly Gap[];
  readonly bands?: readonly Band[];
  readonly marks?: readonly MarkLine[];
  readonly now: number;
  /** The shown range; null is the whole period. It is kept in the address bar. */
  readonly zoom: Span | null;
  readonly onZoom: (zoom: Span | null) => void;
  readonly hidden: readonly string[];
  readonly onHidden: (keys: readonly string[]) => void;
  readonly hover: Hover;
  /** One sentence for screen readers. */
  readonly summary: string;
  readonly formatValue: (value: number) => string;
  readonly formatTick: (value: number, decimals: number) => string;
  readonly timeOf: (index: number) => string;
  readonly problemOf?: (index: number) => string | undefined;
  readonly tools?: ReactNode;
}

/**
 * Lines, steps or bars over time, with visible gaps. Dragging zooms, arrows move the cursor, the legend hides
 * series.
 */
export function Chart(props: ChartProps) {
  const { data, period, zone, zoom, onZoom, hidden, hover, title, summary } = props;
  const { t } = useTranslation("chart");
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const theme = useThemeVersion();
  const [isPhone, setPhone] = useState(false);
  const window = useMemo(() => zoom ?? period, [zoom, period]);
  const structure =
    data.series.map((each) => `${each.key}:${each.kind}:${each.tone}`).join() + String(data.stepSec);

  usePlot({ host, plot, latest, hover, zone, structure, theme, onPhone: setPhone });

  useEffect(() => {
    const drawn = plot.current;
    if (!drawn) return;
    drawn.batch(() => {
      if (drawn.data[0] !== data.x) drawn.setData(alignedOf(data), false);
      drawn.setScale("x", { min: window.from, max: window.to });
      data.series.forEach((each, at) => {
        const show = !hidden.includes(each.key);
        if (drawn.series[at + 1]?.show !== show) drawn.setSeries(at + 1, { show });
      });
    });
  }, [data, window, hidden, structure, theme]);
  useEffect(() => {
    plot.current?.redraw(false);
  }, [props.gaps, props.bands, props.marks, props.now]);

  const walk = useKeyboard({ props, window });
  const visible = useMemo(
    () => data.series.filter((each) => !hidden.includes(each.key)),
    [data.series, hidden],
  );
  const savePicture = useCallback(() => plot.current && downloadPng(plot.current, latest.current.title), []);
  return (
    <figure className="chart">
      <figcaption className="chart-head">
        <strong>{title}</strong>
        <Legend
          series={data.series}
          hasGaps={props.gaps.length > 0}
          hidden={hidden}
          onHidden={props.onHidden}
        />
        <span className="chart-hint">{t(zoom === null ? "hint" : "hintBack")}</span>
        {props.tools}
        <button type="button" className="chart-tool" onClick={savePicture}>
          {t("png")}
        </button>
      </figcaption>
      {isPhone ? <FixedReadout {...props} visible={visible} /> : null}
      <div
        className="chart-plot"
        role="group"
        tabIndex={0}
        aria-label={summary}
        aria-describedby="chart-keys"
        onKeyDown={walk}
        onClick={() => hover.pin(hover.isPinned() ? null : hover.get())}
      >
        <div ref={host} />
        {isPhone ? null : <Box {...props} visible={visible} plot={plot} />}
        <Cross {...props} visible={visible} plot={plot} />
      </div>
      <span className="visually-hidden" id="chart-keys">
        {t("keys")}
      </span>
      {isPhone ? null : (
        <Overview
          data={data}
          gaps={props.gaps}
          period={period}
          window={window}
          onWindow={onZoom}
          quietMs={resizeQuietMs}
        />
      )}
    </figure>
  );
}

type Visible = ChartProps & { readonly visible: ChartProps["data"]["series"] };

/** Keyboard control: arrows by point, Home and End, + and − zoom, Backspace back, Escape releases. */
function useKeyboard({ props, window }: { props: ChartProps; window: Span }) {
  return (event: KeyboardEvent) => {
    const { hover, data, onZoom, period } = props;
    const last = data.x.length - 1;
    const at = hover.get() ?? last;
    const middle = data.x[at] ?? (window.from + window.to) / 2;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => hover.pin(Math.max(0, at - (event.shiftKey ? 10 : 1))),
      ArrowRight: () => hover.pin(Math.min(last, at + (event.shiftKey ? 10 : 1))),
      Home: () => hover.pin(0),
      End: () => hover.pin(last),
      "+": () => onZoom(zoomAround(window, middle, 0.5, period)),
      "-": () => onZoom(zoomAround(window, middle, 2, period)),
      Backspace: () => onZoom(null),
      Escape: () => hover.pin(null),
    };
    const action = actions[event.key];
    if (!action || last < 0) return;
    event.preventDefault();
    action();
  };
}

function Cross({
  hover,
  data,
  visible,
  plot,
}: Visible & { readonly plot: { readonly current: uPlot | null } }) {
  const index = useHover(hover);
  const drawn = plot.current;
  if (index === null || !drawn) return null;
  const { left, top, width, height } = boxOf(drawn);
  const x = middleOf(drawn, data, index);
  if (x < 0 || x > width) return null;
  return (
    <div className="chart-cross" style={{ left: left + x, top, height }} aria-hidden="true">
      {visible.map((each) => {
        const value = each.values[index] ?? Number.NaN;
        if (Number.isNaN(value)) return null;
        const y = drawn.valToPos(value, "y");
        return <i key={each.key} style={{ top: y, borderColor: `var(--${each.tone})` }} />;
      })}
    </div>
  );
}

function boxOf(drawn: uPlot) {
  const ratio = devicePixelRatio;
  const { left, top, width, height } = drawn.bbox;
  return { left: left / ratio, top: top / ratio, width: width / ratio, height: height / ratio };
}

const boxWidth = 248;

function Box(props: Visible & { readonly plot: { readonly current: uPlot | null } }) {
  const { hover, data, gaps, plot, visible } = props;
  const index = useHover(hover);
  const drawn = plot.current;
  if (index === null || !drawn || index >= data.x.length) return null;
  const { left, width } = boxOf(drawn);
  const cursor = middleOf(drawn, data, index);
  if (cursor < 0 || cursor > width) return null;
  const busy = gaps.map((gap) => ({ from: drawn.valToPos(gap.from, "x"), to: drawn.valToPos(gap.to, "x") }));
  const side = tooltipSide({ cursor, width, box: boxWidth + 16, busy });
  return (
    <div
      className="chart-box"
      role="status"
      style={{ width: boxWidth, left: left + cursor + (side === "right" ? 16 : -16 - boxWidth) }}
    >
      <Readout
        title={props.timeOf(index)}
        series={visible}
        index={index}
        formatValue={props.formatValue}
        problem={props.problemOf?.(index)}
      />
    </div>
  );
}

/**
 * On a phone the readout is a line above the chart that never covers it; without touch it shows the newest
 * point.
 */
function FixedReadout(props: Visible) {
  const index = useHover(props.hover) ?? props.data.x.length - 1;
  if (index < 0 || index >= props.data.x.length) return null;
  return (
    <div className="chart-fixed" role="status">
      <Readout
        title={props.timeOf(index)}
        series={props.visible}
        index={index}
        formatValue={props.formatValue}
        problem={props.problemOf?.(index)}
      />
    </div>
  );
}

function downloadPng(drawn: uPlot, title: string): void {
  const { canvas } = drawn.ctx;
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const pen = copy.getContext("2d");
  if (!pen) return;
  pen.fillStyle = getComputedStyle(drawn.root).getPropertyValue("--panel") || "white";
  pen.fillRect(0, 0, copy.width, copy.height);
  pen.drawImage(canvas, 0, 0);
  const link = document.createElement("a");
  link.download = `${title}.png`;
  link.href = copy.toDataURL("image/png");
  link.click();
}
