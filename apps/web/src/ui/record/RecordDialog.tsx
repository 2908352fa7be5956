import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { exchange, type SendOptions } from "#lib/call";
import { useFormat } from "#lib/format";
import { FormDialog, useForm } from "#ui/form";
import { changedFrom } from "./changed.ts";
import type { Ask, RecordForm } from "./defineRecord.ts";
import "./record.css";
import { Rows } from "./Rows.tsx";
import type { FieldWords } from "./types.ts";

interface Props<
  Stored,
  Values extends object,
  Body extends object,
  Reply,
  Given extends object,
  Asked extends object,
> {
  readonly form: RecordForm<Stored, Values, Body, Reply, Given, Asked>;
  /** The record to change; null adds one. */
  readonly record: Stored | null;
  readonly given: Given;
  /** Brings the record as it is now, when another user has changed it meanwhile. */
  readonly reload?: (() => Promise<unknown>) | undefined;
  readonly onClose: () => void;
  readonly onSaved?: (reply: Reply) => void;
  /** Below the fields. */
  readonly children?: ReactNode;
}

/** Adds or changes a record by a table of its fields. */
export function RecordDialog<
  Stored,
  Values extends object,
  Body extends object,
  Reply,
  Given extends object,
  Asked extends object,
>(props: Props<Stored, Values, Body, Reply, Given, Asked>) {
  const { form: plan, record, given, reload, onClose, onSaved, children } = props;
  const { useAsked = useNothing, required } = plan;
  const { t }: { readonly t: TFunction } = useTranslation(plan.texts);
  const formats = useFormat();
  const stored = plan.values(record, given);
  const form = useForm<Values, Reply>({
    stored,
    required: typeof required === "function" ? (values) => required(values, record) : required,
    ...(plan.check ? { check: plan.check } : {}),
    ...(plan.names ? { names: plan.names } : {}),
    words: (code, name) =>
      plan.words?.(code, name, t) ?? (plan.faults?.includes(code) ? t(`fault.${code}`) : undefined),
    send: (values, options) => {
      const ask = asking(plan.isPermitted, options);
      const body = plan.body(values, record, own);
      if (record === null) return plan.add(body, ask, given);
      return plan.change(record, changedFrom(plan.body(stored, record, own), body), ask, body);
    },
    onSaved: async (reply) => {
      onClose();
      await plan.refresh();
      onSaved?.(reply);
    },
    ...(reload ? { onConflict: reload } : {}),
  });
  const own: Given & Asked = { ...given, ...(useAsked(form.values, given) as Asked) };
  const words: FieldWords & Given & Asked = {
    ...own,
    ...formats,
    t,
    isNew: record === null,
    titleOf: (name) => `${plan.titles}.${name}`,
  };
  const [add, change] = plan.action ?? ["form.create", "form.save"];
  return (
    <FormDialog
      form={form}
      title={plan.title(record, t, given)}
      size={plan.size}
      action={t(record === null ? add : change)}
      isDisabled={plan.isReady?.(form.values, own) === false}
      onClose={onClose}
      {...(plan.className === undefined ? {} : { className: plan.className })}
    >
      <Rows rows={plan.rows} form={form} words={words} />
      {children}
    </FormDialog>
  );
}

const useNothing = () => ({});

/** Calls that the session lacks the right for are reported instead of sent. */
const asking =
  (
    isPermitted: RecordForm<never, object, object, never, object, object>["isPermitted"],
    options: SendOptions,
  ): Ask =>
  async (call, input) =>
    isPermitted?.(call) === false ? undefined : exchange(call, input, options);
