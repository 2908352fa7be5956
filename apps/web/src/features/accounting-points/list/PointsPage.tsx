import { accountingPoints, type AccountingPoint } from "@metrum/contract/accounting";
import { Suspense, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { lazily } from "#lib/load";
import { useFormat, useNow } from "#lib/format";
import { deviceDataRight } from "#lib/screen";
import { useAllowed } from "#lib/session";
import { ObjectTabs } from "#object-tabs";
import { Button } from "#ui/button";
import { isFiltered } from "#ui/grid";
import { ListPage, ListView, useList } from "#ui/list";
import "../accountingPoints.css";
import "../history/history.css";
import "../history/lanes.css";
import type { OpenedPoint } from "../OpenPoint.tsx";
import { pointList } from "./pointList.tsx";
import type { PointDialogKind } from "../PointMenu.tsx";

const OpenPoint = lazily(async () => ({ default: (await import("../OpenPoint.tsx")).OpenPoint }));

/** Accounting points of the company, beside the tree of objects. */
export function PointsPage() {
  const { t } = useTranslation("accountingPoints");
  const { number } = useFormat();
  const now = useNow();
  const mayCreate = useAllowed("6:create|6:access_all");
  const mayImport = useAllowed("6:create|6:access_all");
  const mayOpenDevices = useAllowed(deviceDataRight);
  const [open, setOpen] = useState<OpenedPoint | null>(null);
  const onDialog = useCallback(
    (kind: PointDialogKind, point: AccountingPoint) => setOpen({ kind, point }),
    [],
  );
  const list = useList(pointList, { now, onDialog, mayOpenDevices });
  const { total, address } = list;
  const isPart = isFiltered(address.state);
  // The tab counts all points, however few the filter leaves.
  const whole = useCall(
    accountingPoints.companyList,
    { body: { page: 1, per_page: 10 } },
    { isQuiet: true, freshMs: 60_000, isEnabled: isPart },
  );
  const all = isPart ? whole.data?.accounting_points.total : total;
  return (
    <ListPage className="points" title={t("title")}>
      <ObjectTabs current="points" count={all === undefined ? "" : number(all, 0)} onReset={address.reset} />
      <ListView
        list={list}
        tools={
          <>
            {mayImport ? <a href="#/cloud/devices/import?f.kind=objects">{t("import")}</a> : null}
            {mayCreate ? (
              <Button kind="primary" icon="plus" onClick={() => setOpen({ kind: "new", parent: null })}>
                {t("add")}
              </Button>
            ) : null}
          </>
        }
      />
      {open ? (
        <Suspense>
          <OpenPoint open={open} onClose={() => setOpen(null)} />
        </Suspense>
      ) : null}
    </ListPage>
  );
}
