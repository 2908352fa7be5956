import type { OpenedException } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { formatDate, useFormat } from "#lib/format";

/** Day and month before and after the estimate, as the server has computed them. */
export function WhatChanges({ opened }: { readonly opened: OpenedException }) {
  const { t } = useTranslation("validation");
  const { number } = useFormat();
  const { changes, unit, zone } = opened;
  if (changes.length === 0) return null;
  const said = (value: string | null) => (value === null ? "—" : number(Number(value)));
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
        </tbody>
      </table>
    </section>
  );
}
