import type { ReplyOf } from "@metrum/contract/core";
import { tasks } from "@metrum/contract/headend";
import { usualArchiveTypes } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { exchange, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { FormDialog, useForm } from "#ui/form";
import { archiveId, archiveRequest, noArchive, type ArchiveValues } from "./archive.ts";
import { ArchiveFields } from "./ArchiveFields.tsx";

interface Props {
  readonly deviceIds: readonly number[];
  readonly onSent: () => void;
  readonly onClose: () => void;
}

const offered = usualArchiveTypes.map((id) => ({ id, days: null }));

/** Requests an archive of several meters, after saying which of them can answer and why the others cannot. */
export function BulkArchiveDialog({ deviceIds, onSent, onClose }: Props) {
  const { t } = useTranslation("requests");
  const { number } = useFormat();
  const form = useForm<ArchiveValues, ReplyOf<typeof tasks.create>>({
    stored: noArchive,
    required: ["type", "date"],
    names: {
      "management.type": "type",
      "management.archiveTime": "date",
      "management.archiveTimeEnd": "until",
    },
    async send(values, options) {
      const request = requestOf(values);
      if (!request || !plan || plan.device_ids.length === 0) return undefined;
      const body = { command_type: "control" as const, ...request, device_ids: plan.device_ids };
      return exchange(tasks.create, { body }, options);
    },
    onSaved: onSent,
  });
  const request = requestOf(form.values);
  const { data } = useCall(
    tasks.planRequest,
    { body: { device_ids: [...deviceIds], management: request?.management ?? {} } },
    { isQuiet: true, isEnabled: request !== undefined },
  );
  const plan = request === undefined ? undefined : data?.plan;
  const shown = (count: number) => ({ count, shown: number(count, 0) });
  return (
    <FormDialog
      form={form}
      title={t("bulk.title", shown(deviceIds.length))}
      size={450}
      action={t("send")}
      isDisabled={form.isBusy || (plan !== undefined && plan.device_ids.length === 0)}
      onClose={onClose}
    >
      <ArchiveFields form={form} offered={offered} clock={t("bulk.clock")}>
        {plan === undefined ? null : (
          <div className="request-plan" role="status">
            <p>
              {t("bulk.able", { able: number(plan.device_ids.length, 0), all: number(deviceIds.length, 0) })}
            </p>
            <ul>
              {plan.refused.map(({ reason, device_count }) => (
                <li key={reason}>{t("bulk.refused", { ...shown(device_count), reason })}</li>
              ))}
            </ul>
          </div>
        )}
      </ArchiveFields>
    </FormDialog>
  );
}

function requestOf(values: ArchiveValues) {
  const id = archiveId(values);
  if (id === undefined || values.date === "") return undefined;
  const { management, ...titles } = archiveRequest(id, values);
  return { management: { ...management }, ...titles };
}
