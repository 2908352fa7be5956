import {
  taskOutcomes,
  tasks,
  type DeviceTask,
  type TaskResult,
  type TaskStatus,
} from "@metrum/contract/headend";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { deviceHref } from "#lib/screen";
import { useSession } from "#lib/session";
import { IconButton } from "#ui/button";
import { Segmented } from "#ui/field";
import { ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import { shownStatus } from "./tasks.ts";

type Outcome = (typeof taskOutcomes)[number] | "all";

const pageRows = 25;

/** The failed devices first: they need attention. */
const firstOf = ({ failed_count }: DeviceTask): Outcome => (failed_count > 0 ? "failed" : "all");

interface Props {
  readonly task: DeviceTask;
  readonly statuses: readonly TaskStatus[];
}

/** Outcome of a task, device by device, with the log of each. */
export function TaskResults({ task, statuses }: Props) {
  const { t } = useTranslation("tasks");
  const { number } = useFormat();
  const [outcome, setOutcome] = useState(() => firstOf(task));
  const [page, setPage] = useState(1);
  const body = { device_task_id: task.id, page, per_page: pageRows };
  const { data, error, refetch } = useCall(
    tasks.results,
    { body: outcome === "all" ? body : { ...body, outcome } },
    { keepsPrevious: true, isQuiet: true },
  );
  const counts = data?.counts;
  const options = [...taskOutcomes, "all" as const]
    .map((each) => ({ value: each, count: each === "all" ? task.device_count : (counts?.[each] ?? 0) }))
    .filter(({ value, count }) => value === "all" || value === outcome || count > 0)
    .map(({ value, count }) => ({ value, title: `${t(`outcome.${value}`)} ${number(count, 0)}` }));
  return (
    <div className="task-results">
      <div className="task-results-bar">
        <Segmented
          name={`outcome-${String(task.id)}`}
          label={t("outcomes")}
          value={outcome}
          options={options}
          onValue={(value) => {
            setOutcome(value);
            setPage(1);
          }}
        />
        {data && data.results.last_page > 1 ? <Pages {...data.results} onPage={setPage} /> : null}
      </div>
      {error ? (
        <ErrorState title={t("resultsFailed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : null}
      {data?.results.data.length === 0 ? <p>{t("noResults")}</p> : null}
      <ul>
        {data?.results.data.map((result) => (
          <ResultRow key={result.device_id} result={result} statuses={statuses} />
        ))}
      </ul>
    </div>
  );
}

interface PagesProps {
  readonly current_page: number;
  readonly last_page: number;
  readonly onPage: (page: number) => void;
}

function Pages({ current_page, last_page, onPage }: PagesProps) {
  const { t } = useTranslation("tasks");
  const { number } = useFormat();
  return (
    <span className="task-pages">
      <IconButton
        icon="chevronLeft"
        label={t("previousPage")}
        disabled={current_page <= 1}
        onClick={() => onPage(current_page - 1)}
      />
      {t("page", { page: number(current_page, 0), last: number(last_page, 0) })}
      <IconButton
        icon="chevronRight"
        label={t("nextPage")}
        disabled={current_page >= last_page}
        onClick={() => onPage(current_page + 1)}
      />
    </span>
  );
}

/** Device, reason in words, time. The title of a result code comes from the server. */
function ResultRow({ result, statuses }: { readonly result: TaskResult } & Pick<Props, "statuses">) {
  const { zone } = useSession();
  const { t } = useTranslation("tasks");
  const codes = useCall(tasks.logResultCodes, {}, { isQuiet: true, freshMs: 3_600_000 }).data?.result_codes;
  const { language } = useFormat();
  const { kind, text } = shownStatus(result.status_id, statuses, language);
  const code = codes?.find(({ id }) => id === result.result_code);
  const words = result.result_code === null && result.message !== "" ? result.message : text;
  const reason = (language === "en" ? code?.title_en : code?.title) ?? words;
  const href = deviceHref(result.device_id);
  // Of a device that has been removed for good only the outcome is left.
  const isGone = result.device_name === "";
  return (
    <li>
      {isGone ? (
        <span>{t("goneDevice", { id: result.device_id })}</span>
      ) : (
        <a href={href}>{result.device_name}</a>
      )}
      <span className="task-result-place">
        {[result.model, result.place].filter((part) => part !== "").join(", ")}
      </span>
      <Status kind={kind}>{reason}</Status>
      <span className="task-result-at">
        {result.ended_at === null ? "" : formatDateTime(result.ended_at, zone)}
      </span>
      {isGone ? null : <a href={`${href}?tab=journal`}>{t("log")}</a>}
    </li>
  );
}
