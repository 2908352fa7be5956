import type { Balance, BalanceCause } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { StatusGlyph } from "#ui/status";
import { CauseAction } from "./CauseAction.tsx";

/** What explains the imbalance, the largest first, and what is left. */
export function Causes({ balance }: { readonly balance: Balance }) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const { causes, rest, total, group } = balance;
  const title =
    total.imbalance === null
      ? t("causes.missing")
      : t("causes.title", { amount: number(total.imbalance, amountDecimals), unit: group.unit });
  return (
    <aside className="balance-panel balance-causes" aria-label={title}>
      <h2 className="balance-panel-head">
        {title} <span>{t("causes.ranked")}</span>
      </h2>
      {causes.length === 0 ? <p className="balance-none">{t("causes.none")}</p> : null}
      <ol>
        {causes.map((cause, at) => (
          <li key={`${cause.kind} ${String(cause.point_id)} ${String(cause.device_id)}`}>
            <Cause cause={cause} nth={at + 1} balance={balance} />
          </li>
        ))}
      </ol>
      {rest ? (
        <div className="balance-cause">
          <small />
          <StatusGlyph kind={rest.is_within ? "off" : "warn"} />
          <b>{t("causes.rest")}</b>
          <span className="balance-cause-amount">
            <b>{number(rest.amount, amountDecimals)}</b> {group.unit}
          </span>
          <p>{rest.text}</p>
        </div>
      ) : null}
    </aside>
  );
}

interface Props {
  readonly cause: BalanceCause;
  readonly nth: number;
  readonly balance: Balance;
}

function Cause({ cause, nth, balance }: Props) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  return (
    <div className="balance-cause">
      <small>{nth}</small>
      <StatusGlyph kind={cause.severity} />
      <b>{cause.name}</b>
      <span className="balance-cause-amount">
        {cause.kind === "no_data"
          ? t("causes.notInside")
          : t("causes.about", { amount: number(cause.amount, amountDecimals) })}{" "}
        {cause.kind === "no_data" ? null : <span>{balance.group.unit}</span>}
      </span>
      <p>{cause.text}</p>
      <div className="balance-cause-foot">
        {cause.share === null || cause.kind === "no_data" ? null : (
          <>
            <meter min={0} max={100} value={Math.abs(cause.share)} aria-label={t("causes.share")} />
            <span>{t("percent", { percent: number(cause.share, 0) })}</span>
          </>
        )}
        <CauseAction cause={cause} balance={balance} />
      </div>
    </div>
  );
}
