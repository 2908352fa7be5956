import { useTranslation } from "react-i18next";
import { formatOffset, useNow } from "#lib/format";
import { DateField, dayText } from "#ui/dateField";
import { FormDialog, useForm } from "#ui/form";
import type { RequestedDevice } from "./offered.ts";
import { sendRequest, showAnswer, type RequestReply } from "./requests.ts";
import "./requests.css";

interface Values {
  /** "2026-12-31", or empty. */
  readonly date: string;
}

interface Props {
  readonly device: RequestedDevice;
  readonly onClose: () => void;
}

/** Requests the power profile of one day. It closes when the request is accepted, and when it fails. */
export function ProfileDialog({ device, onClose }: Props) {
  const { t } = useTranslation("requests");
  const zone = formatOffset(useNow(), device.timezone_name);
  const form = useForm<Values, RequestReply>({
    stored: { date: "" },
    required: ["date"],
    isSilent: true,
    keepsDraft: true,
    // The failure is shown by its call, because the dialog closes.
    send: ({ date }) =>
      sendRequest(device.id, {
        management: { archive_profile: `${date} 00:00:00` },
        title: `Профиль мощности, ${dayText(date)}`,
        title_en: `Power profile, ${dayText(date)}`,
      }),
    onSaved(reply) {
      showAnswer(reply);
      onClose();
    },
    onRefused: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t("profile.title")}
      size={400}
      action={t("send")}
      isDisabled={form.isBusy}
      onClose={onClose}
    >
      <fieldset className="request-fields" disabled={form.isBusy}>
        <DateField label={t("profile.date")} {...form.field("date")} hint={t("deviceTime", { zone })} />
      </fieldset>
    </FormDialog>
  );
}
