import { periods } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { exchange, refetch } from "#lib/call";
import { useFormat } from "#lib/format";
import { TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { refreshed } from "./periods.ts";

interface Props {
  readonly what: "correct" | "reopen";
  readonly id: number;
  /** Of the totals that the user has seen. */
  readonly digest: string;
  readonly differing: number;
  readonly onClose: () => void;
}

/** Stores a correction, or opens a period again: neither without a reason. */
export function ReasonDialog({ what, id, digest, differing, onClose }: Props) {
  const { t } = useTranslation("periods");
  const { number } = useFormat();
  const form = useForm({
    stored: { reason: "" },
    required: ["reason"],
    send: async ({ reason }, options) => {
      if (what === "reopen")
        return isPermitted(periods.reopen)
          ? exchange(periods.reopen, { body: { id, reason } }, options)
          : undefined;
      return isPermitted(periods.correct)
        ? exchange(periods.correct, { body: { id, digest, reason } }, options)
        : undefined;
    },
    onRefused: () => void refetch(...refreshed),
    onSaved: async () => {
      onClose();
      await refetch(...refreshed);
    },
  });
  return (
    <FormDialog
      form={form}
      title={t(`${what}.title`)}
      size={450}
      action={t(`${what}.action`)}
      onClose={onClose}
    >
      <p>{t(`${what}.text`, { count: differing, shown: number(differing, 0) })}</p>
      <TextField label={t("reason")} {...form.field("reason")} maxLength={255} autoComplete="off" />
    </FormDialog>
  );
}
