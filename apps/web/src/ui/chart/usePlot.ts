import { useEffect, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import { afterPaint } from "./afterPaint.ts";
import type { ChartProps } from "./Chart.tsx";
import type { Hover } from "./hover.ts";
import { createPlot } from "./plot.ts";
import { observeWidth } from "./theme.ts";

/** Height of the chart with its overview strip, and how long a width must be stable before redrawing. */
export const chartHeight = 400;
export const resizeQuietMs = 500;
/** Including the space above it. */
const overviewHeight = 50;
const phoneHeight = 196;
const phoneWidth = 640;
const none: readonly never[] = [];

interface Input {
  readonly host: RefObject<HTMLElement | null>;
  readonly plot: RefObject<uPlot | null>;
  /** The properties of the last rendering: what the plot asks for while it draws. */
  readonly latest: RefObject<ChartProps>;
  readonly hover: Hover;
  readonly zone: string;
  /** What a plot is made for: others are made anew. */
  readonly structure: string;
  readonly theme: number;
  readonly onPhone: (isPhone: boolean) => void;
}

/** Keeps the plot of a chart: made after the page is painted, since making one takes longer than a click may. */
export function usePlot({ host, plot, latest, hover, zone, structure, theme, onPhone }: Input): void {
  const { t } = useTranslation("chart");
  const nowLabel = t("now");
  const weekdays = t("weekdays");
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const days = weekdays.split(" ");
    const sizeOf = (width: number) => {
      onPhone(width < phoneWidth);
      return { width, height: width < phoneWidth ? phoneHeight : chartHeight - overviewHeight };
    };
    const draw = () => {
      const current = latest.current;
      const made = createPlot({
        host: element,
        ...sizeOf(element.clientWidth),
        data: current.data,
        isHidden: (key) => latest.current.hidden.includes(key),
        zone,
        weekday: (day) => days[day] ?? "",
        formatTick: (value, decimals) => latest.current.formatTick(value, decimals),
        hover,
        window: current.zoom ?? current.period,
        layers: () => {
          const { bands = none, marks = none, gaps, now } = latest.current;
          return { bands, marks, gaps, now, nowLabel };
        },
        actions: {
          zoom: (span) => latest.current.onZoom(span),
          back: () => latest.current.onZoom(null),
          bounds: () => latest.current.period,
        },
      });
      plot.current = made;
      // A canvas does not wait for the font, and would keep the fallback.
      void document.fonts.ready.then(() => plot.current === made && made.redraw(false, true));
      const unobserve = observeWidth(element, resizeQuietMs, (width) => {
        if (width > 0 && width !== made.width) made.setSize(sizeOf(width));
      });
      return () => {
        unobserve();
        plot.current = null;
        made.destroy();
      };
    };
    let stop: (() => void) | undefined;
    const giveUp = afterPaint(() => (stop = draw()));
    return () => {
      giveUp();
      stop?.();
    };
  }, [structure, theme, zone, weekdays, hover, nowLabel, host, plot, latest, onPhone]);
}
