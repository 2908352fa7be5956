import { tasks, type DeviceTask } from "@metrum/contract/headend";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { useSocketEvent } from "#lib/socket";
import { Button } from "#ui/button";
import { change } from "#ui/change";
import { Status } from "#ui/status";
import type { RequestedDevice } from "./offered.ts";
import "./requests.css";

/** Tasks are requested this long after the first change: a burst of changes is one request. */
const refreshMs = 300;

/**
 * The requests of a device that have not ended, live, whoever made them. The end of one's own is shown in a snackbar.
 */
export function OpenRequests({ device }: { readonly device: RequestedDevice }) {
  const { t } = useTranslation("requests");
  const open = useOpenRequests(device);
  if (open.length === 0) return null;
  return (
    <ul className="open-requests" aria-label={t("open.label")} aria-live="polite">
      {open.map((task) => (
        <OpenRequest key={task.id} task={task} />
      ))}
    </ul>
  );
}

function OpenRequest({ task }: { readonly task: DeviceTask }) {
  const { t } = useTranslation("requests");
  const { language } = useFormat();
  const mayCancel = useAllowed("4:update");
  const statuses = useCall(tasks.statuses, {}, { freshMs: 3_600_000, isQuiet: true }).data?.statuses;
  const status = statuses?.find(({ id }) => id === task.status_id);
  const cancel = () =>
    change(() => exchange(tasks.cancel, { body: { device_task_ids: [task.id] } }), {
      refreshed: [tasks.list],
    });
  return (
    <li>
      <b>{titleOf(task, language)}</b>
      <Status kind={status?.key === "queued" ? "silent" : "pending"}>
        {(language === "en" ? status?.title_en : status?.title) ?? ""}
      </Status>
      {task.user_name === null ? null : <span className="quiet">{task.user_name}</span>}
      {mayCancel ? (
        <Button kind="quiet" size="small" onClick={() => void cancel()}>
          {t("open.cancel")}
        </Button>
      ) : null}
    </li>
  );
}

const titleOf = ({ title, title_en }: DeviceTask, language: string): string =>
  language === "ru" || title_en === "" ? title : title_en;

function useOpenRequests(device: RequestedDevice): readonly DeviceTask[] {
  const { user } = useSession();
  const { data } = useCall(
    tasks.list,
    { body: { device_id: device.id, is_open: true, per_page: 10 } },
    { isQuiet: true, keepsPrevious: true },
  );
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refresh = () => {
    timer.current = undefined;
    void refetch(tasks.list);
  };
  useSocketEvent("device_task", (event) => {
    if (event.device_id === undefined || event.device_id === device.id)
      timer.current ??= setTimeout(refresh, refreshMs);
  });
  useSocketEvent("joined", refresh);
  useEffect(() => () => clearTimeout(timer.current), []);

  const open = data?.device_tasks.data.filter(({ command_type }) => command_type !== "change");
  const before = useRef<readonly DeviceTask[]>([]);
  useEffect(() => {
    if (!open) return;
    const ended = before.current.filter(({ id }) => open.every((task) => task.id !== id));
    before.current = open;
    for (const task of ended)
      if (task.user_id === user.id)
        void import("./announceEnd.ts").then(({ announceEnd }) => announceEnd(task, device));
  }, [open, user.id, device]);
  return open ?? [];
}
