import { pointHistory, type AccountingPoint } from "@metrum/contract/accounting";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ExchangeDialog } from "#device-data";
import { reasonOf, useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { copyText } from "#ui/copy";
import { Icon } from "#ui/icon";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import { dataHref, dataRight, resourceOf } from "../points.ts";
import { firstExplained, keyOfValue, type WhyValue } from "./why.ts";
import { useWhyWords, type WhyWords } from "./whyWords.ts";
import { WhyPartStep, WhyValueSteps } from "./WhySteps.tsx";

interface Props {
  readonly point: AccountingPoint;
  /** "2026-09" */
  readonly month: string;
  readonly onClose: () => void;
}

/** Where a number comes from: its parts, their readings and ratios, and the bytes of the meter. */
export function WhyPanel({ point, month, onClose }: Props) {
  const { t } = useTranslation("accountingPoints");
  const panel = useRef<HTMLElement>(null);
  const query = useCall(
    pointHistory.why,
    { body: { accounting_point_id: point.id, month } },
    { isQuiet: true, keepsPrevious: true },
  );
  useEffect(() => {
    // Newer browsers return a promise, which would be taken for the clean-up of the effect.
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [month]);
  const { data } = query;
  return (
    <aside className="points-why" aria-label={t("why.title")} ref={panel}>
      <header>
        <Icon name="help" />
        <h2>{t("why.title")}</h2>
        <IconButton icon="close" label={t("why.close")} onClick={onClose} />
      </header>
      {query.error && !data ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : !data ? (
        <Skeleton height={360} />
      ) : (
        <Chain key={month} point={point} month={month} why={data} />
      )}
    </aside>
  );
}

interface ChainProps extends Omit<Props, "onClose"> {
  readonly why: WhyWords["why"];
}

function Chain({ point, month, why }: ChainProps) {
  const { t } = useTranslation("accountingPoints");
  const maySeeData = useAllowed(dataRight);
  const words = useWhyWords(why, point.timezone);
  const [chosen, setChosen] = useState<WhyValue | null>(null);
  const [isExchangeOpen, setExchangeOpen] = useState(false);
  const first = useMemo(() => firstExplained(why.parts), [why.parts]);
  const value = chosen ?? first;
  return (
    <>
      <ol className="points-chain">
        <li>
          <p className="points-chain-title">
            <b>{words.monthOf(month)}</b>
            <span className="points-amount">
              <b>{words.bareAmount(why.total)}</b> <small>{words.unit}</small>
            </span>
          </p>
          <p>{words.formula}</p>
          {words.otherBill === null ? null : <Status kind="warn">{words.otherBill}</Status>}
          {why.is_behind ? <Status kind="warn">{t("why.behind")}</Status> : null}
          {words.completeness === null ? null : <Status kind="warn">{words.completeness}</Status>}
          {why.estimated > 0 ? <Status kind="warn">{words.estimated}</Status> : null}
        </li>
        {why.parts.map((part, at) => (
          <WhyPartStep
            key={at}
            part={part}
            words={words}
            chosen={value === null ? null : keyOfValue(value)}
            onValue={setChosen}
          />
        ))}
        {value === null ? null : (
          <WhyValueSteps value={value} words={words} point={point} onExchange={() => setExchangeOpen(true)} />
        )}
      </ol>
      <Earlier why={why} words={words} />
      <footer>
        <Button
          icon="copy"
          onClick={() =>
            void copyText(words.asText(point, month), {
              copied: t("why.copied"),
              notCopied: t("why.notCopied"),
            })
          }
        >
          {t("why.copy")}
        </Button>
        {maySeeData ? (
          <a className="button button-secondary button-normal" href={dataHref(point.id)}>
            <span>{t("why.readings")}</span>
          </a>
        ) : null}
      </footer>
      {isExchangeOpen && value?.exchange ? (
        <Suspense fallback={null}>
          <ExchangeDialog
            deviceId={value.exchange.device_id}
            id={value.exchange.id}
            zone={point.timezone}
            resource={resourceOf(point).key}
            title={`${words.valueText(value.value)} · ${formatDateTime(value.ts, point.timezone)}`}
            onClose={() => setExchangeOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** Earlier versions of the readings that the number rests on, struck through. */
function Earlier({ why, words }: { readonly why: WhyWords["why"]; readonly words: WhyWords }) {
  const { t } = useTranslation("accountingPoints");
  if (why.earlier.length === 0) return null;
  return (
    <section className="points-earlier">
      <h3>{t("why.earlier")}</h3>
      <ul>
        {why.earlier.map(({ at, value, reason, user }, index) => (
          <li key={index}>
            <span className="quiet">{words.shortTime(at)}</span>
            <del>{value === null ? t("why.unknown") : words.valueText(value)}</del>
            <span>{[reason, user ?? ""].filter((each) => each !== "").join(", ")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
