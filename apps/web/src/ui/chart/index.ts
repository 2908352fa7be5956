export { Chart, type ChartProps } from "./Chart.tsx";
export { chartHeight, resizeQuietMs } from "./usePlot.ts";
export { ChartPlace } from "./ChartPlace.tsx";
export {
  extremesOf,
  firstZoom,
  pointsBehind,
  type Band,
  type ChartData,
  type ChartSeries,
  type Gap,
  type MarkLine,
  type SeriesKind,
  type Span,
  type Tone,
} from "./data.ts";
export { createHover, useHover, useIsHovered, type Hover } from "./hover.ts";
