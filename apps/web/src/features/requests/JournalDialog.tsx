import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { SelectField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { journalsOf, type RequestedDevice } from "./offered.ts";
import { sendRequest, showAnswer, type RequestReply } from "./requests.ts";
import "./requests.css";

interface Values {
  /** Number of the journal as text; empty: not chosen. */
  readonly journal: string;
}

interface Props {
  readonly device: RequestedDevice;
  readonly onClose: () => void;
}

/** Requests event journals of a meter, one after the other. */
export function JournalDialog({ device, onClose }: Props) {
  const { t } = useTranslation("requests");
  const { language } = useFormat();
  const offered = journalsOf(device);
  const form = useForm<Values, RequestReply>({
    stored: { journal: "" },
    required: ["journal"],
    names: { "management.event_index": "journal", "management.event_log": "journal" },
    isSilent: true,
    keepsDraft: true,
    async send({ journal }, options) {
      const chosen = offered.find((each) => String(each.event_index) === journal);
      if (!chosen) return undefined;
      const { event_index, title, title_en } = chosen;
      return sendRequest(
        device.id,
        {
          management: { event_log: true, event_index },
          title: `Журнал: ${title}`,
          title_en: `Journal: ${title_en}`,
        },
        options,
      );
    },
    onSaved: showAnswer,
  });
  return (
    <FormDialog
      form={form}
      title={t("journal.title")}
      size={450}
      action={t("send")}
      isDisabled={form.isBusy}
      onClose={onClose}
    >
      <fieldset className="request-fields" disabled={form.isBusy}>
        <SelectField
          label={t("journal.type")}
          {...form.field("journal")}
          placeholder={t("journal.choose")}
          options={offered.map(({ event_index, title, title_en }) => ({
            value: String(event_index),
            // Titles of data are Russian or English.
            title: language === "ru" ? title : title_en,
          }))}
          hint={t("journal.hint")}
        />
      </fieldset>
    </FormDialog>
  );
}
