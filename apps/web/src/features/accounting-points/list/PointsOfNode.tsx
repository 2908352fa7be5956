import { accountingPoints, type AccountingPoint, type TreeObject } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import { Suspense, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { lazily } from "#lib/load";
import { DeviceLink } from "#lib/screen";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { ResourceIcon } from "#ui/icon";
import { agoText } from "#ui/list";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import "../accountingPoints.css";
import "../history/history.css";
import "../history/lanes.css";
import type { OpenedPoint } from "../OpenPoint.tsx";
import { PointMenu, type PointDialogKind } from "../PointMenu.tsx";
import { cardHref, listHref, resourceOf, stateKinds, unitTitle } from "../points.ts";
import { TiePointDialog } from "../ties/TiePointDialog.tsx";
import { typeTitle } from "../typeTitle.ts";

const OpenPoint = lazily(async () => ({ default: (await import("../OpenPoint.tsx")).OpenPoint }));

const most = 100;

/** Points of a branch of the objects tree: their devices, states and last readings. */
export function PointsOfNode({ node }: { readonly node: TreeObject }) {
  const { t } = useTranslation("accountingPoints");
  const { number } = useFormat();
  const mayCreate = useAllowed("6:create|6:access_all");
  const mayChange = useAllowed("6:update|6:access_all");
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState<OpenedPoint | null>(null);
  const [isTying, setTying] = useState(false);
  const query = useCall(
    accountingPoints.companyList,
    {
      body: {
        object_ids: [Number(node._id)],
        per_page: most,
        sort_field: "name",
        sort: "asc",
        ...(search === "" ? {} : { search_string: search }),
      },
    },
    { isQuiet: true, keepsPrevious: true },
  );
  const found = query.data?.accounting_points;
  return (
    <section className="points-of-node">
      <header>
        <SearchBox
          label={t("search")}
          value={search}
          onSearch={useCallback((text: string) => setSearch(text.trim()), [])}
          size="m"
        />
        {mayCreate ? (
          <Button icon="plus" kind="primary" onClick={() => setOpen({ kind: "new", parent: node })}>
            {t("node.add")}
          </Button>
        ) : null}
        {mayChange ? (
          <Button icon="link" onClick={() => setTying(true)}>
            {t("node.tie")}
          </Button>
        ) : null}
      </header>
      {query.error && !found ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : !found ? (
        <Skeleton height={160} />
      ) : found.data.length === 0 ? (
        <EmptyState title={t(search === "" ? "node.none" : "node.nothing")} />
      ) : (
        <Rows points={found.data} onDialog={(kind, point) => setOpen({ kind, point })} />
      )}
      {found && found.total > most ? (
        <p>
          <a href={`${listHref}?f.object=${node._id}`}>
            {t("node.all", { shown: number(most, 0), total: number(found.total, 0) })}
          </a>
        </p>
      ) : null}
      {open ? (
        <Suspense>
          <OpenPoint open={open} onClose={() => setOpen(null)} />
        </Suspense>
      ) : null}
      {isTying ? <TiePointDialog node={node} onClose={() => setTying(false)} /> : null}
    </section>
  );
}

const lateStates = ["silent", "never", "off", "no_device"] as const;
const fewest = 8;

/** The points of a branch that have no fresh data, the longest silent first; nothing where all have. */
export function LateOfNode({ node }: { readonly node: TreeObject }) {
  const { t } = useTranslation("accountingPoints");
  const { number } = useFormat();
  const [open, setOpen] = useState<OpenedPoint | null>(null);
  const { data } = useCall(
    accountingPoints.companyList,
    {
      body: {
        object_ids: [Number(node._id)],
        state: [...lateStates],
        per_page: 10,
        sort_field: "last_data_at",
        sort: "asc",
      },
    },
    { isQuiet: true, keepsPrevious: true },
  );
  const found = data?.accounting_points;
  if (!found || found.total === 0) return null;
  return (
    <section className="points-of-node" aria-label={t("node.late")}>
      <header>
        <h3>{t("node.late")}</h3>
        <a href={`${listHref}?f.object=${node._id}&f.status=${lateStates.join(",")}`}>
          {t("node.lateAll", { count: found.total, shown: number(found.total, 0) })}
        </a>
      </header>
      <Rows points={found.data.slice(0, fewest)} onDialog={(kind, point) => setOpen({ kind, point })} />
      {open ? (
        <Suspense>
          <OpenPoint open={open} onClose={() => setOpen(null)} />
        </Suspense>
      ) : null}
    </section>
  );
}

interface RowsProps {
  readonly points: readonly AccountingPoint[];
  readonly onDialog: (kind: PointDialogKind, point: AccountingPoint) => void;
}

function Rows({ points, onDialog }: RowsProps) {
  const { t } = useTranslation("accountingPoints");
  const { number, age, language } = useFormat();
  const now = useNow();
  return (
    <ul className="points-rows">
      {points.map((point) => (
        <li key={point.id}>
          <ResourceIcon resource={resourceOf(point).key} label={typeTitle(point, t)} />
          <span className="points-row-name">
            <a href={cardHref(point)}>{point.name}</a>
            <small>{t("number", { id: point.id })}</small>
          </span>
          {point.device === null ? (
            <span className="quiet">{t("fact.noDevice")}</span>
          ) : (
            <DeviceLink id={point.device.id}>{point.device.name}</DeviceLink>
          )}
          <Status kind={stateKinds[point.state]}>{t(`state.${point.state}`)}</Status>
          <span className="points-row-value">
            {point.last_reading === null ? (
              "—"
            ) : (
              <>
                <b>{number(point.last_reading.value, amountDecimals)}</b>{" "}
                <small>{unitTitle(point.last_reading.unit, language)}</small>
              </>
            )}
          </span>
          <small>{agoText(point.last_reading?.ts ?? null, { t, age, now })}</small>
          <PointMenu point={point} onDialog={onDialog} />
        </li>
      ))}
    </ul>
  );
}
