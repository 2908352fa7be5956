import { useTranslation } from "react-i18next";
import { formatOffset, useNow } from "#lib/format";
import { FormDialog, useForm } from "#ui/form";
import { archiveId, archiveRequest, noArchive, offeredArchives, type ArchiveValues } from "./archive.ts";
import { ArchiveFields } from "./ArchiveFields.tsx";
import type { RequestedDevice } from "./offered.ts";
import { sendRequest, showAnswer, type RequestReply } from "./requests.ts";

interface Props {
  readonly device: RequestedDevice;
  readonly onClose: () => void;
}

/** Requests an archive of a meter. It closes when the request is accepted, and stays open when it fails. */
export function ArchiveDialog({ device, onClose }: Props) {
  const { t } = useTranslation("requests");
  const zone = formatOffset(useNow(), device.timezone_name);
  const form = useForm<ArchiveValues, RequestReply>({
    stored: noArchive,
    required: ["type", "date"],
    names: {
      "management.type": "type",
      "management.archiveTime": "date",
      "management.archiveTimeEnd": "until",
    },
    isSilent: true,
    keepsDraft: true,
    async send(values, options) {
      const id = archiveId(values);
      return id === undefined ? undefined : sendRequest(device.id, archiveRequest(id, values), options);
    },
    onSaved(reply) {
      showAnswer(reply);
      if (reply.control_set.error === undefined) onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t("archive.title")}
      size={450}
      action={t("send")}
      isDisabled={form.isBusy}
      onClose={onClose}
    >
      <ArchiveFields form={form} offered={offeredArchives(device)} clock={t("deviceTime", { zone })} />
    </FormDialog>
  );
}
