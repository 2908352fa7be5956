import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer, SendOptions } from "#lib/call";
import { Button } from "#ui/button";
import { NumberField, SelectField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { say } from "#ui/snackbar";
import { Card } from "../Card.tsx";
import {
  isWhole,
  maximumOf,
  taskIdsOf,
  taskNumbers,
  taskOf,
  taskParameters,
  type Bounds,
  type TaskNumber,
  type WholeTask,
} from "./schedulerForm.ts";

interface Props {
  /** Bounds of the model, of its control lartech_settings. */
  readonly bounds: Bounds;
  /** Known tasks by their id. */
  readonly tasks: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  readonly isDisabled?: boolean;
  /** Reads a task from the device again. */
  readonly onRefresh: (taskId: number) => unknown;
  readonly save: (task: WholeTask, options: SendOptions) => Promise<Answer<unknown> | undefined>;
}

/** Tasks of the scheduler of a device. Without task ids in the model, the list of devices is opened. */
export function SchedulerCard(props: Props) {
  const ids = taskIdsOf(props.bounds);
  const isMissing = ids === undefined;
  useEffect(() => {
    if (!isMissing) return;
    void say("not_task_id");
    location.hash = "#/cloud/devices";
  }, [isMissing]);
  return ids === undefined ? null : <Task {...props} ids={ids} />;
}

function Task({
  ids,
  bounds,
  tasks,
  isDisabled = false,
  onRefresh,
  save,
}: Props & { ids: readonly number[] }) {
  const { t } = useTranslation("control");
  const [id, setId] = useState(ids[0] ?? null);
  const form = useForm({
    stored: taskOf(id, tasks),
    required: [...taskNumbers],
    words: () => t("fault.number"),
    send: async (values, options) => (isWhole(values) ? save(values, options) : undefined),
    keepsDraft: true,
  });
  const submit = () => {
    if (!isWhole(form.values)) void say("msg_81");
    void form.submit();
  };
  const number = (name: TaskNumber, label: string) => (
    <NumberField
      key={name}
      label={label}
      {...form.field(name)}
      min={0}
      max={maximumOf(bounds, name)}
      decimals={0}
      hint={t("scheduler.range", { max: maximumOf(bounds, name) })}
    />
  );
  return (
    <Card title={t("scheduler.title")}>
      <Form form={form} onSubmit={submit} aria-label={t("scheduler.title")}>
        <fieldset className="control-task" disabled={isDisabled}>
          <SelectField
            label={t("scheduler.task_id")}
            options={ids.map((each) => ({ value: String(each), title: String(each) }))}
            value={String(id)}
            onValue={(chosen) => {
              form.discard();
              setId(Number(chosen));
            }}
          />
          {number("delay", t("scheduler.delay"))}
          {taskParameters.map((name, at) => number(name, t("scheduler.param", { number: at + 1 })))}
          {number("profile", t("scheduler.profile"))}
          {number("refresh", t("scheduler.refresh"))}
        </fieldset>
        <div className="control-foot">
          <Button
            icon="refresh"
            disabled={isDisabled || id === null}
            onClick={() => id !== null && onRefresh(id)}
          >
            {t("scheduler.read")}
          </Button>
          <Button type="submit" kind="primary" isBusy={form.isBusy} disabled={isDisabled || form.isBusy}>
            {t("scheduler.send")}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
