import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import "./dateRange.css";
import {
  fitRange,
  presetOf,
  presetRange,
  presetsWithin,
  stepRange,
  type Range,
  type RangeLimits,
} from "./range.ts";
import {
  dateText,
  dateTimeText,
  timeText,
  day,
  endOfDay,
  offsetText,
  parseDateTime,
  startOfDay,
} from "./zone.ts";

interface Props {
  readonly range: Range;
  readonly limits: RangeLimits;
  readonly onRange: (range: Range) => void;
}

/** Both ends without their times when the period is whole days; one date for one day. */
export function rangeText(range: Range, zone: string, isShort: boolean): string {
  const isWhole = startOfDay(range.start, zone) === range.start && endOfDay(range.end, zone) === range.end;
  const [from, to] = [dateText(range.start, zone), dateText(range.end, zone)];
  if (isWhole && from === to) return from;
  if (!isWhole && isShort && from.slice(6) === to.slice(6))
    return [range.start, range.end]
      .map((at) => `${dateText(at, zone).slice(0, 5)} ${timeText(at, zone)}`)
      .join(" – ");
  if (!isShort || !isWhole) return `${dateTimeText(range.start, zone)} – ${dateTimeText(range.end, zone)}`;
  return `${from.slice(6) === to.slice(6) ? from.slice(0, 5) : from} – ${to}`;
}

/** The period above the data: a step either way, presets, and two fields that take what people type or paste. */
export function DateRange({ range, limits, onRange }: Props) {
  const { t } = useTranslation("dateRange");
  const [isOpen, setOpen] = useState(false);
  const holder = useRef<HTMLDivElement>(null);
  const panel = useId();
  const { zone, now } = limits;
  const preset = presetOf(range, zone, now);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: Event) => {
      if (event.target instanceof Node && holder.current?.contains(event.target) === true) return;
      setOpen(false);
    };
    document.addEventListener("pointerdown", close);
    return () => document.removeEventListener("pointerdown", close);
  }, [isOpen]);
  const shut = () => {
    setOpen(false);
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
          <Fields range={range} limits={limits} onApply={apply} />
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

type Edge = "start" | "end";

function Fields({
  range,
  limits,
  onApply,
}: {
  range: Range;
  limits: RangeLimits;
  onApply: (range: Range) => void;
}) {
  const { t } = useTranslation("dateRange");
  const { zone } = limits;
  const [draft, setDraft] = useState(range);
  const [texts, setTexts] = useState(() => textsOf(range, zone));
  const [moved, setMoved] = useState<Edge | null>(null);
  const [wrong, setWrong] = useState<readonly Edge[]>([]);

  /** Reads one field; the other end moves along when the period would be too long or upside down. */
  const settle = (edge: Edge, from: Range): Range | undefined => {
    const at = parseDateTime(texts[edge], zone, edge);
    setWrong((old) => [...old.filter((each) => each !== edge), ...(at === undefined ? [edge] : [])]);
    if (at === undefined) return undefined;
    if (texts[edge] === textsOf(from, zone)[edge]) return from;
    const fitted = fitRange({ ...from, [edge]: at }, edge, from, limits);
    const next = { start: fitted.start, end: fitted.end };
    setMoved(fitted.moved);
    setDraft(next);
    setTexts(textsOf(next, zone));
    return next;
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const first = settle("start", draft);
    const next = first && settle("end", first);
    if (next) onApply(next);
  };
  const field = (edge: Edge) => (
    <label className={`range-field${moved === edge ? " is-moved" : ""}`}>
      <span>{t(edge)}</span>
      <input
        value={texts[edge]}
        inputMode="numeric"
        autoComplete="off"
        aria-invalid={wrong.includes(edge)}
        aria-describedby="range-note"
        onChange={(event) => setTexts({ ...texts, [edge]: event.target.value })}
        onBlur={() => settle(edge, draft)}
      />
      {wrong.includes(edge) ? <small className="range-error">{t("wrong")}</small> : null}
      {moved === edge ? (
        <small className="range-moved">{t(edge === "start" ? "movedStart" : "movedEnd")}</small>
      ) : null}
    </label>
  );
  return (
    <form onSubmit={submit} noValidate>
      {field("start")}
      {field("end")}
      <p id="range-note" className="range-note">
        {limits.maxSpan === null ? t("noLimit") : t("limit", { count: Math.floor(limits.maxSpan / day) })}
        <br />
        {t("zone", { zone: offsetText(range.start, zone) })}
      </p>
      <button type="submit" className="range-show">
        {t("show")}
      </button>
    </form>
  );
}

function textsOf(range: Range, zone: string): Readonly<Record<Edge, string>> {
  return { start: dateTimeText(range.start, zone), end: dateTimeText(range.end, zone) };
}
