import { balances, type BalanceGroup } from "@metrum/contract/accounting";
import { pointTypeOf } from "@metrum/vocabulary";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Button, buttonClass, IconButton } from "#ui/button";
import { DateRange, type Range } from "#ui/dateRange";
import { Segmented } from "#ui/field";
import { Icon } from "#ui/icon";
import { Menu } from "#ui/menu";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import { remove, saveReport } from "./actions.ts";
import { BalanceView } from "./BalanceView.tsx";
import {
  directoriesHref,
  editHref,
  listHref,
  stateKinds,
  steps,
  useAddress,
  usualRange,
} from "./balances.ts";
import { dateOf } from "./words.ts";
import "./balances.css";

/** The balance of one group over a period. */
export function BalancePage() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const { t } = useTranslation("balances");
  const { data, error, refetch } = useCall(balances.get, { params: { id } }, { isQuiet: true });
  const group = data?.balance_group;
  const isMissing = error?.status === 404 || error?.status === 422;
  return (
    <section className="balances balance-page">
      <Breadcrumbs
        items={[
          { title: t("directories"), href: directoriesHref },
          { title: t("title"), href: listHref },
          { title: group?.name ?? "…" },
        ]}
      />
      {group ? (
        <Opened group={group} />
      ) : isMissing ? (
        <EmptyState title={t("notFound")} />
      ) : error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={480} />
      )}
    </section>
  );
}

/** Resource type of which there are power profiles. */
const electricity = 3;
const daySec = 86_400;
const longestDays = 400;

function Opened({ group }: { readonly group: BalanceGroup }) {
  const { t } = useTranslation("balances");
  const { language } = useFormat();
  const now = useNow();
  const { step: wanted, put, range: asked } = useAddress();
  const isPowered = group.resource_type_id === electricity;
  const step = wanted === "halfHours" && !isPowered ? "days" : wanted;
  const zone = group.timezone;
  const range = asked ?? usualRange(zone, now);
  const query = useCall(
    balances.compute,
    { params: { id: String(group.id) }, body: { startDate: range.start, stopDate: range.end + 1 } },
    { isQuiet: true, keepsPrevious: true },
  );
  const balance = query.data?.balance;
  return (
    <>
      <Head group={group} range={range}>
        {balance ? (
          <>
            <span className="balance-resource">
              {[pointTypeOf(group.resource_type_id)?.title[language], balance.group.unit].join(", ")}
            </span>
            <Status kind={stateKinds[balance.total.state]}>
              {balance.since_day === null
                ? balance.state_text
                : t("since", { state: balance.state_text, day: dateOf(balance.since_day) })}
            </Status>
          </>
        ) : null}
      </Head>
      <div className="balance-bar">
        <DateRange
          range={range}
          limits={{ maxSpan: (longestDays - 1) * daySec, zone, now }}
          onRange={(next) => put({ range: next })}
        />
        <Segmented
          name="step"
          label={t("step.label")}
          value={step}
          onValue={(next) => put({ step: next })}
          options={steps
            .filter((each) => each !== "halfHours" || isPowered)
            .map((value) => ({ value, title: t(`step.${value}`) }))}
        />
        {balance && balance.coverage.incomplete_points + balance.coverage.interpolated_points > 0 ? (
          <span className="balance-coverage">
            <Status kind={balance.coverage.incomplete_points > 0 ? "warn" : "pending"}>
              {balance.coverage.text}
            </Status>
          </span>
        ) : null}
      </div>
      {balance?.closed.map(({ from_day, text, differing }) => (
        <p key={from_day} className="balance-closed">
          <Status kind={differing > 0 ? "warn" : "ok"}>{text}</Status>
        </p>
      ))}
      {balance ? (
        <BalanceView balance={balance} step={step} range={range} />
      ) : query.error ? (
        <ErrorState
          title={t("failedBalance")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton height={560} />
      )}
    </>
  );
}

function Head(props: { readonly group: BalanceGroup; readonly range: Range; readonly children: ReactNode }) {
  const { group, range, children } = props;
  const { t } = useTranslation("balances");
  const mayChange = useAllowed("6:update");
  const mayDelete = useAllowed("6:delete");
  const leave = async () => {
    if (await remove(group, t)) location.hash = listHref;
  };
  return (
    <header className="balance-head">
      <h1>{group.name}</h1>
      {children}
      <span className="balance-head-end">
        {mayChange ? (
          <a className={buttonClass()} href={editHref(group.id)}>
            <Icon name="edit" />
            <span>{t("edit")}</span>
          </a>
        ) : null}
        <Button kind="primary" icon="download" onClick={() => void saveReport(group.id, range, t)}>
          {t("report")}
        </Button>
        {mayDelete ? (
          <Menu
            label={t("menu.label", { name: group.name })}
            items={[
              {
                id: "remove",
                title: t("menu.remove"),
                icon: "trash",
                isHarmful: true,
                onSelect: () => void leave(),
              },
            ]}
            trigger={(trigger) => (
              <IconButton {...trigger} icon="more" label={t("menu.label", { name: group.name })} />
            )}
          />
        ) : null}
      </span>
    </header>
  );
}
