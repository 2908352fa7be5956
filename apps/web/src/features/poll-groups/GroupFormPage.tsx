import { pollGroups, type PollGroup } from "@metrum/contract/headend";
import { models } from "@metrum/contract/metering";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall, type ApiError } from "#lib/call";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { GroupForm } from "./GroupForm.tsx";
import { listHref } from "./pollGroups.ts";
import "./pollGroups.css";

const lasting = { freshMs: 3_600_000, isQuiet: true };

/** A new poll group, or one to change, in four steps on one page. */
export function GroupFormPage() {
  const { id }: { readonly id?: string } = useParams({ strict: false });
  const { t } = useTranslation(["pollGroups", "devices"]);
  const opened = useCall(
    pollGroups.get,
    { params: { id: id ?? "" } },
    { isQuiet: true, isEnabled: id !== undefined },
  );
  const group = opened.data?.poll_group;
  const title = id === undefined ? t("form.new") : (group?.name ?? "…");
  return (
    <section className="poll-groups group-page">
      <Breadcrumbs
        items={[
          { title: t("devices:title"), href: "#/cloud/devices" },
          { title: t("devices:groups"), href: listHref },
          { title },
        ]}
      />
      <h1>{title}</h1>
      <Content id={id} group={group} error={opened.error} reload={opened.refetch} />
    </section>
  );
}

interface Props {
  readonly id: string | undefined;
  readonly group: PollGroup | undefined;
  readonly error: ApiError | null;
  readonly reload: () => Promise<unknown>;
}

/** The form once the group and the models are known, or why it cannot be shown. */
function Content({ id, group, error, reload }: Props) {
  const { t } = useTranslation("pollGroups");
  const known = useCall(models.devices, { body: {} }, lasting);
  const list = known.data?.metering_devices;
  if (error?.status === 404 || error?.status === 422) return <EmptyState title={t("notFound")} />;
  if (list && (id === undefined || group))
    return <GroupForm key={id ?? "new"} group={group ?? null} models={list} />;
  const failure = error ?? (list ? null : known.error);
  if (failure === null) return <Skeleton height={480} />;
  const retry = () => void Promise.all([known.refetch(), ...(error ? [reload()] : [])]);
  return <ErrorState title={t("failed")} message={reasonOf(failure)} onRetry={retry} />;
}
