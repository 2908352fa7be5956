import { pollGroups, type PollGroup } from "@metrum/contract/headend";
import { useParams } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { BulkControlDialog } from "#control";
import { interfaceTitle } from "#carriers";
import { reasonOf, useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Button, buttonClass } from "#ui/button";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import { GroupMenu } from "./GroupMenu.tsx";
import { PlanView } from "./PlanView.tsx";
import { editHref, intervalText, listHref, successOf } from "./pollGroups.ts";
import { useAsk } from "./useAsk.ts";
import "./pollGroups.css";

/** One poll group: its facts in a line, and the plan of its lines. */
export function GroupPage() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const { t } = useTranslation(["pollGroups", "devices"]);
  const { data, error, refetch } = useCall(
    pollGroups.get,
    { params: { id } },
    { isQuiet: true, everyMs: 30_000 },
  );
  const group = data?.poll_group;
  const isMissing = error?.status === 404 || error?.status === 422;
  return (
    <section className="poll-groups group-page">
      <Breadcrumbs
        items={[
          { title: t("devices:title"), href: "#/cloud/devices" },
          { title: t("devices:groups"), href: listHref },
          { title: group?.name ?? "…" },
        ]}
      />
      {isMissing ? (
        <EmptyState title={t("notFound")} />
      ) : group ? (
        <Card group={group} />
      ) : error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={400} />
      )}
    </section>
  );
}

function Card({ group }: { readonly group: PollGroup }) {
  const { t } = useTranslation("pollGroups");
  const mayChange = useAllowed("4:update|4:access_all");
  const mayDelete = useAllowed("4:delete|4:access_all");
  const mayAsk = useAllowed("4:read|4:update");
  const mayCancel = useAllowed("4:update");
  const ask = useAsk();
  const [isControlled, setControlled] = useState(false);
  const of = useMemo(() => ({ poll_group_id: group.id }), [group.id]);
  return (
    <>
      <header className="poll-group-head">
        <h1>{group.name}</h1>
        <Status kind={group.is_active ? "ok" : "off"}>
          {t(group.is_active ? "active.active" : "active.inactive")}
        </Status>
        <span className="poll-group-head-end">
          {mayAsk && group.device_count > 0 ? (
            <Button icon="play" onClick={() => void ask(group)}>
              {t("menu.ask")}
            </Button>
          ) : null}
          {mayCancel && group.device_count > 0 ? (
            <Button icon="send" onClick={() => setControlled(true)}>
              {t("menu.control")}
            </Button>
          ) : null}
          {mayChange ? (
            <a className={buttonClass()} href={editHref(group)}>
              {t("menu.edit")}
            </a>
          ) : null}
          <GroupMenu group={group} {...{ mayDelete, mayCancel }} mayAsk={false} mayChange={false} isOpen />
        </span>
      </header>
      {isControlled ? (
        <Suspense>
          <BulkControlDialog
            devices={of}
            count={group.device_count}
            modelIds={[group.model_id]}
            onClose={() => setControlled(false)}
          />
        </Suspense>
      ) : null}
      <Facts group={group} />
      <PlanView of={of} />
    </>
  );
}

/** Model, devices, interval, answers and the last run, in one line. */
function Facts({ group }: { readonly group: PollGroup }) {
  const { t } = useTranslation("pollGroups");
  const { number, age, language } = useFormat();
  const { zone } = useSession();
  const success = successOf(group, { t, number });
  const facts = [
    `${group.model_title} · ${interfaceTitle(group.device_interface_id, language)}`,
    t("devicesOf", {
      count: group.device_count,
      shown: number(group.device_count, 0),
      interval: intervalText(group, { t, age }),
    }),
    ...(success ? [success.detail] : []),
    ...(group.last_run_at === null ? [] : [t("ranAt", { at: formatDateTime(group.last_run_at, zone) })]),
  ];
  return <p className="poll-group-facts">{facts.join(" · ")}</p>;
}
