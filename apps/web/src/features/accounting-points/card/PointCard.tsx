import { accountingPoints, type AccountingPoint } from "@metrum/contract/accounting";
import { tabs, type TabKey } from "@metrum/vocabulary";
import { useState, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { lazily } from "#lib/load";
import { useAllowed } from "#lib/session";
import { Tabs, type TabItem } from "#ui/tabs";
import { MonthsTable } from "./MonthsTable.tsx";
import type { OpenedPoint } from "../OpenPoint.tsx";
import { PointFacts } from "./PointFacts.tsx";
import { PointFilesPart } from "./PointFilesPart.tsx";
import { PointHead } from "./PointHead.tsx";
import { PointHistoryPart } from "../history/PointHistoryPart.tsx";
import { PointLog } from "./PointLog.tsx";
import { dataHref, dataRight, dataTitle } from "../points.ts";
import { WhyPanel } from "../why/WhyPanel.tsx";

const OpenPoint = lazily(async () => ({ default: (await import("../OpenPoint.tsx")).OpenPoint }));

const own = ["card", "files", "log"] as const;
type OwnTab = (typeof own)[number];

/** Identity of a point, its history, its months, and where each number comes from. */
export function PointCard({ point }: { readonly point: AccountingPoint }) {
  const { t } = useTranslation("accountingPoints");
  const [tab, setTab] = useState<OwnTab>("card");
  const [open, setOpen] = useState<OpenedPoint | null>(null);
  const tabs = useTabs(point);
  const select = (id: string) => {
    const chosen = own.find((each) => each === id);
    if (chosen) setTab(chosen);
    else location.hash = dataHref(point.id, id);
  };
  return (
    <section className="points-card">
      <PointHead point={point} onDialog={(kind, of) => setOpen({ kind, point: of })} />
      <Tabs label={t("card.tabs")} items={tabs} current={tab} onSelect={select} />
      {tab === "card" ? <Card point={point} /> : null}
      {tab === "files" ? <PointFilesPart point={point} /> : null}
      {tab === "log" ? <PointLog point={point} /> : null}
      {open ? (
        <Suspense>
          <OpenPoint open={open} onClose={() => setOpen(null)} />
        </Suspense>
      ) : null}
    </section>
  );
}

const isTab = (name: string): name is TabKey => name in tabs;

/** The card, the tabs of data, which lead to the data page, and what else belongs to the point. */
function useTabs({ id }: AccountingPoint): readonly TabItem[] {
  const { t } = useTranslation("accountingPoints");
  const { language } = useFormat();
  const maySeeData = useAllowed(dataRight);
  const { data } = useCall(
    accountingPoints.tabs,
    { body: { accounting_point_id: id } },
    { isQuiet: true, freshMs: 60_000 },
  );
  return [
    { id: "card", title: t("card.card") },
    ...(maySeeData ? (data?.tabs ?? []) : []).map((each) => ({
      id: each.name,
      title: isTab(each.name) ? tabs[each.name][language] : dataTitle(each, language),
      href: dataHref(id, each.name),
    })),
    { id: "files", title: t("card.files") },
    { id: "log", title: t("card.log") },
  ];
}

function Card({ point }: { readonly point: AccountingPoint }) {
  const [month, setMonth] = useState<string | null>(null);
  return (
    <div className="points-card-body" data-why={month === null ? undefined : ""}>
      <div className="points-card-main">
        <PointFacts point={point} />
        <PointHistoryPart point={point} />
        <MonthsTable point={point} chosen={month} onMonth={setMonth} />
      </div>
      {month === null ? null : <WhyPanel point={point} month={month} onClose={() => setMonth(null)} />}
    </div>
  );
}
