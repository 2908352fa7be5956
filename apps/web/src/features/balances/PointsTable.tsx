import type { Balance, BalancePoint } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { DeviceLink, pointCardHref } from "#lib/screen";
import { Button } from "#ui/button";
import { Status, type StatusKind } from "#ui/status";

const kinds: Readonly<Record<BalancePoint["state"], StatusKind>> = {
  complete: "ok",
  missing: "warn",
  no_data: "silent",
  estimated: "pending",
  cause: "alarm",
};
const roles = ["in", "out", "loss"] as const;
/** Rows drawn at first of each role. */
const mostRows = 100;

/** The points by role, with the sum of each. */
export function PointsTable({ balance }: { readonly balance: Balance }) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const { points, total, shares, counts, group } = balance;
  const sums = {
    in: { amount: total.in, share: total.in === null ? null : 100 },
    out: { amount: total.out, share: shares.out },
    loss: { amount: total.losses, share: shares.losses },
  };
  const shown: Shown = (value, decimals) => (value === null ? "—" : number(value, decimals));
  return (
    <section className="balance-panel balance-points">
      <table>
        <thead>
          <tr>
            <th scope="col">{t("column.point")}</th>
            <th scope="col">{t("column.device")}</th>
            <th scope="col">{group.unit}</th>
            <th scope="col">{t("column.share")}</th>
            <th scope="col">{t("column.pointState")}</th>
          </tr>
        </thead>
        {roles
          .filter((role) => counts[role] > 0)
          .map((role) => (
            <tbody key={role}>
              <Rows points={points.filter((point) => point.role === role)} shown={shown} />
              <tr className="is-sum">
                <th scope="row">
                  {t(`sum.${role}`, { count: counts[role], shown: number(counts[role], 0) })}
                </th>
                <td />
                <td>{shown(sums[role].amount, amountDecimals)}</td>
                <td>{shown(sums[role].share, 1)}</td>
                <td />
              </tr>
            </tbody>
          ))}
      </table>
    </section>
  );
}

type Shown = (value: number | null, decimals: number) => string;

interface RowsProps {
  readonly points: readonly BalancePoint[];
  readonly shown: Shown;
}

function Rows({ points, shown }: RowsProps) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const [isWhole, setWhole] = useState(false);
  const drawn = isWhole ? points : points.slice(0, mostRows);
  return (
    <>
      {drawn.map((point) => (
        <Fragment key={point.point_id}>
          <tr>
            <th scope="row">
              <a href={pointCardHref(point.point_id, point.device_id)}>{point.name}</a>
              {point.coefficient === 1 ? null : <small>{` × ${number(point.coefficient)}`}</small>}
            </th>
            <td>
              {point.device_id === null ? (
                "—"
              ) : (
                <DeviceLink id={point.device_id} className="quiet">
                  {point.device}
                </DeviceLink>
              )}
            </td>
            <td>{shown(point.amount, amountDecimals)}</td>
            <td>{shown(point.share, 1)}</td>
            <td>
              <Status kind={kinds[point.state]}>{point.state_text}</Status>
            </td>
          </tr>
          {point.bills.map(({ from_day, text }) => (
            <tr key={from_day} className="is-bill">
              <td colSpan={5}>
                <Status kind="warn">{text}</Status>
              </td>
            </tr>
          ))}
        </Fragment>
      ))}
      {drawn.length < points.length ? (
        <tr>
          <td colSpan={5}>
            <Button size="small" onClick={() => setWhole(true)}>
              {t("showAll", { shown: number(points.length, 0) })}
            </Button>
          </td>
        </tr>
      ) : null}
    </>
  );
}
