import type { Balance } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { StatusGlyph } from "#ui/status";
import { stateKinds } from "./balances.ts";

type Bar = Balance["ledger"]["in"][number];

/** Key figures, and the bars: what came in above, where it went below. */
export function Ledger({ balance }: { readonly balance: Balance }) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const { total, shares, ledger, limit, group } = balance;
  const isExceeded = total.state === "exceeded";
  const amount = (value: number | null) => (value === null ? "—" : number(value, amountDecimals));
  const percent = (value: number | null) =>
    value === null ? group.unit : t("unitPercent", { unit: group.unit, percent: number(value, 1) });
  const isNegative = (total.imbalance ?? 0) < 0;
  return (
    <section className="balance-panel balance-ledger" aria-label={t("ledger")}>
      <dl className="balance-figures">
        <Figure title={t("in")} value={amount(total.in)} note={group.unit} />
        <Figure title={t("out")} value={amount(total.out)} note={percent(shares.out)} />
        <Figure title={t("losses")} value={amount(total.losses)} note={percent(shares.losses)} />
        <div data-exceeded={isExceeded ? "" : undefined} className="is-imbalance">
          <dt>{t("imbalance")}</dt>
          <dd>
            <StatusGlyph kind={stateKinds[total.state]} /> <b>{amount(total.imbalance)}</b>{" "}
            <span>{percent(total.imbalance_percent)}</span>
          </dd>
        </div>
        <p>
          {limit.amount === null
            ? t("limitOnly", { percent: number(limit.percent) })
            : t(limit.over === null ? "limitWithin" : "limitOver", {
                percent: number(limit.percent),
                amount: number(limit.amount, amountDecimals),
                over: limit.over === null ? "" : number(limit.over, amountDecimals),
                unit: group.unit,
              })}
          {total.computed_days < total.days ? (
            <small>{t("computedOver", { days: total.computed_days, all: total.days })}</small>
          ) : null}
        </p>
      </dl>
      {ledger.in.length === 0 ? (
        <p className="balance-none">{t("nothingComputed")}</p>
      ) : (
        <div className="balance-rows">
          <Row bars={ledger.in} kind="in">
            {isNegative && ledger.imbalance ? <Part bar={ledger.imbalance} kind="imbalance" nth={0} /> : null}
          </Row>
          <Row bars={ledger.out} kind="out">
            {ledger.losses ? <Part bar={ledger.losses} kind="losses" nth={0} /> : null}
            {!isNegative && ledger.imbalance ? (
              <Part bar={ledger.imbalance} kind="imbalance" nth={0} />
            ) : null}
          </Row>
          {ledger.limit_at === null ? null : (
            <span className="balance-tick" style={{ insetInlineStart: `${String(ledger.limit_at)}%` }}>
              <small>{t("limit", { percent: number(limit.percent) })}</small>
            </span>
          )}
        </div>
      )}
    </section>
  );
}

function Figure(props: { readonly title: string; readonly value: string; readonly note: string }) {
  return (
    <div>
      <dt>{props.title}</dt>
      <dd>
        <b>{props.value}</b> <span>{props.note}</span>
      </dd>
    </div>
  );
}

type Kind = "in" | "out" | "losses" | "imbalance";

function Row(props: { readonly bars: readonly Bar[]; readonly kind: Kind; readonly children: ReactNode }) {
  return (
    <ol className="balance-row">
      {props.bars.map((bar, nth) => (
        <Part key={bar.point_id ?? "others"} bar={bar} kind={props.kind} nth={nth} />
      ))}
      {props.children}
    </ol>
  );
}

function Part({ bar, kind, nth }: { readonly bar: Bar; readonly kind: Kind; readonly nth: number }) {
  const { number } = useFormat();
  const text = `${bar.name}: ${number(bar.amount, amountDecimals)}`;
  return (
    <li
      data-kind={kind}
      title={text}
      style={{ inlineSize: `${String(bar.width)}%`, ["--nth" as string]: nth }}
    >
      <span>{kind === "in" || kind === "out" ? bar.name : number(bar.amount, amountDecimals)}</span>
    </li>
  );
}
