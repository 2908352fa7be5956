import type { OpenedException } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { formatDate, useFormat, withSign } from "#lib/format";
import { Status } from "#ui/status";

/** Day, month and balances before and after the estimate, as the server has computed them. */
export function WhatChanges({ opened }: { readonly opened: OpenedException }) {
  const { t } = useTranslation("validation");
  const { number } = useFormat();
  const { changes, balances, unit, decimals, zone } = opened;
  if (changes.length === 0) return null;
  const said = (value: string | null) => (value === null ? "—" : number(Number(value), decimals));
  return (
    <section className="inbox-panel inbox-changes">
      <h2>
        {t("changes.title")} <small>{t("changes.if")}</small>
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t("changes.period")}</span>
            </th>
            <th scope="col">{t("changes.before")}</th>
            <th scope="col">{t("changes.after")}</th>
            <th scope="col">{t("changes.change")}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ period, startDate, before, after, change, is_lower }) => (
            <tr key={period}>
              <th scope="row">
                {t(`changes.${period}`)} <small>{formatDate(startDate, zone)}</small>
              </th>
              <td>{said(before)}</td>
              <td>
                <strong>{said(after)}</strong>
              </td>
              <td>
                {change === null || is_lower ? said(change) : `+${said(change)}`} <small>{unit}</small>
              </td>
            </tr>
          ))}
          {balances.map((balance) => (
            <BalanceRow key={balance.balance_group_id} balance={balance} {...{ unit, decimals }} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface BalanceProps {
  readonly balance: OpenedException["balances"][number];
  readonly unit: string;
  readonly decimals: number;
}

/** The imbalance of the month, what it is of the input, and whether it stays within what the group allows. */
function BalanceRow({ balance, unit, decimals }: BalanceProps) {
  const { t } = useTranslation("validation");
  const { number } = useFormat();
  const { balance_group_id, name, before, after, change, before_percent, after_percent } = balance;
  const { allowed_percent, is_within } = balance;
  const said = (value: number | null, percent: number | null) => (
    <>
      {value === null ? "—" : number(value, decimals)}
      {percent === null ? null : <small> {`${number(percent, 2)} %`}</small>}
    </>
  );
  const limit = number(allowed_percent);
  return (
    <tr>
      <th scope="row">
        {t("changes.balance")} <a href={`#/cloud/directories/balance/${String(balance_group_id)}`}>{name}</a>
        {is_within === null ? null : (
          <Status kind={is_within ? "ok" : "warn"}>
            {t(is_within ? "changes.within" : "changes.beyond", { limit })}
          </Status>
        )}
      </th>
      <td>{said(before, before_percent)}</td>
      <td>
        <strong>{said(after, after_percent)}</strong>
      </td>
      <td>
        {change === null ? "—" : withSign(change, number(change, decimals))} <small>{unit}</small>
      </td>
    </tr>
  );
}
