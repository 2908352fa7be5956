import { tasks } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { formatDate, useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { Button } from "#ui/button";
import { change } from "#ui/change";
import type { HolesTask } from "./useAsked.ts";

/** Requests of missing values: how many came, how many devices answered or failed. */
export function RunningTasks({ asked }: { readonly asked: readonly HolesTask[] }) {
  return asked.map((task) => <Running key={task.id} task={task} />);
}

function Running({ task }: { readonly task: HolesTask }) {
  const { t } = useTranslation("completeness");
  const { number } = useFormat();
  const { zone } = useSession();
  const mayCancel = useAllowed("4:update");
  const { holes, ended_at, device_count, done_count, failed_count } = task;
  const isOpen = ended_at === null;
  const cancel = () =>
    change(() => exchange(tasks.cancel, { body: { device_task_ids: [task.id] } }), {
      refreshed: [tasks.list],
    });
  const waiting = device_count - done_count - failed_count;
  const period = `${formatDate(holes.start_date, zone)} – ${formatDate(holes.stop_date, zone)}`;
  return (
    <section className="board-card">
      <header>
        <h2>{t(isOpen ? "running" : "ended")}</h2>
        {isOpen && mayCancel ? (
          <Button kind="quiet" onClick={() => void cancel()}>
            {t("cancel")}
          </Button>
        ) : null}
      </header>
      <p>{t("taskOf", { count: device_count, shown: number(device_count, 0), period })}</p>
      <p aria-live="polite">
        <b>{number(holes.filled, 0)}</b>{" "}
        {t("filledOf", { count: holes.asked, shown: number(holes.asked, 0) })}
      </p>
      <progress max={Math.max(1, holes.asked)} value={holes.filled} aria-label={t("running")} />
      <dl className="board-counts">
        <dt>{t("answered")}</dt>
        <dd>{number(done_count, 0)}</dd>
        <dt>{t("failedDevices")}</dt>
        <dd>{number(failed_count, 0)}</dd>
        {isOpen ? (
          <>
            <dt>{t("waiting")}</dt>
            <dd>{number(waiting, 0)}</dd>
          </>
        ) : null}
      </dl>
      <a href="#/cloud/devices/tasks">{t("toTasks")}</a>
    </section>
  );
}
