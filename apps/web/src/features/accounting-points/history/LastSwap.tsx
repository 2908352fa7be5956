import { pointFiles, type AccountingPoint } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { Status } from "#ui/status";
import { undoReplacement } from "../actions.ts";
import { openFile } from "../openFile.ts";
import type { PointHistory } from "./PointHistoryPart.tsx";
import { intervalTitle, unitTitle } from "../points.ts";

type Interval = PointHistory["devices"][number];

/** Closing and opening readings of the last replacement, its act and photographs. */
export function LastSwap({
  point,
  history,
}: {
  readonly point: AccountingPoint;
  readonly history: PointHistory;
}) {
  const { t } = useTranslation("accountingPoints");
  const { number, age, language } = useFormat();
  const mayUndo = useAllowed("6:update&(4:read|4:access_all)");
  const last = history.devices.at(-1);
  if (last === undefined) return <p className="points-swap-none">{t("swap.noDevice")}</p>;
  const before = history.devices.at(-2);
  const { meterless_sec: gap, meterless_amount: added } = last;
  return (
    <div className="points-swap">
      {before === undefined ? null : (
        <End
          interval={before}
          at={before.to}
          value={before.closing_value}
          word="closed"
          zone={point.timezone}
        />
      )}
      <End interval={last} at={last.from} value={last.opening_value} word="opened" zone={point.timezone} />
      <div>
        {gap === null || gap === 0 ? null : (
          <Status kind="off">
            {added === null
              ? t("swap.notCounted", { time: age(gap) })
              : t("swap.added", {
                  time: age(gap),
                  amount: `${number(added, amountDecimals)} ${unitTitle(point.unit, language)}`,
                })}
          </Status>
        )}
        <p>
          {[
            last.act === "" ? "" : t("swap.act", { act: last.act }),
            last.opened_by === null ? "" : t("swap.enteredBy", { user: last.opened_by }),
            last.note,
          ]
            .filter((each) => each !== "")
            .join(", ")}
        </p>
        <Files point={point} intervalId={last.id} />
        {history.can_undo && mayUndo ? (
          <Button size="small" onClick={() => void undoReplacement(point, t)}>
            {t("swap.undo")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

interface EndProps {
  readonly interval: Interval;
  readonly at: number | null;
  readonly value: number | null;
  readonly word: "closed" | "opened";
  readonly zone: string;
}

/** One end of an interval: when, which meter, and its reading. */
function End({ interval, at, value, word, zone }: EndProps) {
  const { t } = useTranslation("accountingPoints");
  const { number, language } = useFormat();
  const { unit } = interval;
  return (
    <div>
      <p className="quiet">{t(`swap.${word}`, { at: at === null ? "—" : formatDateTime(at, zone) })}</p>
      <b>{intervalTitle(interval)}</b>
      <p className="points-swap-value">
        <b>{value === null ? t("swap.noReading") : number(value, amountDecimals)}</b>{" "}
        {value === null ? null : <small>{unitTitle(unit, language)}</small>}
      </p>
    </div>
  );
}

/** Photographs and the act of this replacement. */
function Files({ point, intervalId }: { readonly point: AccountingPoint; readonly intervalId: number }) {
  const { data } = useCall(
    pointFiles.list,
    { body: { accounting_point_id: point.id } },
    { isQuiet: true, freshMs: 10_000 },
  );
  const own = data?.files.filter(({ tie_number }) => tie_number === intervalId) ?? [];
  if (own.length === 0) return null;
  return (
    <p className="points-swap-files">
      {own.map(({ id, name }) => (
        <Button key={id} kind="link" onClick={() => void openFile(point.id, id)}>
          {name}
        </Button>
      ))}
    </p>
  );
}
