import type { AccountingPoint } from "@metrum/contract/accounting";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat, withSign } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { Status } from "#ui/status";
import { dataHref, dataRight } from "../points.ts";
import { keyOfValue, linesOf, type WhyLine, type WhyPart, type WhyValue } from "./why.ts";
import type { WhyWords } from "./whyWords.ts";

interface PartProps {
  readonly part: WhyPart;
  readonly words: WhyWords;
  /** Key of the reading that is explained below. */
  readonly chosen: string | null;
  readonly onValue: (value: WhyValue) => void;
}

/** What one device measured, or was added: its readings and ratio as a sum. A reading opens its own steps. */
export function WhyPartStep({ part, words, chosen, onValue }: PartProps) {
  const { t } = useTranslation("accountingPoints");
  const lines = linesOf(part);
  const reason = words.reasonText(part);
  return (
    <li>
      <p className="points-chain-title">
        <b>{words.partTitle(part)}</b>
        <span className="points-amount">
          <b>{words.bareAmount(part.amount)}</b> <small>{words.unit}</small>
        </span>
      </p>
      <p>{words.period(part)}</p>
      {part.flags
        .filter((flag) => flag !== "replaced" && flag !== "ratio" && part.reason === null)
        .map((flag) => (
          <Status key={flag} kind="warn">
            {t(`why.flag.${flag}`)}
          </Status>
        ))}
      {reason === null ? null : <Status kind="warn">{reason}</Status>}
      {part.note === "" ? null : <p>{part.note}</p>}
      {lines.length === 0 ? null : (
        <ul className="points-lines">
          {lines.map((line, at) => (
            <Line key={at} {...{ line, words, chosen, onValue }} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Line({ line, words, chosen, onValue }: Omit<PartProps, "part"> & { readonly line: WhyLine }) {
  const content = (
    <>
      <span>{words.lineText(line)}</span>
      <span>{words.lineValue(line)}</span>
    </>
  );
  if (line.kind !== "end" && line.kind !== "start") return <li>{content}</li>;
  const between = words.betweenText(line.value);
  if (between === null)
    return (
      <li>
        <Reading value={line.value} {...{ chosen, onValue }}>
          {content}
        </Reading>
      </li>
    );
  return (
    <li>
      {content}
      <p className="points-between">{between}</p>
      <ul className="points-lines">
        {line.value.around.map((value) => (
          <li key={keyOfValue(value)}>
            <Reading value={value} {...{ chosen, onValue }}>
              <span>{words.readingText(value)}</span>
              <span>{words.valueText(value.value)}</span>
            </Reading>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** A reading that opens its own steps. */
function Reading(
  props: Pick<PartProps, "chosen" | "onValue"> & { readonly value: WhyValue; readonly children: ReactNode },
) {
  const { value, chosen, onValue, children } = props;
  return (
    <button type="button" aria-pressed={chosen === keyOfValue(value)} onClick={() => onValue(value)}>
      {children}
    </button>
  );
}

interface ValueProps {
  readonly value: WhyValue;
  readonly words: WhyWords;
  readonly point: AccountingPoint;
  readonly onExchange: () => void;
}

const known = {
  status: ["measured", "late", "corrected", "estimated", "suspect", "rejected", "manual"],
  source: ["polled", "pushed", "imported", "manual", "calculated"],
} as const;

/** One reading: how it came, whether it was corrected, and the exchange with its bytes. */
export function WhyValueSteps({ value, words, point, onExchange }: ValueProps) {
  const { t } = useTranslation("accountingPoints");
  const maySeeData = useAllowed(dataRight);
  const { number } = useFormat();
  const wordOf = (group: "status" | "source", code: string | null) =>
    code === null
      ? null
      : (known[group] as readonly string[]).includes(code)
        ? t(`why.${group}.${code}`)
        : code;
  const isGood = value.status === null || value.status === "measured";
  const { clock_off } = value;
  const how = [
    wordOf("status", value.status),
    wordOf("source", value.source),
    value.received_at === null ? null : t("why.received", { at: words.at(value.received_at) }),
  ].filter((each) => each !== null);
  return (
    <>
      <li>
        <p className="points-chain-title">
          <b>{words.readingText(value)}</b>
          <span className="points-amount">
            <b>{words.valueText(value.value)}</b>
          </span>
        </p>
        {how.length === 0 ? null : <Status kind={isGood ? "ok" : "warn"}>{how.join(", ")}</Status>}
        {value.rivals.map((rival) => (
          <Status key={rival.msg_type} kind="warn">
            {t(`why.rival.${rival.reason}`, {
              value: words.valueText(rival.value),
              how: [wordOf("status", rival.status), wordOf("source", rival.source)].join(", "),
            })}
          </Status>
        ))}
        <p className="points-chain-facts">
          <span>
            {value.revisions === 0 ? t("why.noRevisions") : t("why.revisions", { count: value.revisions })}
          </span>
          {clock_off === null ? null : (
            <span>{t("why.clock", { seconds: withSign(clock_off, number(clock_off)) })}</span>
          )}
          {value.kind === "reading" && maySeeData ? <a href={dataHref(point.id)}>{t("why.data")}</a> : null}
        </p>
      </li>
      {value.exchange === null ? (
        <li>
          <p className="points-chain-title">
            <b>{t("why.noBytes")}</b>
          </p>
          <p>{t(value.kind === "reading" ? "why.noBytesReading" : "why.noBytesAct")}</p>
        </li>
      ) : (
        <li>
          <p className="points-chain-title">
            <b>{t("why.bytes")}</b>
          </p>
          <p>{t("why.bytesText", { at: words.at(value.exchange.at) })}</p>
          <Button kind="link" onClick={onExchange}>
            {t("why.openExchange")}
          </Button>
        </li>
      )}
    </>
  );
}
