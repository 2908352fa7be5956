import { exchangeKinds, pollResults, tasks, type ReplyOf } from "@metrum/contract";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useSocketEvent } from "#lib/socket";
import { Button } from "#ui/button";
import { dateText, offsetAt, timeText, type Range } from "#ui/dateRange";
import { Status, type StatusKind } from "#ui/status";
import { Segments } from "./DataSwitches.tsx";
import { Trace } from "./Trace.tsx";
import { questionsOf } from "./trace.ts";

type Log = ReplyOf<typeof tasks.logs>["logs"]["data"][number];
type Choice = "all" | "retried" | "failed";

const pageSize = 50;
const isFailed = (log: Log) => log.result_code !== pollResults.ok.id;
/** More tries than questions: something had to be asked again. */
const isRetried = (log: Log) => log.tries > 1;
const kindOf = (log: Log): StatusKind => (isFailed(log) ? "alarm" : isRetried(log) ? "warn" : "ok");

/** Exchanges of the device, newest first; one of them opened byte by byte. */
export function PollLog({
  deviceId,
  range,
  zone,
}: {
  readonly deviceId: number;
  readonly range: Range;
  readonly zone: string;
}) {
  const { t } = useTranslation("deviceData");
  const { number } = useFormat();
  const [page, setPage] = useState(1);
  const [choice, setChoice] = useState<Choice>("all");
  const [open, setOpen] = useState<number | null>(null);
  const body = {
    device_id: deviceId,
    start_date: range.start,
    stop_date: range.end,
    page,
    per_page: pageSize,
  };
  const query = useCall(tasks.logs, { body }, { keepsPrevious: true, isQuiet: true });
  useSocketEvent("device_data", (event) => {
    if (event.device_id === deviceId) void refetch(tasks.logs);
  });
  const logs = query.data?.logs;
  const all = useMemo(() => logs?.data ?? [], [logs]);
  const counts = { retried: all.filter(isRetried).length, failed: all.filter(isFailed).length };
  const rows = all.filter(
    (log) => choice === "all" || (choice === "failed" ? isFailed(log) : isRetried(log)),
  );
  const current = rows.find((log) => log.id === open) ?? rows[0];
  const last = logs?.last_page ?? 1;
  if (query.isError && !query.data)
    return (
      <div className="panel data-failed" role="alert">
        <p>{t("failedLoad")}</p>
        <Button onClick={() => void query.refetch()}>{t("retry")}</Button>
      </div>
    );
  return (
    <>
      <div className="log-bar">
        <Segments
          label={t("log.title")}
          options={(["all", "retried", "failed"] as const).map((value) => ({
            value,
            title: value === "all" ? t("log.all") : `${t(`log.${value}`)} ${String(counts[value])}`,
          }))}
          value={choice}
          onValue={setChoice}
        />
        <span className="quiet">{t("log.exchanges", { count: logs?.total ?? 0 })}</span>
      </div>
      <div className="log" aria-busy={query.isPending}>
        <div className="panel log-list">
          <header>
            <b>{t("log.title")}</b> <span className="quiet">{t("log.order")}</span>
          </header>
          {query.isSuccess && rows.length === 0 ? <p className="log-empty">{t("log.empty")}</p> : null}
          <ul>
            {rows.map((log) => (
              <li key={log.id}>
                <LogLine
                  log={log}
                  zone={zone}
                  isOpen={log.id === current?.id}
                  onOpen={() => setOpen(log.id)}
                />
              </li>
            ))}
          </ul>
          {last > 1 ? (
            <footer>
              <Button kind="quiet" icon="chevronLeft" disabled={page <= 1} onClick={() => setPage(page - 1)}>
                {t("log.newer")}
              </Button>
              <span className="quiet">
                {number(page, 0)} / {number(last, 0)}
              </span>
              <Button
                kind="quiet"
                iconAfter="chevronRight"
                disabled={page >= last}
                onClick={() => setPage(page + 1)}
              >
                {t("log.older")}
              </Button>
            </footer>
          ) : null}
        </div>
        <div className="panel log-detail">
          {current ? (
            <Detail key={current.id} log={current} zone={zone} />
          ) : (
            <p className="log-empty">{t("log.choose")}</p>
          )}
        </div>
      </div>
    </>
  );
}

const clock = (atMs: number, zone: string) => {
  const seconds = Math.floor(atMs / 1000);
  const local = new Date((seconds + offsetAt(seconds, zone)) * 1000);
  return `${timeText(seconds, zone)}:${String(local.getUTCSeconds()).padStart(2, "0")}`;
};

function useWords() {
  const { language, number } = useFormat();
  return {
    language,
    kind: (id: number) => Object.values(exchangeKinds).find((each) => each.id === id)?.title[language] ?? "",
    result: (id: number) => Object.values(pollResults).find((each) => each.id === id)?.title[language] ?? "",
    seconds: (ms: number) => number(ms / 1000, 1),
  };
}

function LogLine(props: {
  readonly log: Log;
  readonly zone: string;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const { log, zone, isOpen, onOpen } = props;
  const { t } = useTranslation("deviceData");
  const words = useWords();
  return (
    <button type="button" className="log-line" aria-current={isOpen} onClick={onOpen}>
      <Status kind={kindOf(log)}>
        <span className="quiet" title={dateText(log.created_at, zone)}>
          {clock(log.id, zone)}
        </span>
      </Status>
      <b>{words.kind(log.type_id)}</b>
      <span className="quiet">
        {isFailed(log) ? `${words.result(log.result_code)}, ` : ""}
        {t("log.duration", { s: words.seconds(log.duration_ms) })}
      </span>
    </button>
  );
}

function Detail({ log, zone }: { readonly log: Log; readonly zone: string }) {
  const { t } = useTranslation("deviceData");
  const words = useWords();
  const query = useCall(
    tasks.logs,
    { body: { device_id: log.device_id, id: log.id } },
    { isQuiet: true, freshMs: Number.POSITIVE_INFINITY },
  );
  const questions = useMemo(() => questionsOf(query.data?.logs.data[0]?.steps ?? []), [query.data]);
  const [chosen, setChosen] = useState(0);
  const question = questions[chosen];
  const hex = question?.tries.map((step) => `> ${step.sent}\n< ${step.received}`).join("\n") ?? "";
  return (
    <>
      <header>
        <b>{question?.label ?? words.kind(log.type_id)}</b>
        <span className="quiet">
          {dateText(log.created_at, zone)} {clock(log.id, zone)} {log.line}
        </span>
        <span className="log-detail-tools">
          <Button
            kind="quiet"
            icon="chevronLeft"
            disabled={chosen === 0}
            onClick={() => setChosen(chosen - 1)}
          >
            {t("log.previous")}
          </Button>
          <Button
            kind="quiet"
            iconAfter="chevronRight"
            disabled={chosen >= questions.length - 1}
            onClick={() => setChosen(chosen + 1)}
          >
            {t("log.next")}
          </Button>
          <Button icon="copy" disabled={hex === ""} onClick={() => void navigator.clipboard.writeText(hex)}>
            {t("log.copyHex")}
          </Button>
        </span>
      </header>
      {questions.length > 1 ? (
        <ul className="log-questions">
          {questions.map((each, at) => (
            <li key={at}>
              <button type="button" aria-current={at === chosen} onClick={() => setChosen(at)}>
                <Status kind={each.tries.at(-1)?.error ? "alarm" : each.tries.length > 1 ? "warn" : "ok"}>
                  {each.label}
                </Status>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {log.message === "" || !isFailed(log) ? null : <p className="trace-message">{log.message}</p>}
      {question ? <Trace question={question} /> : null}
    </>
  );
}
