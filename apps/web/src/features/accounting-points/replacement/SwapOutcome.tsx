import { amountDecimals } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { reasonOf } from "#lib/call";
import { formatDateTime, useFormat, withSign } from "#lib/format";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import { resourceOf, unitTitle } from "../points.ts";
import { isDoubted } from "./swapDoubt.ts";
import { SwapChart } from "./SwapChart.tsx";
import type { StepProps } from "./swapStep.ts";

type Data = NonNullable<StepProps["check"]["data"]>;

/** The month before and after, the total of the point, and the time without a meter, as the server says. */
export function SwapOutcome({ point, swap, check }: StepProps) {
  const { t } = useTranslation("pointReplacement");
  const { language } = useFormat();
  const { data, query } = check;
  if (query.error && !data)
    return (
      <div className="points-outcome">
        <div className="points-panel">
          <ErrorState
            title={t("outcome.failed")}
            message={reasonOf(query.error)}
            onRetry={() => void query.refetch()}
          />
        </div>
      </div>
    );
  if (!data) return <Skeleton height={420} />;
  const removedAt = swap.draft.closing.at;
  return (
    <div className="points-outcome" aria-busy={check.isOld || undefined}>
      <section className="points-panel" aria-label={t("chart.title")}>
        <header>
          <h2>{t("chart.title")}</h2>
        </header>
        <SwapChart
          days={data.daily}
          swapAt={removedAt ?? 0}
          unit={unitTitle(data.unit, language)}
          zone={point.timezone}
          resource={resourceOf(point).key}
        />
        <Sums data={data} />
      </section>
      <Total data={data} at={swap.draft.opening.at ?? removedAt} zone={point.timezone} />
      <Meterless data={data} swap={swap} />
    </div>
  );
}

function useAmount(data: Data) {
  const { number, language } = useFormat();
  return (amount: number | null) =>
    amount === null ? "—" : `${number(amount, amountDecimals)} ${unitTitle(data.unit, language)}`;
}

function Sums({ data }: { readonly data: Data }) {
  const { t } = useTranslation("pointReplacement");
  const { number } = useFormat();
  const amount = useAmount(data);
  const percent = data.difference_percent;
  return (
    <dl className="points-sums">
      <div>
        <dt>{t("chart.before", { count: data.days_before.days })}</dt>
        <dd>{amount(data.days_before.amount)}</dd>
      </div>
      <div>
        <dt>{t("chart.after", { count: data.days_after.days })}</dt>
        <dd>{amount(data.days_after.amount)}</dd>
      </div>
      <div>
        <dt>{t("chart.difference")}</dt>
        <dd>{percent === null ? "—" : withSign(percent, `${number(percent, 1)} %`)}</dd>
      </div>
    </dl>
  );
}

/** Whether the total of the point goes on: the sentence, and the sum that it rests on. */
export function Total(props: { readonly data: Data; readonly at: number | null; readonly zone: string }) {
  const { data, at, zone } = props;
  const { t } = useTranslation("pointReplacement");
  const { number } = useFormat();
  const amount = useAmount(data);
  const { total_before: before, total_after: after } = data;
  const isKnown = before !== null && after !== null;
  const isBelieved = isKnown && !isDoubted(data);
  const sentence = isBelieved ? "goesOn" : isKnown ? "doubted" : "unknown";
  return (
    <section className="points-total" aria-label={t("total.title")} aria-live="polite">
      <Status kind={isBelieved ? "ok" : "warn"}>
        <b>{t(`total.${sentence}`, { before: amount(before), after: amount(after) })}</b>
      </Status>
      <ul>
        {data.sums.map(({ title, amount: part }) => (
          <li key={title} data-kind={title}>
            <span>{t(`total.of.${title}`, { at: at === null ? "" : formatDateTime(at, zone) })}</span>
            <span>{amount(part)}</span>
          </li>
        ))}
      </ul>
      <p>{t("total.ratio", { ratio: number(data.ratio) })}</p>
    </section>
  );
}

function Meterless({ data, swap }: { readonly data: Data; readonly swap: StepProps["swap"] }) {
  const { t } = useTranslation("pointReplacement");
  const { age, number } = useFormat();
  const amount = useAmount(data);
  if (data.meterless_sec <= 0) return null;
  const isKnown = data.meterless_amount !== null;
  return (
    <fieldset className="points-panel points-meterless">
      <legend>{t("meterless.title", { time: age(data.meterless_sec) })}</legend>
      <label>
        <input
          type="radio"
          name="meterless"
          checked={swap.draft.gap === "none"}
          onChange={() => swap.put({ gap: "none" })}
        />
        <span>{t("meterless.none")}</span>
      </label>
      <label>
        <input
          type="radio"
          name="meterless"
          checked={swap.draft.gap === "load"}
          disabled={!isKnown}
          onChange={() => swap.put({ gap: "load" })}
        />
        <span>{t(isKnown ? "meterless.load" : "meterless.noLoad")}</span>
        {isKnown ? (
          <small>
            {t("meterless.sum", {
              load: data.load_before === null ? "—" : number(data.load_before),
              amount: amount(data.meterless_amount),
            })}
          </small>
        ) : null}
      </label>
    </fieldset>
  );
}
