import type { ReplyOf } from "@metrum/contract/core";
import { exchangeKinds, pollResults, tasks } from "@metrum/contract/headend";
import { stepWords, type ReadStep, type ResourceKey } from "@metrum/vocabulary";
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatClock, formatDate, useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { Status, type StatusKind } from "#ui/status";
import { detailWords } from "./failureWords.ts";
import { Trace } from "./Trace.tsx";
import { isUnasked, questionsOf, type Question } from "./trace.ts";

type Log = ReplyOf<typeof tasks.logs>["logs"]["data"][number];

const isFailed = (log: Log) => log.result_code !== pollResults.ok.id;
const kindOf = (log: Log): StatusKind => (isFailed(log) ? "alarm" : log.tries > 1 ? "warn" : "ok");

const clock = (atMs: number, zone: string) => formatClock(atMs / 1000, zone);

const clockWithMs = (atMs: number, zone: string) =>
  `${clock(atMs, zone)}.${String(Math.floor(atMs) % 1000).padStart(3, "0")}`;

function useWords() {
  const { language, number } = useFormat();
  return {
    language,
    kind: (id: number) => Object.values(exchangeKinds).find((each) => each.id === id)?.title[language] ?? "",
    result: (id: number) => Object.values(pollResults).find((each) => each.id === id)?.title[language] ?? "",
    seconds: (ms: number) => number(ms / 1000, 1),
  };
}

/** One exchange in the list. */
export function ExchangeLine(props: {
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
        <span className="quiet" title={formatDate(log.created_at, zone)}>
          {clock(log.id, zone)}
        </span>
      </Status>
      <b>{words.kind(log.type_id)}</b>
      <span className="quiet">
        {isFailed(log) ? `${words.result(log.result_code)}, ` : ""}
        {t("log.duration", { s: words.seconds(log.duration_ms) })}
        {log.repeats > 0
          ? `, ${t("log.repeats", { count: log.repeats, time: clock(log.last_at * 1000, zone) })}`
          : ""}
      </span>
    </button>
  );
}

const worst = ({ tries }: Question): StatusKind =>
  tries.at(-1)?.error ? "alarm" : tries.length > 1 ? "warn" : "ok";

/** The exchange with its bytes; the list and its details share one answer. */
function useExchange(log: Log) {
  const query = useCall(
    tasks.logs,
    { body: { device_id: log.device_id, id: log.id } },
    { isQuiet: true, freshMs: Number.POSITIVE_INFINITY },
  );
  const questions = useMemo(() => questionsOf(query.data?.logs.data[0]?.steps ?? []), [query.data]);
  return { query, questions };
}

interface Chosen {
  readonly log: Log;
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}

/** Labels of requests; the requested data are named as in the frames. */
function useStepWords(resource: ResourceKey): (label: ReadStep) => string {
  const { language } = useFormat();
  return (label) => stepWords(label, { language, resource });
}

/** The requests of the opened exchange, each with its time. */
export function ExchangeSteps({
  log,
  resource,
  chosen,
  onChoose,
}: Chosen & { readonly resource: ResourceKey }) {
  const { t } = useTranslation("trace");
  const inWords = useStepWords(resource);
  const { number } = useFormat();
  const { questions } = useExchange(log);
  return (
    <ol className="log-steps">
      {questions.map((each, at) => {
        const first = each.tries[0];
        const last = each.tries.at(-1);
        const took = first && last ? last.ended_ms - first.at_ms : 0;
        return (
          <li key={at}>
            <button type="button" aria-current={at === chosen} onClick={() => onChoose(at)}>
              <span className="quiet">{`+${number((first?.at_ms ?? 0) / 1000, 2)}`}</span>
              <Status kind={worst(each)}>{inWords(each.label)}</Status>
              {first && isUnasked(first) ? null : (
                <span className="quiet">{t("timing.ms", { ms: number(Math.round(took), 0) })}</span>
              )}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function outcomeOf(question: Question | undefined, t: TFunction<"trace">): string {
  const n = question?.tries.length ?? 0;
  const last = question?.tries.at(-1);
  if (last?.error) return t("tries.bad");
  if (last && isUnasked(last)) return t("tries.unasked");
  return n > 1 ? t("tries.retried", { n }) : t("tries.good");
}

/** The selected request, byte by byte. */
export function ExchangeDetail(props: Chosen & { readonly zone: string; readonly resource: ResourceKey }) {
  const { log, zone, resource, chosen, onChoose } = props;
  const { t } = useTranslation("deviceData");
  const { t: trace } = useTranslation("trace");
  const words = useWords();
  const inWords = useStepWords(resource);
  const { query, questions } = useExchange(log);
  const question = questions[chosen];
  const hex = question?.tries.map((step) => `> ${step.sent}\n< ${step.received}`).join("\n") ?? "";
  const outcome = outcomeOf(question, trace);
  return (
    <>
      <header>
        <b>{question ? inWords(question.label) : words.kind(log.type_id)}</b>
        <span className="quiet">{question ? outcome : log.line}</span>
        <span className="log-detail-tools">
          <Button
            kind="quiet"
            icon="chevronLeft"
            disabled={chosen === 0}
            onClick={() => onChoose(chosen - 1)}
          >
            {t("log.previous")}
          </Button>
          <Button
            kind="quiet"
            iconAfter="chevronRight"
            disabled={chosen >= questions.length - 1}
            onClick={() => onChoose(chosen + 1)}
          >
            {t("log.next")}
          </Button>
          <Button icon="copy" disabled={hex === ""} onClick={() => void navigator.clipboard.writeText(hex)}>
            {t("log.copyHex")}
          </Button>
        </span>
      </header>
      {isFailed(log) ? (
        <p className="trace-message">
          {words.result(log.result_code)}{" "}
          <span className="quiet">{detailWords(log.message, { t: trace })}</span>
        </p>
      ) : null}
      {query.isError ? (
        <div className="data-failed" role="alert">
          <p>{t("failedLoad")}</p>
          <Button onClick={() => void query.refetch()}>{t("retry")}</Button>
        </div>
      ) : null}
      {question ? (
        <Trace
          question={question}
          resource={resource}
          clockOf={(afterMs) => clockWithMs(log.id + afterMs, zone)}
          moment={(at) => `${formatDate(at, zone)} ${formatClock(at, zone)}`}
        />
      ) : null}
    </>
  );
}
