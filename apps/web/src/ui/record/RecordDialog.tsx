import type { ReactNode } from "react";
import { FormDialog } from "#ui/form";
import type { DialogForm } from "./defineRecord.ts";
import "./record.css";
import { Rows } from "./Rows.tsx";
import { useRecord, type Recorded } from "./useRecord.ts";

interface Props<
  Stored,
  Values extends object,
  Body extends object,
  Reply,
  Given extends object,
  Asked extends object,
> extends Omit<Recorded<Stored, Values, Body, Reply, Given, Asked>, "form" | "onLeave"> {
  readonly form: DialogForm<Stored, Values, Body, Reply, Given, Asked>;
  readonly onClose: () => void;
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
>({ onClose, children, ...props }: Props<Stored, Values, Body, Reply, Given, Asked>) {
  const { form: plan, record, given } = props;
  const { form, words, action } = useRecord({ ...props, onLeave: onClose });
  return (
    <FormDialog
      form={form}
      title={plan.title(record, words.t, given)}
      size={plan.size}
      action={action}
      isDisabled={plan.isReady?.(form.values, words) === false}
      onClose={onClose}
      {...(plan.className === undefined ? {} : { className: plan.className })}
    >
      <Rows rows={plan.rows} form={form} words={words} />
      {children}
    </FormDialog>
  );
}
