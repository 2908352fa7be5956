import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "#lib/format";
import { captioned, placeAt, scaleOf, ticksOf, type LaneScale, type Stretch } from "./lanes.ts";

export interface LaneBar extends Stretch {
  readonly id: number;
  readonly title: string;
}

export interface LaneMark {
  readonly id: number;
  readonly ts: number;
  readonly kind: "installed" | "replaced" | "removed" | "verified" | "reset" | "rollover" | "ratio" | "note";
  readonly title: string;
}

interface Props {
  readonly devices: readonly LaneBar[];
  readonly ratios: readonly LaneBar[];
  readonly events: readonly LaneMark[];
  readonly now: number;
  readonly zone: string;
  /** Key of the resource, whose colour marks what is valid now. */
  readonly resource: string;
}

const lane = { devices: 6, deviceHeight: 32, ratios: 52, ratioHeight: 24, events: 100, ticks: 138, all: 148 };

/** One lane a kind: devices, ratios, events. The past is grey; only what is valid now has a colour. */
export function HistoryLanes({ devices, ratios, events, now, zone, resource }: Props) {
  const { t } = useTranslation("accountingPoints");
  const scale = scaleOf([...devices, ...ratios], events, now);
  const percent = (at: number) => `${String(placeAt(at, scale))}%`;
  const ticks = ticksOf(scale, zone);
  return (
    <div className="points-lanes" data-resource={resource}>
      <svg width="100%" height={lane.all} aria-hidden="true">
        {ticks.map(({ at, place, text }) => (
          <g key={at}>
            <line
              className="points-lane-grid"
              x1={`${String(place)}%`}
              x2={`${String(place)}%`}
              y1="0"
              y2="122"
            />
            <text className="points-lane-tick" x={`${String(place)}%`} y={lane.ticks}>
              {text}
            </text>
          </g>
        ))}
        <line className="points-lane-axis" x1="0" x2="100%" y1={lane.events} y2={lane.events} />
        {devices.map((bar) => (
          <Bar key={bar.id} bar={bar} scale={scale} now={now} y={lane.devices} height={lane.deviceHeight}>
            {spanText(bar, zone, t("history.now"))}
          </Bar>
        ))}
        {ratios.map((bar) => (
          <Bar
            key={bar.id}
            bar={bar}
            scale={scale}
            now={now}
            y={lane.ratios}
            height={lane.ratioHeight}
            isRatio
          />
        ))}
        {devices.slice(1).map(({ id, from_ts }) => (
          <line
            key={id}
            className="points-lane-swap"
            x1={percent(from_ts)}
            x2={percent(from_ts)}
            y1={lane.devices - 6}
            y2={lane.devices + lane.deviceHeight + 8}
          />
        ))}
        <Marks events={events} scale={scale} />
      </svg>
      <AsText {...{ devices, ratios, events, zone }} />
    </div>
  );
}

function spanText({ from_ts, to_ts }: Stretch, zone: string, now: string): string {
  return `${formatDate(from_ts, zone)} – ${to_ts === null ? now : formatDate(to_ts, zone)}`;
}

interface BarProps {
  readonly bar: LaneBar;
  readonly scale: LaneScale;
  readonly now: number;
  readonly y: number;
  readonly height: number;
  readonly isRatio?: boolean;
  readonly children?: ReactNode;
}

/** A stretch of a lane; its texts are cut where it ends. */
function Bar({ bar, scale, now, y, height, isRatio = false, children }: BarProps) {
  const left = placeAt(bar.from_ts, scale);
  const width = Math.max(0.6, placeAt(bar.to_ts ?? Math.max(now, bar.from_ts), scale) - left);
  const isNow = bar.from_ts <= now && (bar.to_ts === null || bar.to_ts > now);
  return (
    <svg x={`${String(left)}%`} y={y} width={`${String(width)}%`} height={height}>
      <title>{bar.title}</title>
      <rect
        className={isRatio ? "points-lane-ratio" : "points-lane-device"}
        data-now={isNow ? "" : undefined}
        width="100%"
        height={height}
        rx="4"
      />
      <text
        className="points-lane-title"
        data-now={isNow && !isRatio ? "" : undefined}
        x="8"
        y={isRatio ? 16 : 14}
      >
        {bar.title}
      </text>
      {children === undefined ? null : (
        <text className="points-lane-span" data-now={isNow ? "" : undefined} x="8" y="26">
          {children}
        </text>
      )}
    </svg>
  );
}

/** What is said first when captions would cover each other. */
const weight = {
  replaced: 0,
  reset: 1,
  rollover: 1,
  ratio: 2,
  removed: 3,
  installed: 4,
  note: 5,
  verified: 9,
};

const shapes = {
  installed: <circle r="4.5" />,
  replaced: <path d="M0-7 7 0 0 7-7 0z" />,
  removed: <path d="M-5-5 5 5M5-5-5 5" />,
  verified: <path d="M0-6 6 0 0 6-6 0z" />,
  reset: <path d="M0-5.5 5.5 5h-11z" />,
  rollover: <path d="M0-5.5 5.5 5h-11z" />,
  ratio: <path d="M0-7V7M-4-3.4h8" />,
  note: <circle r="3.5" />,
} as const;

function Marks({ events, scale }: { readonly events: readonly LaneMark[]; readonly scale: LaneScale }) {
  const { t } = useTranslation("accountingPoints");
  const sorted = [...events].sort((a, b) => weight[a.kind] - weight[b.kind] || b.ts - a.ts);
  const worded = sorted.filter(({ kind }) => kind !== "verified" && kind !== "note");
  const isShown = captioned(worded.map(({ ts }) => placeAt(ts, scale)));
  return (
    <>
      {sorted.map((event) => {
        const place = placeAt(event.ts, scale);
        return (
          <svg
            key={event.id}
            x={`${String(place)}%`}
            y={lane.events}
            className="points-lane-mark"
            data-kind={event.kind}
          >
            <title>{event.title}</title>
            {shapes[event.kind]}
            {isShown[worded.indexOf(event)] === true ? (
              <text
                y="20"
                textAnchor={place > 90 ? "end" : place < 8 ? "start" : "middle"}
                x={place > 90 ? 6 : 0}
              >
                {t(`event.${event.kind}`)}
              </text>
            ) : null}
          </svg>
        );
      })}
    </>
  );
}

/** The same for screen readers, as lists. */
function AsText({ devices, ratios, events, zone }: Pick<Props, "devices" | "ratios" | "events" | "zone">) {
  const { t } = useTranslation("accountingPoints");
  return (
    <div className="visually-hidden">
      <ul aria-label={t("history.devices")}>
        {[...devices, ...ratios].map((bar, at) => (
          <li key={at}>{`${bar.title}: ${spanText(bar, zone, t("history.now"))}`}</li>
        ))}
      </ul>
      <ul aria-label={t("history.events")}>
        {events.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </div>
  );
}
