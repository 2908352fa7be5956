import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "#lib/call";
import { TextField } from "#ui/field";
import type { Bound } from "#ui/form";

/** Code of the refusal of readings that the device itself contradicts. */
export const doubtedCode = "point_reading_doubted";

/** The readings count whatever the device has told, if a reason was given. */
export function confirmation(reason: string): {
  readonly confirm?: boolean;
  readonly confirm_reason?: string;
} {
  const confirm_reason = reason.trim();
  return confirm_reason === "" ? {} : { confirm: true, confirm_reason };
}

/** Whether the server has doubted the readings of a form. */
export function useDoubted() {
  const [isDoubted, setDoubted] = useState(false);
  return {
    isDoubted,
    onRefused: ({ code }: ApiError) => {
      if (code === doubtedCode) setDoubted(true);
    },
  };
}

/** Asks why readings count that the device itself contradicts; nothing is stored without it. */
export function ConfirmedReadings(props: { readonly isDoubted: boolean; readonly field: Bound<string> }) {
  const { isDoubted, field } = props;
  const { t } = useTranslation("accountingPoints");
  if (!isDoubted) return null;
  return (
    <TextField
      label={t("doubt.reason")}
      hint={t("doubt.reasonHint")}
      {...field}
      maxLength={500}
      autoComplete="off"
    />
  );
}
