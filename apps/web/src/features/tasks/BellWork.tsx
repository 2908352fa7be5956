import { tasks } from "@metrum/contract/headend";
import { sheetImports } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Progress } from "./Progress.tsx";
import "./tasks.css";
import { progressText, titleOf } from "./tasks.ts";
import { useTaskNews } from "./useTaskNews.ts";

/** Tasks shown; the list has them all. */
const mostShown = 5;

interface Props {
  readonly close: () => void;
}

/** What is being done in the background, with live progress; nothing when nothing is. */
export function BellWork({ close }: Props) {
  return (
    <>
      <OpenTasks close={close} />
      <OpenImports close={close} />
    </>
  );
}

const progressMs = 2000;

/** Spreadsheets that are checked or stored now. */
function OpenImports({ close }: Props) {
  const { t } = useTranslation("tasks");
  const { number } = useFormat();
  const { data } = useCall(sheetImports.list, { body: {} }, { isQuiet: true, everyMs: progressMs });
  const open = data?.imports.filter(({ state }) => state === "rehearsing" || state === "running") ?? [];
  if (open.length === 0) return null;
  return (
    <section aria-label={t("imports")}>
      <h2>{t("imports")}</h2>
      <ul className="task-open">
        {open.map(({ id, file_name, row_count, done_count, state }) => {
          const counted = { device_count: row_count, done_count, failed_count: 0 };
          const text = t(`import.${state}`, { done: number(done_count, 0), all: number(row_count, 0) });
          return (
            <li key={id}>
              <a href={`#/cloud/devices/import/${String(id)}`} onClick={close}>
                <b>{file_name}</b>
              </a>
              <span>{text}</span>
              <Progress task={counted} text={text} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function OpenTasks({ close }: Props) {
  const { t } = useTranslation("tasks");
  const { number, language } = useFormat();
  useTaskNews();
  const { data } = useCall(
    tasks.list,
    { body: { is_open: true, per_page: 10, sort: "desc" } },
    { isQuiet: true, keepsPrevious: true },
  );
  const { data: open = [], total = 0 } = data?.device_tasks ?? {};
  if (total === 0) return null;
  return (
    <section aria-label={t("atWork")}>
      <h2>{t("atWork")}</h2>
      <ul className="task-open">
        {open.slice(0, mostShown).map((task) => {
          const text = progressText(task, { t, number });
          return (
            <li key={task.id}>
              <b>{titleOf(task, language)}</b>
              <span>{text}</span>
              <Progress task={task} text={text} />
            </li>
          );
        })}
      </ul>
      <a className="menu-item" href="#/cloud/devices/tasks" onClick={close}>
        <span>{t("allOpen", { shown: number(total, 0) })}</span>
      </a>
    </section>
  );
}
