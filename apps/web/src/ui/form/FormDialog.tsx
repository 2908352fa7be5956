import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { Dialog, type DialogSize } from "#ui/dialog";
import { Form } from "./Form.tsx";
import type { FormFrame } from "./plan.ts";
import { useUnsaved } from "./useUnsaved.ts";

interface Props {
  readonly form: FormFrame;
  readonly title: string;
  readonly size?: DialogSize;
  /** The verb of the button. */
  readonly action: string;
  /** The button is disabled. */
  readonly isDisabled?: boolean;
  readonly onClose: () => void;
  readonly className?: string;
  /** Content before the buttons. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** A form in a dialog: Escape, the cross and every navigation ask before input is lost. */
export function FormDialog({
  form,
  title,
  action,
  onClose,
  className = "",
  foot,
  children,
  ...props
}: Props) {
  const { t } = useTranslation("common");
  const id = useId();
  useUnsaved(form.isDirty && !form.isBusy);
  return (
    <Dialog
      title={title}
      {...(props.size === undefined ? {} : { size: props.size })}
      onClose={onClose}
      closesOutside={false}
      isDirty={form.isDirty}
      isBusy={form.isBusy}
      actions={
        <>
          {foot}
          <Button onClick={onClose} disabled={form.isBusy}>
            {t("cancel")}
          </Button>
          <Button type="submit" form={id} kind="primary" isBusy={form.isBusy} disabled={props.isDisabled}>
            {action}
          </Button>
        </>
      }
    >
      <Form form={form} id={id} className={`dialog-form ${className}`}>
        {children}
      </Form>
    </Dialog>
  );
}
