import type { AccountingPoint } from "@metrum/contract";
import { Suspense, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazily } from "#lib/load";
import { useFormat, useNow } from "#lib/format";
import { useAllowed } from "#lib/session";
import { ObjectTabs } from "#object-tabs";
import { Button } from "#ui/button";
import { ListPage, ListView, useList } from "#ui/list";
import "./accountingPoints.css";
import type { OpenedPoint } from "./OpenPoint.tsx";
import { pointList } from "./pointList.tsx";
import type { PointDialogKind } from "./PointMenu.tsx";

const OpenPoint = lazily(async () => ({ default: (await import("./OpenPoint.tsx")).OpenPoint }));

/** Accounting points of the company, beside the tree of objects. */
export function PointsPage() {
  const { t } = useTranslation("accountingPoints");
  const { number } = useFormat();
  const now = useNow();
  const mayCreate = useAllowed("6:create|6:access_all");
  const mayImport = useAllowed("6:create|6:access_all");
  const [open, setOpen] = useState<OpenedPoint | null>(null);
  const onDialog = useCallback(
    (kind: PointDialogKind, point: AccountingPoint) => setOpen({ kind, point }),
    [],
  );
  const list = useList(pointList, { now, onDialog });
  const { total, address } = list;
  return (
    <ListPage className="points" title={t("title")}>
      <ObjectTabs
        current="points"
        count={total === undefined ? "" : number(total, 0)}
        onReset={address.reset}
      />
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
