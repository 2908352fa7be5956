import type { ReactNode } from "react";
import { Button } from "#ui/button";
import { Form, useUnsaved } from "#ui/form";
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
> extends Recorded<Stored, Values, Body, Reply, Given, Asked> {
  readonly footClass: string;
  /** Beside the button that saves. */
  readonly children: ReactNode;
}

/** The same as a page: every navigation asks before input is lost. */
export function RecordPage<
  Stored,
  Values extends object,
  Body extends object,
  Reply,
  Given extends object,
  Asked extends object,
>({ footClass, children, ...props }: Props<Stored, Values, Body, Reply, Given, Asked>) {
  const { form, words, action } = useRecord(props);
  useUnsaved(form.isDirty && !form.isBusy);
  return (
    <Form form={form} className={props.form.className}>
      <Rows rows={props.form.rows} form={form} words={words} />
      <div className={footClass}>
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          {action}
        </Button>
        {children}
      </div>
    </Form>
  );
}
