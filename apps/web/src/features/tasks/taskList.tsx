import { tasks, type DeviceTask, type TaskStatus } from "@metrum/contract/headend";
import { formatDateTime } from "#lib/format";
import { Button } from "#ui/button";
import { Icon } from "#ui/icon";
import { choice, columnsOf, defineList, PhoneRow, search, type Words } from "#ui/list";
import { Status } from "#ui/status";
import { Progress } from "./Progress.tsx";
import { TaskResults } from "./TaskResults.tsx";
import { lasted, listInput, progressText, shownStatus, titleOf } from "./tasks.ts";
import type { TaskActions } from "./useTaskActions.ts";

interface Context {
  readonly statuses: readonly TaskStatus[];
  readonly mayCancel: boolean;
  readonly mayRepeat: boolean;
  readonly actions: TaskActions;
}
type Said = Words & Context;

function tookOf({ created_at, ended_at }: DeviceTask, words: Said): string | null {
  return ended_at === null ? null : lasted(ended_at - created_at, words);
}

const icons = { control: "send", poll: "refresh", holes: "refresh", change: "edit" } as const;

function Title({ task, context }: { readonly task: DeviceTask; readonly context: Said }) {
  return (
    <span className="task-title">
      <Icon name={icons[task.command_type]} />
      <b>{titleOf(task, context.language)}</b>
    </span>
  );
}

/** What can be done with a task: cancel pending devices, poll failed ones again. */
function Actions({ task, context }: { readonly task: DeviceTask; readonly context: Said }) {
  const { t, number, statuses, mayCancel, mayRepeat, actions } = context;
  const status = statuses.find(({ id }) => id === task.status_id);
  if (!status) return null;
  if (!status.is_final)
    return mayCancel ? (
      <Button kind="link" disabled={actions.isBusy} onClick={() => void actions.cancel([task.id])}>
        {t("cancel")}
      </Button>
    ) : null;
  if (!mayRepeat || task.failed_count === 0) return null;
  return (
    <Button kind="link" disabled={actions.isBusy} onClick={() => void actions.repeat(task.id)}>
      {t("repeat", { count: task.failed_count, shown: number(task.failed_count, 0) })}
    </Button>
  );
}

function PhoneLines({ task, context }: { readonly task: DeviceTask; readonly context: Said }) {
  const { kind, text } = shownStatus(task.status_id, context.statuses, context.language);
  return (
    <PhoneRow
      title={titleOf(task, context.language)}
      aside={<Status kind={kind}>{text}</Status>}
      line={progressText(task, context)}
      end={formatDateTime(task.created_at, context.zone)}
    />
  );
}

const statusWords = ({ statuses, language }: Said) =>
  Object.fromEntries(statuses.map(({ id }) => [String(id), shownStatus(id, statuses, language).text]));

const { cell, text, number, at, status, actions } = columnsOf<DeviceTask, Context>();

/** Tasks of the company, newest first; a row opens to the outcome of each device. */
export const taskList = defineList({
  call: tasks.list,
  key: "tasks",
  texts: ["tasks"],
  label: "title",
  empty: "empty",
  found: "found",
  sort: { field: "created_at", desc: true },
  hasChooser: true,
  input: (state) => ({ body: listInput(state) }),
  answer: ({ device_tasks: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: DeviceTask) => String(row.id),
  addressed: ["device", "group"],
  filters: [
    search("search"),
    choice<Context>("status", {
      label: "column.status",
      any: "everyStatus",
      options: ({ statuses, language }) =>
        statuses.map(({ id }) => ({ value: String(id), title: shownStatus(id, statuses, language).text })),
    }),
  ],
  columns: [
    cell(
      "title",
      240,
      {
        value: (task, { language }) => titleOf(task, language),
        cell: (task, context) => <Title task={task} context={context} />,
      },
      { isName: true, file: { of: "title" } },
    ),
    number("devices", 78, (task) => task.device_count, { file: "device_count" }),
    status("status", 164, (task, { statuses, language }) => shownStatus(task.status_id, statuses, language), {
      sort: "status_id",
      file: { of: "status_id", words: statusWords },
    }),
    cell("bar", 84, {
      cell: (task, context) => <Progress task={task} text={progressText(task, context)} />,
    }),
    text("progress", 228, progressText, {
      file: [
        { of: "done_count", title: "file.done" },
        { of: "failed_count", title: "file.failed" },
      ],
    }),
    at("created", 128, (task) => task.created_at, { sort: "created_at", file: "created_at" }),
    text("author", 96, (task) => task.user_name, { isQuiet: true, file: "user_name" }),
    text("took", 72, tookOf, {
      align: "right",
      file: { of: "ended_at", shows: "time", title: "file.ended" },
    }),
    actions("actions", 150, (task, context) => <Actions task={task} context={context} />, { title: "" }),
  ],
  expand: (task, context) => (
    <>
      <TaskResults task={task} statuses={context.statuses} />
      <div className="task-actions">
        <Actions task={task} context={context} />
      </div>
    </>
  ),
  phone: (task, context) => <PhoneLines task={task} context={context} />,
});
