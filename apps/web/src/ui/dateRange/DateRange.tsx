import { Suspense, useCallback, useId, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { formatDate, formatDateTime, formatShort } from "#lib/format";
import { useClosing } from "#ui/menu";
import "./dateRange.css";
import { presetOf, presetRange, presetsWithin, stepRange, type Range, type RangeLimits } from "./range.ts";
import { endOfDay, startOfDay } from "./zone.ts";

/** Most periods are presets: the fields are loaded when the panel is opened. */
const Fields = lazily(async () => ({ default: (await import("./RangeFields.tsx")).RangeFields }));

interface Props {
  readonly range: Range;
  readonly limits: RangeLimits;
  readonly onRange: (range: Range) => void;
}

/** Both ends without times if the period is whole days; one date for one day. */
export function rangeText(range: Range, zone: string, isShort: boolean): string {
  const isWhole = startOfDay(range.start, zone) === range.start && endOfDay(range.end, zone) === range.end;
  const [from, to] = [formatDate(range.start, zone), formatDate(range.end, zone)];
  if (isWhole && from === to) return from;
  if (!isWhole && isShort && from.slice(6) === to.slice(6))
    return `${formatShort(range.start, zone)} – ${formatShort(range.end, zone)}`;
  if (!isShort || !isWhole)
    return `${formatDateTime(range.start, zone)} – ${formatDateTime(range.end, zone)}`;
  return `${from.slice(6) === to.slice(6) ? from.slice(0, 5) : from} – ${to}`;
}

/** The period above the data: previous and next, presets, and two fields that accept typed or pasted text. */
export function DateRange({ range, limits, onRange }: Props) {
  const { t } = useTranslation("dateRange");
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const holder = useClosing(isOpen, close);
  const panel = useId();
  const { zone, now } = limits;
  const preset = presetOf(range, zone, now);
  const shut = () => {
    close();
    holder.current?.querySelector<HTMLElement>(".range-current")?.focus();
  };
  const apply = (next: Range) => {
    onRange(next);
    shut();
  };
  return (
    <div
      className="range"
      ref={holder}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isOpen) shut();
      }}
    >
      <button type="button" aria-label={t("earlier")} onClick={() => onRange(stepRange(range, -1, limits))}>
        <Chevron path="M10 3 5 8l5 5" />
      </button>
      <button
        type="button"
        className="range-current"
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setOpen(!isOpen)}
      >
        <svg
          width="16"
          height="16"
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          aria-hidden="true"
        >
          <path d="M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 1.5v3M10.5 1.5v3" />
        </svg>
        <span className="range-long">{rangeText(range, zone, false)}</span>
        <span className="range-short">{rangeText(range, zone, true)}</span>
        {preset ? <span className="range-name">{t(`preset.${preset}`)}</span> : null}
      </button>
      <button type="button" aria-label={t("later")} onClick={() => onRange(stepRange(range, 1, limits))}>
        <Chevron path="m6 3 5 5-5 5" />
      </button>
      {isOpen ? (
        <div className="range-panel" id={panel} role="dialog" aria-label={t("period")}>
          <ul>
            {presetsWithin(limits).map((each) => (
              <li key={each}>
                <button
                  type="button"
                  aria-pressed={each === preset}
                  onClick={() => apply(presetRange(each, zone, now))}
                >
                  {t(`preset.${each}`)}
                </button>
              </li>
            ))}
          </ul>
          <Suspense fallback={null}>
            <Fields range={range} limits={limits} onApply={apply} />
          </Suspense>
        </div>
      ) : null}
    </div>
  );
}

function Chevron({ path }: { readonly path: string }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
