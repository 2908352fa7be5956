import { pollResults, tasks, taskStates, type DeviceTask, type PollResult } from "@metrum/contract/headend";
import i18next from "i18next";
import { ApiError, request } from "#lib/call";
import { currentLanguage, loadTexts } from "#lib/i18n";
import { snack } from "#ui/snackbar";
import type { RequestedDevice } from "./offered.ts";
import { wasShown } from "./requests.ts";

/** Shows how a request of a device has ended: the rows that have arrived, or why there are none. */
export async function announceEnd(task: DeviceTask, device: Pick<RequestedDevice, "id">): Promise<void> {
  const result = await resultOf(task, device);
  await loadTexts("requests");
  if (!result || result.status_id === taskStates.cancelled.id || wasShown(task.id, result.status_id)) return;
  const language = currentLanguage();
  const name = language === "ru" || task.title_en === "" ? task.title : task.title_en;
  const isDone = result.status_id === taskStates.done.id;
  const rows = result.rows_received;
  const isUnknown = result.status_id === taskStates.unknown.id;
  const key = isUnknown
    ? "unknown"
    : !isDone
      ? "failed"
      : rows === null
        ? "answered"
        : rows === 0
          ? "noRows"
          : "rows";
  const code = (Object.keys(pollResults) as PollResult[]).find(
    (each) => pollResults[each].id === result.result_code,
  );
  snack({
    kind: isDone ? "info" : "error",
    text: i18next.t(`requests:end.${key}`, {
      name,
      count: rows ?? 0,
      reason: code === undefined ? "" : pollResults[code].title[language],
    }),
  });
}

/** Undefined if it cannot be said now: the list of tasks has it. */
async function resultOf(task: DeviceTask, device: Pick<RequestedDevice, "id">) {
  try {
    const { data } = await request(tasks.results, { body: { device_task_id: task.id, per_page: 100 } });
    return data.results.data.find(({ device_id }) => device_id === device.id);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
