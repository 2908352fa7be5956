import type { ReplyOf } from "@metrum/contract/core";
import { exchangeOutcomes, tasks, type ExchangeOutcome } from "@metrum/contract/headend";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, refetch, useCall } from "#lib/call";
import { formatDate, useFormat } from "#lib/format";
import { useSocketEvent } from "#lib/socket";
import { Button } from "#ui/button";
import type { Range } from "#ui/dateRange";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { Segments } from "../../DataSwitches.tsx";
import { ExchangeDetail, ExchangeLine, ExchangeSteps } from "./Exchange.tsx";
import type { OwnViewProps } from "../tabs.ts";

type Choice = "all" | ExchangeOutcome;

const pageSize = 50;
/** Paging is locked for a second after a change of tab. */
const lockedMs = 1000;

function useOpening(): boolean {
  const [isOpening, setOpening] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setOpening(false), lockedMs);
    return () => clearTimeout(timer);
  }, []);
  return isOpening;
}

/** One page of the exchanges of a period, optionally of one outcome. */
function useLog({ deviceId, range }: OwnViewProps, choice: Choice, page: number) {
  const body = {
    device_id: deviceId,
    start_date: range.start,
    stop_date: range.end,
    page,
    per_page: pageSize,
    ...(choice === "all" ? {} : { outcome: choice }),
  };
  const query = useCall(tasks.logs, { body }, { keepsPrevious: true, isQuiet: true });
  useSocketEvent("device_data", (event) => {
    if (event.device_id === deviceId) void refetch(tasks.logs);
  });
  return query;
}

/** Exchanges of the device, newest first; one of them expanded byte by byte. */
export function PollLog(props: OwnViewProps) {
  const { range, zone, resource } = props;
  const { t } = useTranslation("deviceData");
  const [choice, setChoice] = useState<Choice>("all");
  const [turned, setTurned] = useState({ page: 1, range });
  // Another period starts at its newest exchanges.
  const page = turned.range === range ? turned.page : 1;
  const [open, setOpen] = useState<number | null>(null);
  const [chosen, setChosen] = useState(0);
  const isOpening = useOpening();
  const query = useLog(props, choice, page);
  const logs = query.data?.logs;
  const rows = logs?.data ?? [];
  const current = rows.find((log) => log.id === open) ?? rows[0];
  const last = logs?.last_page ?? 1;
  if (query.isError && !query.data)
    return (
      <div className="panel">
        <ErrorState
          title={t("failedLoad")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      </div>
    );
  return (
    <>
      <LogBar
        answer={query.data}
        choice={choice}
        onChoice={(next) => {
          setChoice(next);
          setTurned({ page: 1, range });
        }}
      />
      <div className="log" aria-busy={query.isPending}>
        <div className="panel log-list">
          <header>
            <b>{t("log.title")}</b> <span className="quiet">{t("log.order")}</span>
          </header>
          {query.isSuccess ? (
            <NoRows isEmpty={rows.length === 0} expired={query.data.expired_before} {...{ range, zone }} />
          ) : null}
          {query.isPending ? <Skeleton height={200} /> : null}
          <ul>
            {rows.map((log) => (
              <li key={log.id}>
                <ExchangeLine
                  log={log}
                  zone={zone}
                  isOpen={log.id === current?.id}
                  onOpen={() => {
                    setOpen(log.id);
                    setChosen(0);
                  }}
                />
                {log.id === current?.id ? (
                  <ExchangeSteps log={log} resource={resource} chosen={chosen} onChoose={setChosen} />
                ) : null}
              </li>
            ))}
          </ul>
          <Pages
            {...{ page, last }}
            isLocked={isOpening}
            onPage={(next) => setTurned({ page: next, range })}
          />
        </div>
        <div className="panel log-detail" hidden={query.isSuccess && rows.length === 0}>
          {current ? (
            <ExchangeDetail log={current} {...{ zone, resource, chosen }} onChoose={setChosen} />
          ) : (
            <NoneOpen isPending={query.isPending} />
          )}
        </div>
      </div>
    </>
  );
}

/** Outcomes of the exchanges of the whole period, each one a filter. */
function LogBar(props: {
  readonly answer: ReplyOf<typeof tasks.logs> | undefined;
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
}) {
  const { answer, choice, onChoice } = props;
  const { t } = useTranslation("deviceData");
  const { number } = useFormat();
  const titleOf = (value: ExchangeOutcome) =>
    answer ? `${t(`log.${value}`)} ${number(answer.counts[value], 0)}` : t(`log.${value}`);
  return (
    <div className="log-bar">
      <Segments<Choice>
        label={t("log.title")}
        options={[
          { value: "all", title: t("log.all") },
          ...exchangeOutcomes.map((value) => ({ value, title: titleOf(value) })),
        ]}
        value={choice}
        onValue={onChoice}
      />
      <span className="quiet">{answer ? t("log.exchanges", { count: answer.logs.total }) : null}</span>
    </div>
  );
}

/** Why the list is empty or ends: no exchanges, or expired by the policy of the company. */
function NoRows(props: {
  readonly isEmpty: boolean;
  readonly expired: number | null;
  readonly range: Range;
  readonly zone: string;
}) {
  const { isEmpty, expired, range, zone } = props;
  const { t } = useTranslation("deviceData");
  if (expired !== null && range.start < expired)
    return <p className="log-empty">{t("log.expired", { date: formatDate(expired, zone) })}</p>;
  return isEmpty ? <p className="log-empty">{t("log.empty")}</p> : null;
}

function NoneOpen({ isPending }: { readonly isPending: boolean }) {
  const { t } = useTranslation("deviceData");
  return isPending ? <Skeleton height={244} /> : <p className="log-empty">{t("log.choose")}</p>;
}

interface PagesProps {
  readonly page: number;
  readonly last: number;
  readonly isLocked: boolean;
  readonly onPage: (page: number) => void;
}

function Pages({ page, last, isLocked, onPage }: PagesProps) {
  const { t } = useTranslation("deviceData");
  const { number } = useFormat();
  if (last < 2) return null;
  return (
    <footer>
      <Button
        kind="quiet"
        icon="chevronLeft"
        disabled={isLocked || page <= 1}
        onClick={() => onPage(page - 1)}
      >
        {t("log.newer")}
      </Button>
      <span className="quiet">
        {number(page, 0)} / {number(last, 0)}
      </span>
      <Button
        kind="quiet"
        iconAfter="chevronRight"
        disabled={isLocked || page >= last}
        onClick={() => onPage(page + 1)}
      >
        {t("log.older")}
      </Button>
    </footer>
  );
}
