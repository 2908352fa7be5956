import { tasks } from "@metrum/contract/headend";
import i18next from "i18next";
import { request } from "#lib/call";
import { formatNumber } from "#lib/format";
import { currentLanguage, loadTexts } from "#lib/i18n";
import { snack } from "#ui/snackbar";
import { progressText, titleOf } from "./tasks.ts";

/**
 * Shows how a task of the user has ended; the bell keeps the message. A task of one device shows nothing: its answer is
 * on the page from which it was requested.
 */
export async function announceEnd(taskId: number): Promise<void> {
  const [{ data }] = await Promise.all([
    request(tasks.list, { body: { ids: [taskId], per_page: 10 } }),
    loadTexts("tasks"),
  ]);
  const [task] = data.device_tasks.data;
  if (!task || task.ended_at === null || task.device_count < 2) return;
  const language = currentLanguage();
  const number = (value: number) => formatNumber(value, language, { most: 0 });
  snack({
    kind: task.failed_count > 0 ? "error" : "info",
    text: i18next.t("tasks:ended", {
      title: titleOf(task, language),
      progress: progressText(task, { t: i18next.t, number }),
    }),
  });
}
