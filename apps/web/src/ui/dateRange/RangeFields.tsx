import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { day, formatDateTime, formatOffset } from "#lib/format";
import { fitRange, type Range, type RangeLimits } from "./range.ts";
import { parseDateTime } from "./zone.ts";

type Edge = "start" | "end";

/** Both ends as typed or pasted text; the other end follows if the period would be too long. */
export function RangeFields({
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

  /** Parses one field; the other end follows if the period would be too long or reversed. */
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
        {t("zone", { zone: formatOffset(range.start, zone) })}
      </p>
      <button type="submit" className="range-show">
        {t("show")}
      </button>
    </form>
  );
}

function textsOf(range: Range, zone: string): Readonly<Record<Edge, string>> {
  return { start: formatDateTime(range.start, zone), end: formatDateTime(range.end, zone) };
}
