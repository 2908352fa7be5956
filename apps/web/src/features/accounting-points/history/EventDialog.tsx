import { enteredEventKinds, pointHistory, type AccountingPoint } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { formatDate, useNow } from "#lib/format";
import { change } from "#ui/change";
import { DateField } from "#ui/dateField";
import { fromLocal } from "#ui/dateRange";
import { Segmented, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { MomentField } from "../MomentField.tsx";
import { refreshed } from "../points.ts";

type Kind = (typeof enteredEventKinds)[number];

interface Values {
  readonly kind: Kind;
  readonly ts: number | null;
  readonly verified_until: string;
  readonly note: string;
}
const stored: Values = { kind: "verified", ts: null, verified_until: "", note: "" };

/** Adds a verification or a note to the history. */
export function EventDialog(props: { readonly point: AccountingPoint; readonly onClose: () => void }) {
  const { point, onClose } = props;
  const { t } = useTranslation("accountingPoints");
  const now = useNow();
  const form = useForm({
    stored,
    check: ({ kind, note }) => (kind === "note" && note.trim() === "" ? { note: "required" } : {}),
    send: ({ kind, ts, verified_until, note }, options) =>
      exchange(
        pointHistory.addEvent,
        {
          body: {
            accounting_point_id: point.id,
            kind,
            ts: ts ?? now,
            ...(note.trim() === "" ? {} : { note }),
            ...(kind === "verified" && verified_until !== ""
              ? { verified_until: startOf(verified_until, point.timezone) }
              : {}),
          },
        },
        options,
      ),
    onSaved: async () => {
      onClose();
      await refetch(...refreshed);
    },
  });
  const { kind } = form.values;
  return (
    <FormDialog
      form={form}
      title={t("addEvent.title")}
      size={450}
      action={t("addEvent.action")}
      onClose={onClose}
    >
      <Segmented
        name="kind"
        label={t("addEvent.kind")}
        value={kind}
        onValue={(next) => form.set({ kind: next })}
        options={enteredEventKinds.map((value) => ({ value, title: t(`addEvent.of.${value}`) }))}
      />
      <MomentField
        label={t("addEvent.at")}
        hint={t("addEvent.atHint", { today: formatDate(now, point.timezone) })}
        zone={point.timezone}
        {...form.field("ts")}
      />
      {kind === "verified" ? (
        <DateField label={t("addEvent.until")} {...form.field("verified_until")} theirs={undefined} />
      ) : null}
      <TextField
        label={t("form.note")}
        {...form.field("note")}
        isRequired={kind === "note"}
        maxLength={1000}
        autoComplete="off"
      />
    </FormDialog>
  );
}

/** Midnight at which a day begins in the zone. */
function startOf(day: string, zone: string): number {
  return fromLocal(Date.parse(`${day}T00:00:00Z`) / 1000, zone);
}

/** Removes an event that a person has added. */
export function removeEvent(accounting_point_id: number, event_number: number): Promise<boolean> {
  return change(() => exchange(pointHistory.removeEvent, { body: { accounting_point_id, event_number } }), {
    refreshed,
  });
}
