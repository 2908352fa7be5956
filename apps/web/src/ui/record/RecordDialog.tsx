import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { FormDialog, useForm } from "#ui/form";
import type { RecordForm } from "./defineRecord.ts";
import "./record.css";
import { Drawn } from "./rows.tsx";
import type { FieldWords } from "./types.ts";

interface Props<Stored, Values extends object, Reply, Own extends object> {
  readonly form: RecordForm<Stored, Values, Reply, Own>;
  /** The record to change; null adds one. */
  readonly record: Stored | null;
  /** What its rows know besides their texts. */
  readonly own: Own;
  readonly onClose: () => void;
  readonly onSaved?: (reply: Reply) => void;
  /** Below the fields. */
  readonly children?: ReactNode;
}

/** Adds or changes a record by a table of its fields. */
export function RecordDialog<Stored, Values extends object, Reply, Own extends object>(
  props: Props<Stored, Values, Reply, Own>,
) {
  const { form: plan, record, own, onClose, onSaved, children } = props;
  const { t }: { readonly t: TFunction } = useTranslation(plan.texts);
  const { language } = useFormat();
  const form = useForm<Values, Reply>({
    stored: plan.values(record),
    required: plan.required,
    ...(plan.check ? { check: plan.check } : {}),
    words: (code) => (plan.faults?.includes(code) ? t(`fault.${code}`) : undefined),
    send: (values, options) => plan.send(record, values, options),
    onSaved: async (reply) => {
      onClose();
      await plan.refresh();
      onSaved?.(reply);
    },
  });
  const words: FieldWords & Own = { ...own, t, language, titleOf: (name) => `${plan.titles}.${name}` };
  return (
    <FormDialog
      form={form}
      title={plan.title(record, t)}
      size={plan.size}
      action={t(record === null ? "form.create" : "form.save")}
      onClose={onClose}
    >
      {plan.rows
        .filter((row) => row.isShown?.(form.values) ?? true)
        .map((row) => (
          <Drawn key={row.name} {...{ row, form, words }} />
        ))}
      {children}
    </FormDialog>
  );
}
