import type { ReplyOf } from "@metrum/contract/core";
import { control, tasks } from "@metrum/contract/headend";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, asksForCode, exchange, reasonOf, refetch, useCall, type Answer } from "#lib/call";
import { useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { askText } from "#ui/dialog";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { Status } from "#ui/status";
import { Progress } from "./Progress.tsx";
import "./tasks.css";
import { TaskResults } from "./TaskResults.tsx";
import { progressText, shownStatus } from "./tasks.ts";
import { useTaskActions } from "./useTaskActions.ts";
import { useTaskNews } from "./useTaskNews.ts";

interface Props {
  readonly taskId: number;
  /** The failed devices are asked again in a new task. */
  readonly onRepeated: (taskId: number) => void;
}

/** While a task goes on, should a message of the socket be lost. */
const pollMs = 5000;

/** Progress of one task, its results by device, its end, and the repetition of what has failed. */
export function TaskWatch({ taskId, onRepeated }: Props) {
  const { t } = useTranslation("tasks");
  const { number, language } = useFormat();
  const [isOpen, setOpen] = useState(true);
  const actions = useTaskActions();
  useTaskNews();
  const statuses = useCall(tasks.statuses, {}, { isQuiet: true, freshMs: 3_600_000 }).data?.statuses ?? [];
  const query = useCall(
    tasks.list,
    { body: { ids: [taskId] } },
    { isQuiet: true, freshMs: 0, ...(isOpen ? { everyMs: pollMs } : {}) },
  );
  const [task] = query.data?.device_tasks.data ?? [];
  if (task && (task.ended_at === null) !== isOpen) setOpen(task.ended_at === null);
  if (!task) return <Skeleton height={160} />;
  const text = progressText(task, { t, number });
  const { kind, text: status } = shownStatus(task.status_id, statuses, language);
  return (
    <div className="task-watch">
      <p role="status">
        <Status kind={kind}>{status}</Status> <span>{text}</span>
      </p>
      <Progress task={task} text={text} />
      <div className="task-watch-actions">
        {task.ended_at === null ? (
          <Button kind="danger" disabled={actions.isBusy} onClick={() => void actions.cancel([task.id])}>
            {t("watch.stop")}
          </Button>
        ) : task.failed_count > 0 ? (
          <Button icon="refresh" onClick={() => void repeat(task.id, t).then((id) => id && onRepeated(id))}>
            {t("repeat", { count: task.failed_count, shown: number(task.failed_count, 0) })}
          </Button>
        ) : null}
        <span>{t(task.ended_at === null ? "watch.goesOn" : "watch.unknown")}</span>
        <a href="#/cloud/devices/tasks">{t("title")}</a>
      </div>
      <TaskResults key={`${String(task.id)}-${String(isOpen)}`} task={task} statuses={statuses} />
    </div>
  );
}

type Words = ReturnType<typeof useTranslation<"tasks">>["t"];
type Proof = { current_password?: string; one_t_p?: string; device_count?: number };

/** Repeats the devices that have failed. Returns the new task, or undefined if it was refused or cancelled. */
async function repeat(device_task_id: number, t: Words, proof: Proof = {}): Promise<number | undefined> {
  try {
    const answer: Answer<ReplyOf<typeof tasks.repeat>> = await exchange(
      tasks.repeat,
      { body: { device_task_id, ...proof } },
      { isQuiet: true },
    );
    await refetch(tasks.list, tasks.results, control.list);
    return answer.data.device_task.id;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "control_proof" && Object.keys(proof).length === 0) {
      const asked = await askProof(error, t);
      return asked && repeat(device_task_id, t, asked);
    }
    snack({ kind: "error", text: reasonOf(error) ?? error.code });
    return undefined;
  }
}

async function askProof(refusal: ApiError, t: Words): Promise<Proof | undefined> {
  const needsCount = "device_count" in refusal.attributes;
  const isCode = asksForCode(refusal);
  const shared = { title: t("watch.proof"), action: t("watch.again"), isRequired: true };
  const typed = needsCount ? await askText({ ...shared, label: t("watch.count") }) : "";
  if (typed === null) return undefined;
  const secret = await askText({
    ...shared,
    label: t(isCode ? "watch.code" : "watch.password"),
    isSecret: !isCode,
  });
  if (secret === null) return undefined;
  return {
    ...(isCode ? { one_t_p: secret } : { current_password: secret }),
    ...(typed === "" ? {} : { device_count: Number(typed) }),
  };
}
